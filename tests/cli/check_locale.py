#!/usr/bin/env python3
"""Runs the program in a locale with a decimal comma: its output is as in C.

usage: check_locale.py PROGRAM

The locale is the system's, or is made in a folder that goes away. glibc looks for the
latter only where LOCPATH says. The commands answer the same every time: runs that are
replayed, a list, and numbers that are refused.
"""

import os
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
NAME = "de_DE.UTF-8"
REPLAY = """retstack-replay 1
read getpc/empty/* ns 500
read * ns 3500 3510
read * ticks 7000
"""
FIXED = ["run", "--replay", "played", "--seed", "1", "--calls", "1000", "--repetitions",
         "3", "--placements", "2", "--events", "ns", "--max-time", "1000.5"]
COMMANDS = [[*FIXED, "--format", form, "getpc"]
            for form in ("text", "csv", "summary-csv", "json")]
COMMANDS += [
    ["list", "--format", "csv", "variants"],
    ["run", "--max-time", "1,5", "getpc"],
    ["run", "--max-time", "x.5", "getpc"],
]


def decimal_point(environment):
    done = subprocess.run(["locale", "decimal_point"], capture_output=True, text=True,
                          env=environment, check=False)
    return done.stdout.strip()


def comma_environment(folder):
    """The environment of a comma locale, or None."""
    environment = {**os.environ, "LC_ALL": NAME}
    if decimal_point(environment) == ",":
        return environment
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8",
                           os.path.join(folder, NAME)], capture_output=True, check=False)
    environment["LOCPATH"] = folder
    # The C library keeps its copy of LOCPATH to the end, which a leak checker reports.
    environment["ASAN_OPTIONS"] = "detect_leaks=0"
    is_made = made.returncode == 0 and decimal_point(environment) == ","
    return environment if is_made else None


def answer(command, folder, environment):
    done = subprocess.run([PROGRAM, *command], cwd=folder, env=environment, timeout=60,
                          capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        try:
            there = comma_environment(folder)
        except FileNotFoundError:
            there = None
        if not there:
            print(f"skip: {NAME} is not installed and localedef cannot make it "
                  "(package locales)")
            sys.exit(77)
        with open(os.path.join(folder, "played"), "w", encoding="ascii") as stream:
            stream.write(REPLAY)
        n_bad = 0
        here = {**os.environ, "LC_ALL": "C"}
        for command in COMMANDS:
            expected = answer(command, folder, here)
            got = answer(command, folder, there)
            if got != expected or not (got[1] or got[2]):
                print(f"FAIL {command}:\n  in C {expected}\n  there {got}")
                n_bad += 1
        if answer(COMMANDS[-1], folder, here) == answer(COMMANDS[-2], folder, there):
            print("FAIL two commands that differ answer the same")
            n_bad += 1
    print(f"{len(COMMANDS)} commands, {n_bad} bad")
    sys.exit(1 if n_bad else 0)


main()
