"""Asks mandoc about a page: check_man.py ROOT PAGE (absolute, or below ROOT)."""

import os
import re
import shutil
import subprocess
import sys

import tree


def main():
    files = tree.Tree(sys.argv[1])
    if not shutil.which("mandoc"):
        tree.skip("mandoc is missing")
    page = os.path.join(files.root, sys.argv[2])
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], text=True,
                          check=False, capture_output=True)
    for number, why in re.findall(r"^mandoc: \S+?:(\d+):\d+: (.*)$",
                                  done.stdout + done.stderr, re.M):
        files.complain(os.path.basename(page), number, why)
    if done.returncode and not files.n_violations:
        files.complain(os.path.basename(page), 0, done.stderr.strip())
    files.exit()


main()
