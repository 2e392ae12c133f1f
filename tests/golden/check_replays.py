#!/usr/bin/env python3
"""Compares what `retstack run` makes of replay files with files beside them.

usage: check_replays.py [--update] PROGRAM FOLDER [NAME...]

Each FOLDER/NAME.replay says in comments how it is run and what is compared:

    #> run ARGUMENT...          besides SETTINGS below
    #> formats FORMAT...        each has its expectation in NAME.FORMAT
    #> exit N                   the exit code; 0 when there is no such line

In expectations @VERSION@ stands for the program's. Standard error must be empty. The
kernels that run meanwhile and their known counts are those of x86-64.
"""

import difflib
import os
import platform
import shlex
import subprocess
import sys

SETTINGS = "--cpu 0 --seed 1 --calls 1000 --repetitions 3 --placements 2".split()
ROOM_ON_FAILURE = 40


def directives(path):
    found = {"exit": ["0"]}
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("#> "):
                name, *words = shlex.split(line[3:])
                found[name] = words
    return found


def version_of(program):
    text = subprocess.run([program, "--version"], capture_output=True, check=True,
                          text=True).stdout
    return text.split()[1]


def play(program, folder, name, wanted, form):
    """Returns (complaints, standard output)."""
    command = [program, "run", "--replay", f"{name}.replay", *SETTINGS, "--format", form,
               *wanted["run"]]
    environment = {**os.environ, "LC_ALL": "C", "HOME": "/nonexistent"}
    environment.pop("XDG_CONFIG_HOME", None)
    done = subprocess.run(command, cwd=folder, capture_output=True, env=environment,
                          timeout=60, check=False)
    complaints = []
    if done.returncode != int(wanted["exit"][0]):
        complaints.append(f"exit code {done.returncode}, not {wanted['exit'][0]}")
    if done.stderr:
        complaints.append(f"standard error: {done.stderr.decode()}")
    return complaints, done.stdout.decode("utf-8")


def generalise(text, version):
    return text.replace(f'"version": "{version}"', '"version": "@VERSION@"')


def compare(path, text):
    """Returns complaints."""
    with open(path, encoding="utf-8", newline="") as stream:
        expected = stream.read()
    if text == expected:
        return []
    diff = list(difflib.unified_diff(expected.splitlines(), text.splitlines(),
                                     path, "got", lineterm=""))
    return diff[:ROOM_ON_FAILURE] or ["they differ in line ends only"]


def check(program, folder, name, update):
    path = os.path.join(folder, name)
    wanted = directives(path + ".replay")
    version = version_of(program)
    n_bad = 0
    for form in wanted["formats"]:
        complaints, text = play(program, folder, name, wanted, form)
        text = generalise(text, version)
        if update:
            with open(f"{path}.{form}", "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
        complaints += compare(f"{path}.{form}", text)
        if complaints:
            print(f"{name} as {form}:", *complaints, sep="\n    ")
            n_bad += 1
    return n_bad


def check_itself(program, folder, name):
    """A changed expectation and a changed exit code must be noticed."""
    wanted = directives(os.path.join(folder, name + ".replay"))
    complaints, text = play(program, folder, name, {**wanted, "exit": ["9"]}, "text")
    path = os.path.join(folder, name + ".text")
    return bool(complaints) and bool(compare(path, text + " "))


def main():
    update = sys.argv[1] == "--update"
    program, folder, *names = sys.argv[1 + update:]
    if platform.machine() != "x86_64":
        print(f"skip: the replay files are for x86-64, this is {platform.machine()}")
        sys.exit(77)
    if 0 not in os.sched_getaffinity(0):
        print("skip: the expectations name CPU 0, which is not allowed here")
        sys.exit(77)
    program = os.path.abspath(program)
    names = names or sorted(entry[:-len(".replay")] for entry in os.listdir(folder)
                            if entry.endswith(".replay"))
    n_bad = sum(check(program, folder, name, update) for name in names)
    if not names or not check_itself(program, folder, names[0]):
        print("must fail: a wrong expectation was not noticed")
        n_bad += 1
    print(f"{len(names)} replay files, {n_bad} bad")
    sys.exit(1 if n_bad else 0)


main()
