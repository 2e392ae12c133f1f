"""Holds C files to .clang-format: check_format.py ROOT."""

import os
import re
import shutil
import subprocess
import sys

import tree

VERSION = "14"


def clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], text=True, check=True,
                                  capture_output=True).stdout
            if re.search(rf"version {VERSION}\.", said):
                return name
    return tree.skip(f"clang-format {VERSION} is missing (others format differently)")


def main():
    files = tree.Tree(sys.argv[1])
    style = os.path.join(os.path.dirname(__file__), "..", "..", ".clang-format")
    done = subprocess.run([clang_format(), "--dry-run", f"--style=file:{style}",
                           *files.files(".c", ".h")],
                          cwd=files.root, text=True, check=True, capture_output=True)
    seen = set()
    for path, number in re.findall(r"^(\S+?):(\d+):\d+: warning:", done.stderr, re.M):
        if (path, number) not in seen:
            seen.add((path, number))
            files.complain(path, number, "run clang-format -i on it")
    files.exit()


main()
