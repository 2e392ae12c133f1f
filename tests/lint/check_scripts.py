"""Runs shellcheck over every shell script: check_scripts.py ROOT."""

import re
import shutil
import subprocess
import sys

import tree


def is_script(files, path):
    if path.endswith((".sh", ".bash")):
        return True
    lines = files.lines(path) if "." not in path.lstrip(".") else []
    return bool(lines and re.match(r"#!.*\b(ba)?sh\b", lines[0][1]))


def main():
    files = tree.Tree(sys.argv[1])
    if not shutil.which("shellcheck"):
        tree.skip("shellcheck is missing")
    scripts = [path for path in files.paths if is_script(files, path)]
    if not scripts:
        files.complain(".", 0, "no scripts found")
        files.exit()
    done = subprocess.run(["shellcheck", "-x", "-f", "gcc", *scripts], cwd=files.root,
                          text=True, check=False, capture_output=True)
    for path, number, why in re.findall(r"^([^:\n]+):(\d+):\d+: (.*)$", done.stdout,
                                        re.M):
        files.complain(path, number, why)
    if done.returncode > 1:
        files.complain(".", 0, done.stderr.strip())
    files.exit()


main()
