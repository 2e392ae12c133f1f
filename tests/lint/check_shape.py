"""File stems, lengths of files and functions, and where ISA conditionals may be."""

import os
import re
import sys

import tree

MAX_FILE_LINES = 500  # the aim is 400
MAX_FUNCTION_LINES = 80

# Files that are one long table: a row is added, nothing is nested.
TABLES = ("tests/golden/fixture.c", "tests/unit/test_oracle.c")

# Stems that two folders share, and why that is clearer than another name.
SHARED_STEMS = {
    "text": "src/base/ handles strings, report/ writes the format called text",
}

ISA_MACROS = (r"__(x86_64|i386|amd64|aarch64|arm|powerpc|powerpc64|ppc|ppc64|PPC|riscv"
              r"|s390|s390x)(__)?\b")


def room_of(path):
    """Where a stem must be alone: each folder of an ISA mirrors the others."""
    folder = os.path.dirname(path)
    return "arch" if folder.startswith("arch") else folder


def check_stems(files):
    rooms = {}
    for path in files.files(".c", ".h", ".S"):
        if path.startswith("tests/"):
            continue  # a test bears the name of what it tests
        stem = os.path.splitext(os.path.basename(path))[0]
        first = rooms.setdefault(stem, path)
        if room_of(first) != room_of(path) and stem not in SHARED_STEMS:
            files.complain(path, 1, f"has the stem of {first}")


def check_lengths(files, path):
    lines = files.lines(path)
    if len(lines) > MAX_FILE_LINES and path not in TABLES:
        files.complain(path, MAX_FILE_LINES + 1,
                       f"is {len(lines)} lines long, at most {MAX_FILE_LINES}")
    start = None
    for number, line in lines:
        if line == "{":
            start = number
        elif line == "}" and start:
            if number - start - 1 > MAX_FUNCTION_LINES:
                files.complain(path, start, f"function of {number - start - 1} lines, "
                               f"at most {MAX_FUNCTION_LINES}")
            start = None


def is_of_one_isa(files, path):
    """Bears the name of a folder in arch/: there, #if tells widths apart at most."""
    isa = os.path.splitext(path)[0].rpartition("_")[2]
    return any(other.startswith(f"arch/{isa}/") for other in files.paths)


def check_isa(files, path):
    for number, line in files.lines(path):
        if re.match(r"\s*#\s*(el)?if", line) and re.search(ISA_MACROS, line):
            files.complain(path, number, "an ISA is told apart in arch/ only")


def main():
    files = tree.Tree(sys.argv[1])
    check_stems(files)
    for path in files.files(".c", ".h"):
        check_lengths(files, path)
    for path in files.files(".c", ".h", ".S", ".inc"):
        if not path.startswith("arch/") and not is_of_one_isa(files, path):
            check_isa(files, path)
    files.exit()


main()
