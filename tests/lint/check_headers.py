"""Compiles every header alone: check_headers.py ROOT COMPILER [FLAG...]."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import tree


def compile_alone(root, command, path):
    done = subprocess.run([*command, "-I", root, "-fsyntax-only", "-x", "c", "-"],
                          input=f'#include "{path}"\n', text=True, check=False,
                          capture_output=True)
    return done.stderr.strip() if done.returncode else ""


def guard_of(path):
    return path.upper().replace("/", "_").replace(".", "_").replace("-", "_")


def main():
    files = tree.Tree(sys.argv[1])
    headers = files.files(".h")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = pool.map(lambda path: compile_alone(files.root, sys.argv[2:], path),
                          headers)
    for path, error in zip(headers, errors):
        if error:
            files.complain(path, 1, "does not compile alone")
            print(error, file=sys.stderr)
        if f"#ifndef {guard_of(path)}" not in (text for _, text in files.lines(path)):
            files.complain(path, 1, f"has no guard {guard_of(path)}")
    files.exit()


main()
