"""Holds the documents to the tree and the program: check_docs.py ROOT PROGRAM.

Every `folder/file.ext` and `folder/` in README.md, NEWS.md and docs/ must exist, where
a word in capitals (NAME, ISA) stands for any text; every --option must be one that
`PROGRAM --help` or the help of a verb names. Lines that are another program's command
may use that program's options.
"""

import fnmatch
import re
import subprocess
import sys

import tree

# In `...` or an indented or fenced block; a path that starts with build is made.
PATH = r"`((?!build)[\w.+-]+(?:/[\w.+-]+)*/(?:[\w.+-]+\.\w+)?)`"
OTHERS = r"(^|`)\s*(\$ |# )?(\w+=\S+ )*(sudo )?(cmake|ctest|git|apt-get|perf|qemu\S*|python3|clang\S*) "


def documents(files):
    return [path for path in files.files(".md", ".1.in")
            if path.startswith("docs/") or "/" not in path]


def exists(files, named):
    pattern = re.sub(r"[A-Z]{3,}", "*", named)
    if named.endswith("/"):
        pattern += "*"
    return any(fnmatch.fnmatchcase(path, pattern) or path == named
               for path in files.paths)


def help_of(program, *verb):
    done = subprocess.run([program, *verb, "--help"], text=True, check=False,
                          capture_output=True, stdin=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else None


def options_of(program):
    """({"--calls", ...}, [verbs without help])."""
    general = help_of(program)
    verbs = re.findall(r"^  ([a-z]\w+)  +\S", general, re.M)
    helps = {verb: help_of(program, verb) for verb in verbs}
    text = "\n".join([general, *(text for text in helps.values() if text)])
    return (set(re.findall(r"--[a-z][\w-]*", text)),
            [verb for verb, text in helps.items() if text is None])


def check_paths(files, path, number, line):
    for named in re.findall(PATH, line):
        if not exists(files, named):
            files.complain(path, number, f"names {named}, which does not exist")


def check_options(files, path, number, line, known):
    if re.search(OTHERS, line):
        return
    named = re.findall(r"(?<![\w-])--[a-z][\w-]*", line)
    named += ["-" + option for option in re.findall(r"\bFl (-[a-z][\w-]*)", line)]
    for option in named:
        if option not in known:
            files.complain(path, number, f"names {option}, which no verb has")


def main():
    files = tree.Tree(sys.argv[1])
    known, silent = options_of(sys.argv[2])
    for path in documents(files):
        for number, line in files.lines(path):
            check_paths(files, path, number, line)
            if not silent:
                check_options(files, path, number, line, known)
    if silent and not files.n_violations:
        tree.skip(f"options not checked: no --help yet for {' '.join(silent)}")
    files.exit()


main()
