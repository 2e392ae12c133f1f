"""Proves that a check sees what it is for: must_fail.py CHECK FIXTURE [ARG...].

Runs CHECK on the small tree FIXTURE, in which everything that the check forbids is
done once, and compares what it says with the file FIXTURE/expected, line by line.
"""

import difflib
import os
import subprocess
import sys


def main():
    check, fixture, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
    done = subprocess.run([sys.executable, check, fixture, *arguments], text=True,
                          check=False, capture_output=True)
    if done.returncode == 77:
        print(done.stdout, end="")
        return 77
    with open(os.path.join(fixture, "expected"), encoding="utf-8") as stream:
        expected = stream.read().splitlines()
    got = sorted(done.stdout.splitlines())
    for line in difflib.unified_diff(sorted(expected), got, "expected", "got",
                                     lineterm=""):
        print(line)
    print(done.stderr, end="")
    return 0 if done.returncode == 1 and expected and got == sorted(expected) else 1


sys.exit(main())
