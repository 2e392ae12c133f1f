"""Holds the audit to assembled code, as an object, linked, stripped, archived, raw.

    check_objects.py PROGRAM SOURCE.S ISA FOLDER COMPILER [OPTION...]

What must be reported of the code stands in it, as labels (cases.inc); each form of it
must give just that. FOLDER is made and keeps what was built. Exits 77 without the
compiler.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

# What the code refers to and the link must find.
OUTSIDE = ["elsewhere", "never_returns", "__tls_get_addr", "___tls_get_addr",
           "__tls_get_offset"]
BOTTOM = ["-nostdlib", "-Wl,--build-id=none", "-Wl,-z,notext", "-Wl,--no-warn-mismatch"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def nearest(item, want, lead):
    address, kind = item
    later = [at for at, what in want if what == kind and 0 <= at - address <= lead]
    return (later[0], kind) if later and kind == "signal-trampoline" else item


class Audit:
    """Rows as {(address, kind)}; what goes wrong is kept until the end."""

    def __init__(self, program):
        self.program = program
        self.complaints = []

    def check(self, form, want, path, within, names=None, lead=0):
        """Wanted is what is said of addresses within. Trampolines may be lead bytes
        early."""
        command = [self.program, "audit", "-f", "csv", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        told = [row for row in rows if row["grade"] in ("finding", "note") and
                int(row["address"], 16) in within]
        got = {(int(row["address"], 16), row["kind"]) for row in told}
        self.compare(form, want, {nearest(item, want, lead) for item in got})
        self.expect(form, done.stderr == "", f"said '{done.stderr.strip()}'")
        n_findings = sum(row["grade"] == "finding" for row in rows)
        self.expect(form, done.returncode == (1 if n_findings else 0),
                    f"exit status {done.returncode} with {n_findings} findings")
        self.expect(form, [row for row in rows if row["grade"] == "coverage"],
                    "no coverage")
        for row in told:
            self.expect(form, bool(row["replacement"]) == (row["grade"] == "finding"),
                        f"replacement '{row['replacement']}' of a {row['grade']}")
            name = row["place"].partition("+")[0]
            self.expect(form, not names or name in names, f"place {row['place']}")
        return rows

    def compare(self, form, want, got):
        for address, kind in sorted(want - got):
            self.complaints.append(f"{form}: no {kind} at {address:#x}")
        for address, kind in sorted(got - want):
            self.complaints.append(f"{form}: {kind} at {address:#x} is not wanted")

    def expect(self, form, is_true, why):
        if not is_true:
            self.complaints.append(f"{form}: {why}")

    def exit(self, n_wanted):
        for line in self.complaints:
            print(line)
        print(f"{n_wanted} findings and notes are wanted in each form")
        sys.exit(1 if self.complaints or not n_wanted else 0)


def wanted(nm, path):
    """({(address, kind)}, names of functions) by the symbols of the code."""
    want, names = set(), set()
    for line in run(nm, path).splitlines():
        found = re.fullmatch(r"([0-9a-f]+) \w (.*)", line)
        if not found:
            continue
        names.add(found[2])
        label = re.match(r"want__(\w+)__\d+$", found[2])
        if label:
            want.add((int(found[1], 16), label[1].replace("_", "-")))
    return want, names


def build(folder, compiler, options, source):
    """Paths by form; what each is made of comes first."""
    paths = {form: os.path.join(folder, form) for form in
             ("object", "outside", "shared", "program", "archive", "code")}
    outside = os.path.join(folder, "outside.S")
    with open(outside, "w", encoding="utf-8") as stream:
        for name in OUTSIDE:
            stream.write(f".globl {name}\n{name}:\n")
        stream.write('.quad 0\n.section .note.GNU-stack,"",%progbits\n')
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    compile_ = [compiler, "-I", root, *options]
    run(*compile_, "-fPIC", "-c", source, "-o", paths["object"])
    run(*compile_, "-c", outside, "-o", paths["outside"])
    run(*compile_, *BOTTOM, "-shared", paths["object"], "-o", paths["shared"])
    run(*compile_, *BOTTOM, "-static", "-no-pie", "-Wl,-e,elsewhere",
        "-Wl,--no-tls-optimize" if "powerpc" in compiler else "-Wl,--no-gc-sections",
        paths["object"], paths["outside"], "-o", paths["program"])
    return paths


def text_of(readelf, path):
    """The addresses of .text."""
    for line in run(readelf, "-SW", path).splitlines():
        found = re.search(r" \.text +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", line)
        if found:
            return range(int(found[1], 16), int(found[1], 16) + int(found[2], 16))
    raise ValueError(f"{path} has no .text")


def check_linked(audit, tools, paths, isa):
    for form in ("object", "shared", "program"):
        path = paths[form]
        want, names = wanted(tools + "nm", path)
        # Linkers put code of their own before and behind it.
        text = range(min(want)[0], max(want)[0] + 1) if form != "object" else \
            text_of(tools + "readelf", path)
        rows = audit.check(form, want, path, text, names)
        audit.expect(form, rows[-1]["isa"] == isa, f"ISA {rows[-1]['isa']}")
        if form == "object":
            continue
        shutil.copy(path, path + ".stripped")
        run(tools + "strip", path + ".stripped")
        # Without its symbol it is open where in its frame a trampoline begins.
        audit.check(form + ", stripped", want, path + ".stripped", text,
                    lead=8 if form == "program" else 0)


def check_archive(audit, tools, paths):
    run(tools + "ar", "rc", paths["archive"], paths["object"], paths["outside"])
    want, names = wanted(tools + "nm", paths["object"])
    text = text_of(tools + "readelf", paths["object"])
    rows = audit.check("archive", want, paths["archive"], text, names)
    images = {row["image"] for row in rows}
    members = {f"{paths['archive']}({name})" for name in ("object", "outside")}
    audit.expect("archive", images == members, f"members {images}")


def check_raw(audit, tools, paths, isa):
    """Without symbols less is seen, but every call that reads the PC is."""
    want, _ = wanted(tools + "nm", paths["program"])
    text = text_of(tools + "readelf", paths["program"])
    run(tools + "objcopy", "-O", "binary", "-j", ".text", paths["program"],
        paths["code"])
    done = subprocess.run([audit.program, "audit", "-f", "json", "--raw", "--isa", isa,
                           "--base", hex(text.start), paths["code"]],
                          capture_output=True, text=True, check=False)
    rows = json.loads(done.stdout)["rows"]
    got = {(int(row["address"], 16), row["kind"]) for row in rows
           if row["grade"] in ("finding", "note")}
    pushes = {item for item in want if item[1] == "push-without-pop"}
    audit.expect("raw", done.returncode == 1, f"exit status {done.returncode}")
    audit.expect("raw", pushes <= got, f"lacks {pushes - got}")
    audit.expect("raw", got <= want, f"has {got - want}")
    audit.expect("raw", rows[-1]["function_bytes"] == len(text),
                 f"coverage of {rows[-1]['function_bytes']} bytes")


def main():
    program, source, isa, folder, compiler, *options = sys.argv[1:]
    if not shutil.which(compiler):
        print(f"skip: {compiler} is missing")
        sys.exit(77)
    tools = compiler[:-len("gcc")]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    paths = build(folder, compiler, options, source)
    audit = Audit(program)
    check_linked(audit, tools, paths, isa)
    check_archive(audit, tools, paths)
    check_raw(audit, tools, paths, isa)
    audit.exit(len(wanted(tools + "nm", paths["object"])[0]))


if __name__ == "__main__":
    main()
