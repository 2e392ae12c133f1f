"""Reads what was built: check_symbols.py ROOT READELF PROGRAM LIBRARY...

Symbols with linkage start with rs_, writable state is what the table allows, no stack
is executable, and the program has no text relocations.
"""

import re
import subprocess
import sys

import tree

PREFIX = r"rs_\w+"

# Writable data, by object file and symbol, and why it must be.
STATE = {
    ("err.c.o", "unknown"): "text of rs_err_name, per thread",
    ("hostfs.c.o", "root"): "where /proc and /sys are; tests point it elsewhere",
    ("pmu.c.o", "roots"): "where /proc and /sys are; tests point it elsewhere",
    ("perf.c.o", "backend"): "the one real back end of a process",
    ("pfm.c.o", "state"): "whether libpfm4, which is one per process, is set up",
    ("pfm.c.o", "text"): "libpfm4's version, formatted once",
    ("measure.c.o", "progress_of_handler"): "a signal handler has no argument of ours",
    ("measure.c.o", "progress_of_handler"): "a signal handler has no argument of ours",
    ("trial.c.o", "trial_of_handler"): "a signal handler has no argument of ours",
    ("vdsotest_bench.c.o", "is_over"): "written by a signal handler",
    ("stopper.c.o", "first_signal"): "written by signal handlers",
    ("stopper.c.o", "n_caught"): "written by signal handlers",
    ("stopper.c.o", "limit_s"): "signals, and so what stops a run, are per process",
    ("stopper.c.o", "begin_ns"): "signals, and so what stops a run, are per process",
    ("stopper.c.o", "previous"): "signals, and so what stops a run, are per process",
    ("stopper.c.o", "reason"): "signals, and so what stops a run, are per process",
}
# Constant once relocated, or not data of ours.
CONSTANT_SECTIONS = r"\.data\.rel\.ro.*|\.rodata.*|\.text.*|\.init_array|\.note.*"


def readelf(tool, flag, path):
    return subprocess.run([tool, "-W", flag, path], text=True, check=True,
                          capture_output=True).stdout


def by_object(text):
    """Splits readelf's output on an archive into (object name, text)."""
    parts = re.split(r"^File: .*?([^/()]+)\)?$", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2])) or [(None, text)]


def sections_of(text):
    """{index: (name, flags)} from readelf -S."""
    row = r"^\s*\[\s*(\d+)\] (\S+)\s+\S+\s+\S+ \S+ \S+ \S+\s+([A-Zxop]*)\s"
    return {number: (name, flags) for number, name, flags in re.findall(row, text, re.M)}


def symbols_of(text):
    """(type, binding, section, name) from readelf -s, defined ones only."""
    row = r"^\s*\d+: [0-9a-f]+\s+\S+ (\w+)\s+(\w+)\s+\w+\s+(\d+|COM) (\S+)"
    return re.findall(row, text, re.M)


def check_object(files, where, name, sections, symbols):
    if "x" in dict(sections.values()).get(".note.GNU-stack", "x").lower():
        files.complain(where, 0, f"{name}: executable stack, or no note about it")
    for kind, binding, section, symbol in symbols:
        if binding in ("GLOBAL", "WEAK") and not re.fullmatch(PREFIX, symbol):
            if symbol != "main":
                files.complain(where, 0, f"{name}: '{symbol}' does not start with rs_")
        if kind in ("OBJECT", "TLS"):
            place, flags = sections.get(section, ("COMMON", "W"))
            stem = re.sub(r"\.\d+$", "", symbol)
            if "W" in flags and not re.fullmatch(CONSTANT_SECTIONS, place) \
                    and (name, stem) not in STATE:
                files.complain(where, 0, f"{name}: writable state '{stem}' in {place}")


def check_archive(files, tool, path):
    where = re.sub(r".*/", "", path)
    sections = by_object(readelf(tool, "-S", path))
    symbols = by_object(readelf(tool, "-s", path))
    if not any(symbols_of(text) for _, text in symbols):
        files.complain(where, 0, "no symbols found in it")
    for (name, section_text), (_, symbol_text) in zip(sections, symbols):
        check_object(files, where, name or where, sections_of(section_text),
                     symbols_of(symbol_text))


def check_program(files, tool, path):
    segments = readelf(tool, "-l", path)
    if not re.search(r"GNU_STACK(\s+0x\w+)+ RW\s", segments):
        files.complain("retstack", 0, "its stack is executable, or not described")
    if "TEXTREL" in readelf(tool, "-d", path):
        files.complain("retstack", 0, "has text relocations")


def main():
    files = tree.Tree(sys.argv[1])
    tool, program, libraries = sys.argv[2], sys.argv[3], sys.argv[4:]
    if program != "-":
        check_program(files, tool, program)
    for path in libraries:
        check_archive(files, tool, path)
    files.exit()


main()
