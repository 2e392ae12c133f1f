"""The files of the tree, and how a check reports: shared by every check_*.py.

A check is run as `check_NAME.py ROOT ...`, prints one line "PATH:LINE: WHY" per
violation and exits 1 if there was any. "skip: WHY" and 77 mean it could not look.
"""

import os
import re
import sys

SKIP_EXIT = 77
FIXTURES = "tests/lint/fixtures"


class Tree:
    def __init__(self, root):
        self.root = root
        self.paths = sorted(self._walk())
        self.n_violations = 0

    def _walk(self):
        for folder, folders, names in os.walk(self.root):
            at = os.path.relpath(folder, self.root)
            at = "" if at == "." else at + "/"
            folders[:] = [name for name in folders if self._is_ours(at + name)]
            yield from (at + name for name in names)

    @staticmethod
    def _is_ours(folder):
        if folder == FIXTURES or folder.endswith("__pycache__"):
            return False
        return not re.match(r"(\.git|\.cache|build(-[^/]*)?)$", folder)

    def files(self, *endings):
        return [path for path in self.paths if path.endswith(endings)]

    def lines(self, path):
        """(number, text) of each line; bytes that are not UTF-8 are replaced."""
        with open(os.path.join(self.root, path), encoding="utf-8",
                  errors="replace") as stream:
            return list(enumerate(stream.read().splitlines(), 1))

    def complain(self, path, number, why):
        self.n_violations += 1
        print(f"{path}:{number}: {why}")

    def exit(self):
        sys.exit(1 if self.n_violations else 0)


def skip(why):
    print(f"skip: {why}")
    sys.exit(SKIP_EXIT)
