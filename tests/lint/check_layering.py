"""Holds every #include to the arrows between folders and to the fences."""

import os
import re
import sys

import tree

# The first row whose pattern matches the file says what it may include of ours.
COMMANDS = r"src/(main|cmd|cmd_\w+)\.[ch]"
ARROWS = (
    (r"src/base/.*", r"src/base/.*"),
    (r"arch/.*", r"arch/.*|src/base/.*"),
    (r"events/.*", r"events/.*|src/base/.*"),
    (r"report/.*", r"report/.*|src/model\.h|src/base/.*"),
    (r"board/.*", r"board/.*|src/(?!cmd).*|report/.*|arch/arch\.h|"
     r"events/(alias|pfm)\.h|tests/kernels/.*"),
    (r"src/model\.[ch]", r"src/model\.h|src/base/.*"),
    (COMMANDS, r"src/.*|arch/arch\.h|events/events\.h|report/report\.h"),
    (r"src/.*", r"src/(?!cmd).*|arch/arch\.h|events/events\.h"),
    (r"tests/.*", r".*"),
)

# Third-party headers and the only files that may include them; tests may too.
FENCES = (
    (r"perfmon/.*", ("events/pfm.c",)),
    (r"linux/perf_event\.h", ("events/perf.c",)),
    (r"libelf\.h|gelf\.h", ("src/image.c",)),
    (r"Zydis/.*", ("arch/x86/parts.h", "arch/x86/writes.c")),
    (r"jansson\.h", ("report/json.c", "src/load_json.c")),
    (r"libsmartcols.*", ("report/text.c",)),
    (r"ini\.h", ("src/base/ini.c",)),
    (r"cmocka\.h", ()),
)


def check_ours(files, path, number, included):
    if not os.path.exists(os.path.join(files.root, included)):
        files.complain(path, number, f'"{included}" is not spelled from the root')
        return
    for who, may in ARROWS:
        if re.fullmatch(who, path):
            if not re.fullmatch(may, included):
                files.complain(path, number, f'must not include "{included}"')
            return
    files.complain(path, number, "lies in no folder that has a rule")


def check_foreign(files, path, number, included):
    for pattern, where in FENCES:
        if re.fullmatch(pattern, included) and path not in where \
                and not path.startswith("tests/"):
            allowed = " and ".join(where) or "tests"
            files.complain(path, number, f"<{included}> belongs in {allowed} only")


def main():
    files = tree.Tree(sys.argv[1])
    for path in files.files(".c", ".h", ".S", ".inc"):
        for number, line in files.lines(path):
            ours = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            foreign = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
            if ours:
                check_ours(files, path, number, ours[1])
            elif foreign:
                check_foreign(files, path, number, foreign[1])
    files.exit()


main()
