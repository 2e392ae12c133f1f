"""Runs a file of command-line cases and compares what the commands said.

    run.py [--must-fail] --program PATH --source DIR FILE.t

A case starts at a "$ " line, a shell command, and holds what must come of it:

    $ retstack frobnicate           runs under sh; a trailing \\ continues the line
    > text                          one line of standard output, exactly
    ! text                          one line of standard error, exactly
    >~ REGEX                        one line that matches whole (Python's re)
    !~ REGEX
    >...                            any number of further lines, also none
    !...
    ? 2                             the exit code; 0 when there is no such line

Without a ">" line standard output must be empty; so for "!" and standard error. An
empty line of output is a bare ">". Lines that start with "#" and empty lines are
comments. Before its first case a file may say

    skip-unless COMMAND -- WHY      exits 77 with WHY when the shell command fails

Each file runs in an empty folder that is removed afterwards. The program under test
comes first on PATH; $SOURCE is the source tree; standard input is empty; the locale
is C. With --must-fail every case must disagree: this tests the runner itself.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

TIMEOUT_S = 60
STREAMS = {">": "standard output", "!": "standard error"}


class Case:
    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.code = 0
        self.expected = {">": [], "!": []}


def parse(path):
    """Returns (skip conditions, cases); raises ValueError with the place."""
    conditions, cases = [], []
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    for number, line in enumerate(lines, 1):
        place = f"{path}:{number}"
        if cases and cases[-1].command.endswith("\\"):
            cases[-1].command = cases[-1].command[:-1] + line.strip()
        elif not line or line.startswith("#"):
            continue
        elif line.startswith("skip-unless "):
            command, separator, why = line[len("skip-unless "):].partition(" -- ")
            if cases or not separator:
                raise ValueError(f"{place}: skip-unless COMMAND -- WHY comes first")
            conditions.append((command, why))
        elif line.startswith("$ "):
            cases.append(Case(number, line[2:]))
        elif not cases:
            raise ValueError(f"{place}: expectation without a command")
        elif re.fullmatch(r"\? \d+", line):
            cases[-1].code = int(line[2:])
        elif line[0] in STREAMS:
            cases[-1].expected[line[0]].append(parse_line(line[1:], place))
        else:
            raise ValueError(f"{place}: cannot read '{line}'")
    if not cases:
        raise ValueError(f"{path}: no cases")
    return conditions, cases


def parse_line(rest, place):
    """Returns (kind, text): kind is "any", "regex" or "exact"."""
    if rest == "...":
        return ("any", rest)
    if rest.startswith("~ "):
        try:
            re.compile(rest[2:])
        except re.error as error:
            raise ValueError(f"{place}: {error}") from error
        return ("regex", rest[2:])
    if rest == "" or rest.startswith(" "):
        return ("exact", rest[1:])
    raise ValueError(f"{place}: a blank, '~ ' or '...' must follow the sign")


def line_matches(expected, line):
    kind, text = expected
    return line == text if kind == "exact" else bool(re.fullmatch(text, line))


def matches(expected, lines):
    """Like a shell glob over lines: "any" stands for any number of them."""
    reachable = {0}
    for pattern in expected:
        if pattern[0] == "any":
            reachable = set(range(min(reachable), len(lines) + 1))
        else:
            reachable = {at + 1 for at in reachable
                         if at < len(lines) and line_matches(pattern, lines[at])}
        if not reachable:
            return False
    return len(lines) in reachable


def describe(sign, expected):
    marks = {"exact": " ", "regex": "~ ", "any": ""}
    return [sign + marks[kind] + text for kind, text in expected]


def execute(case, environment, folder):
    """Returns (exit code, {sign: lines}); the code is None after a timeout."""
    try:
        done = subprocess.run(["sh", "-c", case.command], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return None, {">": [], "!": []}
    texts = {">": done.stdout, "!": done.stderr}
    return done.returncode, {sign: text.decode("utf-8", "replace").splitlines()
                             for sign, text in texts.items()}


def complaints(case, environment, folder):
    code, output = execute(case, environment, folder)
    if code is None:
        return [f"did not end within {TIMEOUT_S} s"]
    found = []
    if code != case.code:
        found.append(f"exit code {code}, expected {case.code}")
    for sign, name in STREAMS.items():
        if not matches(case.expected[sign], output[sign]):
            got = [f"{sign} {line}" for line in output[sign]]
            found.append(f"{name} differs:")
            found += difflib.unified_diff(describe(sign, case.expected[sign]), got,
                                          "expected", "got", lineterm="")
    return found


def run_file(path, environment, must_fail):
    conditions, cases = parse(path)
    for command, why in conditions:
        if subprocess.run(["sh", "-c", command], env=environment, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True).returncode:
            print(f"skip: {why}")
            return 77
    n_bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            found = complaints(case, environment, folder)
            if must_fail:
                found = [] if found else ["agrees, although it must not"]
            if found:
                n_bad += 1
                print(f"{path}:{case.line}: $ {case.command}")
                print("\n".join("    " + line for line in found))
    print(f"{len(cases)} cases, {n_bad} bad")
    return 1 if n_bad else 0


def environment_for(program, source):
    path = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    kept = {name: os.environ[name] for name in os.environ if "SAN_" in name}
    return {**kept, "PATH": path, "SOURCE": os.path.abspath(source), "LC_ALL": "C",
            "TERM": "dumb"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--must-fail", action="store_true")
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("file")
    options = parser.parse_args()
    environment = environment_for(options.program, options.source)
    try:
        return run_file(options.file, environment, options.must_fail)
    except ValueError as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
