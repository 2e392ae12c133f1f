#!/usr/bin/env python3
"""Ends long runs early: what was measured is kept, and no process is left.

usage: check_interrupts.py PROGRAM
"""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
FILES = ("dump", "summary", "json")
LONG_RUN = ["--calls", "100000", "--repetitions", "5000", "--placements", "2"]
# One repetition takes seconds or more: no child stops between two of them.
LONG_REPETITION = ["--calls", "1000000000", "--repetitions", "1", "--placements", "1"]
WAIT_S = 30

failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAIL", what)


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as stream:
            return [int(word) for word in stream.read().split()]
    except FileNotFoundError:
        return []


def cpu_ticks(pid):
    """User time; 0 for a process that has gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stream:
            return int(stream.read().rpartition(")")[2].split()[11])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def wait_until(condition, what):
    """Polls; returns the first true value, or fails after WAIT_S."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    check(False, f"waited in vain for {what}")
    return None


def start(folder, arguments):
    files = [f"--{option}={os.path.join(folder, name)}"
             for option, name in zip(("csv", "summary-csv", "json"), FILES)]
    # A test that runs in the background inherits signals that are ignored.
    return subprocess.Popen([PROGRAM, "run", *arguments, *files, "--events", "ns",
                             "getpc"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            restore_signals=True, preexec_fn=lambda: [
                                signal.signal(number, signal.SIG_DFL) for number in
                                (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)])


def busy_child(parent):
    """A measuring process that has been at it for some time."""
    return [pid for pid in children_of(parent) if cpu_ticks(pid) >= 10]


def has_gone(pid):
    return not os.path.exists(f"/proc/{pid}")


def finish(process, pids, what):
    """Returns (exit code, standard output, standard error)."""
    try:
        out, err = process.communicate(timeout=WAIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        check(False, f"{what}: did not end")
    for pid in pids or ():
        wait_until(lambda pid=pid: has_gone(pid), f"{what}: the end of child {pid}")
    return process.returncode, out.decode(), err.decode()


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as stream:
        text = stream.read()
    rows = list(csv.reader(text.splitlines(), strict=True))
    check(text.endswith("\n") and all(len(row) == len(rows[0]) for row in rows),
          f"{path}: not whole")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def check_files(folder, reason, what):
    check(sorted(os.listdir(folder)) == sorted(FILES), f"{what}: {os.listdir(folder)}")
    dump, summary, path = (os.path.join(folder, name) for name in FILES)
    readings = [row for row in rows_of(dump) if row["status"] == "ok"]
    check(len(readings) > 0, f"{what}: nothing kept")
    check(any(row["status"] == "partial" and row["median"] for row in rows_of(summary)),
          f"{what}: no summary is partial")
    with open(path, encoding="utf-8") as stream:
        document = json.load(stream)
    check(document["partial"] is True, f"{what}: not marked partial")
    check(reason in document["partial_reason"], f"{what}: {document['partial_reason']}")
    states = {row["state"] for row in document["results"] if row["role"] == "variant"}
    check(states == {"partial"}, f"{what}: rows are {states}")


def check_kept(arguments, number, reason, what):
    with tempfile.TemporaryDirectory() as folder:
        process = start(folder, arguments)
        pids = wait_until(lambda: busy_child(process.pid), f"{what}: a child") \
            if number else None
        if number:
            process.send_signal(number)
        code, out, err = finish(process, pids, what)
        check(code == 3, f"{what}: exit code {code}")
        check(err == f"retstack: {reason}; what was measured until then is kept\n",
              f"{what}: {err!r}")
        check("partial" in out, f"{what}: the table does not say partial: {out}")
        check_files(folder, reason, what)


def check_second_signal():
    """A long repetition is not waited for when asked twice."""
    what = "SIGINT twice"
    with tempfile.TemporaryDirectory() as folder:
        process = start(folder, LONG_REPETITION)
        pids = wait_until(lambda: busy_child(process.pid), f"{what}: a child")
        process.send_signal(signal.SIGINT)
        # The first has been taken once it is no longer pending.
        wait_until(lambda: not is_pending(process.pid, signal.SIGINT), f"{what}: the first")
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        code, _, err = finish(process, pids, what)
        print(f"{what}: ended after {time.monotonic() - begun:.3f} s")
        check(code == 3, f"{what}: exit code {code}")
        check(err.count("\n") == 1 and "interrupted by SIGINT" in err, f"{what}: {err!r}")
        check(sorted(os.listdir(folder)) == sorted(FILES), f"{what}: {os.listdir(folder)}")
        for name in FILES[:2]:
            rows_of(os.path.join(folder, name))
        with open(os.path.join(folder, "json"), encoding="utf-8") as stream:
            check(json.load(stream)["partial"] is True, f"{what}: not marked partial")


def is_pending(pid, number):
    with open(f"/proc/{pid}/status", encoding="utf-8") as stream:
        masks = [int(line.split()[1], 16) for line in stream
                 if line.startswith(("SigPnd", "ShdPnd"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


def check_killed():
    """The program itself is killed: its child must not go on, files stay away."""
    what = "SIGKILL"
    with tempfile.TemporaryDirectory() as folder:
        process = start(folder, LONG_REPETITION)
        pids = wait_until(lambda: busy_child(process.pid), f"{what}: a child")
        process.kill()
        code, _, _ = finish(process, pids, what)
        check(code == -signal.SIGKILL, f"{what}: exit code {code}")
        named = [name for name in os.listdir(folder) if name in FILES]
        check(named == [], f"{what}: half-written {named}")


def main():
    if not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"):
        print("skip: this kernel does not list the children of a process")
        sys.exit(77)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        check_kept(LONG_RUN, number, f"interrupted by {number.name}", number.name)
    check_kept([*LONG_RUN, "--max-time", "0.3"], None, "--max-time 0.3 s is over",
               "--max-time")
    check_second_signal()
    check_killed()
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
