"""Looks for text that speaks of one machine: check_words.py ROOT | --self-test.

Each row: what it is, its pattern, and an example. Patterns and examples are spelled
so that this file does not contain what it looks for.
"""

import re
import sys

import tree

ROWS = (
    ("a path of one machine", r"(^|[^\w.])/(work|home|root|Users)/", "/" + "work/x"),
    ("a path of one machine", r"\.pyen[v]\b", "." + "pyenv/shims"),
    ("a private address", r"\b(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3}\b",
     "192." + "168.0.1"),
    ("a private host", r"://(localhost|[\w-]+)[:/]\d*", "http://" + "proxy:3128/"),
    ("a package registry", r"\b(registry|proxy|mirror)\.[a-z]+\.", "registry" + ".npmjs.org"),
    ("a merge leftover", r"^(<{7} |>{7} |={7}$)", "<" * 7 + " HEAD"),
    ("unfinished work", r"\b(T[O]DO|XX[X])\b", "TO" + "DO"),
)
ENDINGS = (".c", ".h", ".S", ".inc", ".in", ".ini", ".txt", ".cmake", ".json", ".py",
           ".sh", ".bash", ".md", ".t", "/dev", "/run")


def words_in(line):
    return [what for what, pattern, _ in ROWS if re.search(pattern, line)]


def self_test():
    deaf = [example for what, _, example in ROWS
            if what not in words_in(example) or what not in words_in(f'"{example}"')
            and not what.startswith("a merge")]
    for example in deaf:
        print(f"not found: {example}")
    sys.exit(1 if deaf else 0)


def main():
    if sys.argv[1] == "--self-test":
        self_test()
    files = tree.Tree(sys.argv[1])
    for path in files.paths:
        if ("/" + path).endswith(ENDINGS):
            for number, line in files.lines(path):
                for what in words_in(line):
                    files.complain(path, number, f"contains {what}")
    files.exit()


main()
