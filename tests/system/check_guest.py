"""Checks what guest.sh brought out of a machine: check_guest.py ARCH FOLDER.

Then spoils it in many ways, each of which a check has to notice.
"""

import csv
import io
import json
import os
import re
import statistics
import sys

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
ARCH, FOLDER = sys.argv[1:3]
# A virtual nanosecond is one instruction, and QEMU's cycles are virtual nanoseconds.
ARCHES = {
    "ppc64el": {
        "machine": "ppc64le", "version": "LINUX_2.6.15", "band": 0.005,
        "clock": "mftb", "absent": {"getrandom"}, "pmu": "power9",
        # QEMU 7.2 forgets the instructions before a branch to a register.
        "forgets": True, "blind": "untrusted", "opens": "yes",
    },
    "arm64": {
        "machine": "aarch64", "version": "LINUX_2.6.39", "band": 0,
        "clock": "cntvct_el0", "absent": {"time", "getcpu", "getrandom"},
        "pmu": "armv8_pmuv3",
        "forgets": False, "blind": "not-supported", "opens": "not-supported",
    },
}
FACTS = ARCHES[ARCH]
BRANCHES = ("branches", "branch-misses", "return-misses")
IN_VDSO = ("gettimeofday", "clock_gettime", "clock_getres", "time", "getcpu")
RUNS = ["forms-few", "forms-many", "calls-few", "calls-many", "default"]
if FACTS["forgets"]:
    RUNS += ["reads-few", "reads-many", "lstack"]
# Per call, of 1000. Reading the clock takes a few instructions more when a second has
# gone by; an instruction too many in each call would be 1.
NOISE = 0.05
LSTACK = ("PM_BR_MPRED_LSTACK", "0x48ac")
with open(f"{HERE}/../../report/schema/results.schema.json", encoding="utf-8") as stream:
    SCHEMA = json.load(stream)


def table(files, name):
    return list(csv.DictReader(io.StringIO(files[name])))


def load(folder):
    files = {}
    for name in os.listdir(folder):
        with open(f"{folder}/{name}", encoding="utf-8") as stream:
            files[name] = stream.read()
    return files


def closed_form(text, frames):
    """"4+8k", "k", "7": base + per_frame * frames."""
    base, _, frame = text.rpartition("+") if "k" in text else (text, "", "0k")
    return int(base or 0) + int(frame[:-1] or 1) * frames


def check_statuses(files):
    for name, text in files.items():
        if name.endswith(".status") and text != "0\n":
            yield f"{name} is {text!r}: {files[name[:-7] + '.err']}"
    if FACTS["machine"] not in files["uname.out"] or "Debian" not in files["uname.out"]:
        yield f"another system: {files['uname.out']}"
    if not files["check.out"].endswith("all kernels are right\n"):
        yield f"rs-kernels check: {files['check.out']}"


def check_doctor(files):
    checks = {row["name"]: row for row in json.loads(files["doctor.out"])["checks"]}
    wanted = {"pinning": "good", "pmu": "good", "cycles": "good", "instructions": "good",
              "tick-clock": "good", "vdso": "good", **{name: "bad" for name in BRANCHES}}
    for name, state in wanted.items():
        if checks[name]["state"] != state:
            yield f"doctor: {checks[name]}"
    if FACTS["pmu"] not in checks["pmu"]["value"]:
        yield f"doctor: {checks['pmu']}"
    if FACTS["clock"] not in checks["tick-clock"]["value"]:
        yield f"doctor: {checks['tick-clock']}"
    if not checks["branches"]["value"].startswith(FACTS["blind"]):
        yield f"doctor: {checks['branches']}"


def check_events(files):
    rows = {row["event"]: row for row in json.loads(files["events.out"])["rows"]}
    for name in "ns", "ticks", "cycles", "instructions":
        if rows[name]["opens"] != "yes":
            yield f"events: {rows[name]}"
    for name in BRANCHES:
        if rows[name]["opens"] != FACTS["opens"]:
            yield f"events: {rows[name]}"
    for name in ("return-misses", "link-stack-misses") if FACTS["forgets"] else ():
        row = rows[name]
        if not row["chosen"].endswith(LSTACK[0]) or row["config"] != LSTACK[1]:
            yield f"events: {row}"


def check_vdso(files):
    rows = json.loads(files["vdso.out"])["rows"]
    for row in rows:
        if row["verdict"] == "absent":
            if row["function"] not in FACTS["absent"]:
                yield f"vdso: {row}"
        elif row["symbol"] != f"__kernel_{row['function']}" \
                or row["version"] != FACTS["version"]:
            yield f"vdso: {row}"
        elif row["verdict"] == "error" and "and the system call answer EINVAL" \
                not in row["reason"]:
            yield f"vdso: {row}"
    inside = {row["function"] for row in rows if row["verdict"] == "in-vdso"}
    if inside != set(IN_VDSO) - FACTS["absent"]:
        yield f"vdso: {inside} stay in user mode"
    if any(row["verdict"] in ("broken", "crashed") for row in rows):
        yield "vdso: a function is broken"
    # powerpc tells an error by CR0.SO: a clock without an alarm device shows it.
    if FACTS["forgets"] and not any(row["verdict"] == "error" for row in rows):
        yield "vdso: no clock id was an error"


def check_verify(files):
    lines = files["verify.out"].splitlines()
    results = [line for line in lines if re.match(r"(not )?ok ", line)]
    if f"1..{len(results)}" not in lines or len(results) < 50:
        yield f"verify: {len(results)} results"
    for line in results:
        if line.startswith("not ok"):
            yield f"verify: {line}"
    for what in "clock_gettime:realtime clock ids", "clock_gettime:realtime pointers", \
            "clock_gettime:monotonic order", "gettimeofday order":
        if not any(line.endswith(" - " + what) for line in results):
            yield f"verify: nothing about {what}"


def check_json(files):
    for name in RUNS:
        document = json.loads(files[f"{name}.json"])
        try:
            jsonschema.validate(document, SCHEMA)
        except jsonschema.ValidationError as error:
            yield f"{name}.json: {error.message}"
            continue
        if document["partial"] or document["host"]["kernel_release"] not in \
                files["uname.out"]:
            yield f"{name}.json: partial, or of another host"
        csv_rows = {(row["workload"], row["variant"], row["depth"])
                    for row in table(files, f"{name}.csv")}
        json_rows = {(row["workload"], row["variant"], str(row["depth"]))
                     for row in document["results"]}
        if csv_rows != json_rows:
            yield f"{name}: CSV and JSON have other rows: {csv_rows ^ json_rows}"


def check_values(files):
    """A value where, and only where, something was counted."""
    for name in RUNS:
        for row in table(files, f"{name}.csv"):
            counted = row["status"] == "ok" or row["status"].startswith("rejected:")
            if counted != bool(row["value"]) and row["status"] != "absent":
                yield f"{name}.csv: {row}"
        for row in table(files, f"{name}.summary.csv"):
            if (row["status"] == "ok") != bool(row["median"]):
                yield f"{name}.summary.csv: {row}"


def check_branches(files):
    """Counters of branches that count nothing are no zeros."""
    events = {event["name"]: event
              for event in json.loads(files["default.json"])["events"]}
    for name in BRANCHES:
        if events[name]["status"] != FACTS["blind"] or not events[name]["reason"]:
            yield f"default.json: {events[name]}"
    for row in table(files, "default.csv"):
        if row["event"] in BRANCHES and (row["value"] or row["status"] != FACTS["blind"]):
            yield f"default.csv: {row}"
    for row in table(files, "lstack.csv") if FACTS["forgets"] else ():
        if row["event"] == LSTACK[0] and (row["config"], row["status"], row["value"]) != (
                LSTACK[1], "untrusted", ""):
            yield f"lstack.csv: {row}"


def medians(files, name, event):
    """{(workload, variant, depth): median of the readings that count}."""
    readings = {}
    for row in table(files, name):
        if row["event"] == event and row["status"] == "ok":
            key = row["workload"], row["variant"], int(row["depth"])
            readings.setdefault(key, []).append(int(row["value"]))
    return {key: statistics.median(values) for key, values in readings.items()}


def per_call(files, name, event):
    few = medians(files, f"{name}-few.csv", event)
    many = medians(files, f"{name}-many.csv", event)
    return {key: (many[key] - few[key]) / 1000 for key in few if key in many}


def expected_rows(files, workloads):
    """(workload, variant, depth, instructions) of all that can run here."""
    for row in table(files, "kernels.out"):
        if row["workload"] not in workloads or row["absent"]:
            continue
        for depth in range(1, 9) if row["frames"] == "1-8" else (0,):
            yield (row["workload"], row["variant"], depth,
                   closed_form(row["instructions"], depth))


def compare(files, name, event, workloads, band):
    """Calls per iteration against the closed form, band as a fraction of it."""
    counts = per_call(files, name, event)
    rows = list(expected_rows(files, workloads))
    for *key, wanted in rows:
        found = counts.get(tuple(key))
        if found is None or abs(found - wanted) > NOISE + band * wanted:
            yield f"{name}: {key}: {found} {event} a call, not {wanted}"
    if len(rows) < 3:
        yield f"{name}: {len(rows)} rows are expected"


def check_counts(files):
    band = FACTS["band"]
    # Cycles of this machine are instructions, by another way through the emulator.
    yield from compare(files, "forms", "cycles", ("getpc", "datapage"), 0.005)
    if FACTS["forgets"]:  # all that has no branch to a register is counted right
        yield from compare(files, "reads", "cycles", ("clockread",), band)
        yield from compare(files, "reads", "instructions", ("clockread",), band)
    wrong = list(compare(files, "forms", "instructions", ("getpc", "datapage"), band))
    events = {event["name"]: event
              for event in json.loads(files["forms-many.json"])["events"]}
    told = events["instructions"]["status"] == "untrusted" and events["instructions"][
        "reason"]
    if wrong and not (FACTS["forgets"] and told):
        yield from wrong


def check_calls(files):
    """Of the vDSO's functions only what lies around them is known beforehand."""
    cycles = per_call(files, "calls", "cycles")
    bounds = {(workload, variant): closed_form(text, 3)
              for workload, variant, text in (
                  (row["workload"], row["variant"], row["instructions"])
                  for row in table(files, "kernels.out"))}
    for function in set(IN_VDSO) - FACTS["absent"]:
        workload = f"vdso.{function}"
        costs = {key[1]: value for key, value in cycles.items() if key[0] == workload}
        base = min(costs[variant] - bounds[workload, variant]
                   for variant in costs if variant in ("vdso", "libc"))
        if not base > 0:
            yield f"{workload}: {costs}"
            continue
        # POWER9's guest cannot leave the kernel's part out.
        around = bounds[workload, "syscall"]
        if costs["syscall"] < 2 * costs["vdso"] if FACTS["forgets"] \
                else abs(costs["syscall"] - around) > NOISE:
            yield f"{workload}: {costs}, {around} around a system call"
        inside = costs["vdso"] - bounds[workload, "vdso"]
        for variant in (name for name in costs if name.startswith("vdso@")):
            if abs(costs[variant] - bounds[workload, variant] - inside) > 2:
                yield f"{workload} {variant}: {costs[variant]} with {inside} inside"


CHECKS = (check_statuses, check_doctor, check_events, check_vdso, check_verify, check_json,
          check_values, check_branches, check_counts, check_calls)


def complaints(files):
    """What is wrong, by the check that says so."""
    found = {}
    for check in CHECKS:
        try:
            found[check.__name__] = list(check(files))
        except (KeyError, ValueError, IndexError, TypeError) as error:
            found[check.__name__] = [f"cannot be read: {error!r}"]
    return {name: texts for name, texts in found.items() if texts}


def more(text, event, variant, by):
    """The same dump, where each reading of one event and variant counts more."""
    rows = list(csv.reader(io.StringIO(text)))
    for row in rows:
        if row[9] == event and row[3] == variant and row[12]:
            row[12] = str(int(row[12]) + by)
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def spoiled(files):
    """(check that must complain, file, its new text)."""
    base = table(files, "kernels.out")[0]["variant"]
    blind = FACTS["blind"]
    yield "check_statuses", "verify.status", "1\n"
    yield "check_statuses", "check.out", "getpc: wrong\n"
    yield "check_doctor", "doctor.out", files["doctor.out"].replace(blind, "counted")
    yield "check_events", "events.out", files["events.out"].replace(FACTS["opens"], "no")
    for old, new in (("__kernel_gettimeofday", "__vdso_gettimeofday"),
                     (FACTS["version"], "LINUX_2.6"), ("in-vdso", "via-syscall")):
        yield "check_vdso", "vdso.out", files["vdso.out"].replace(old, new)
    yield "check_verify", "verify.out", files["verify.out"].replace("\nok", "\nnot ok", 1)
    yield "check_verify", "verify.out", files["verify.out"].replace("clock ids", "ids")
    yield "check_json", "default.json", files["default.json"].replace('"role"', '"rule"')
    yield "check_json", "default.csv", files["default.csv"].replace("thunk", "thank")
    yield ("check_values", "default.csv",
           re.sub(f",,[0-9]*,[0-9]*,{blind}(?=,)", f",0,1,1,{blind}", files["default.csv"],
                  count=1))
    yield ("check_branches", "default.csv",
           re.sub(f",,[0-9]*,[0-9]*,{blind}(?=,)", ",0,1,1,ok", files["default.csv"]))
    yield "check_branches", "default.json", files["default.json"].replace(blind, "ok")
    yield "check_counts", "forms-many.csv", more(files["forms-many.csv"], "cycles", base,
                                                 1000)
    yield "check_counts", "forms-many.csv", files["forms-many.csv"].replace(
        "datapage", "datapages")
    yield "check_calls", "calls-many.csv", more(files["calls-many.csv"], "cycles",
                                                f"vdso@{base}", 5000)
    yield "check_calls", "calls-many.csv", more(files["calls-many.csv"], "cycles",
                                                "vdso", 1000000)
    if FACTS["forgets"]:
        yield "check_counts", "reads-many.csv", more(files["reads-many.csv"],
                                                     "instructions", "mftb", 100)
        yield "check_events", "events.out", files["events.out"].replace(LSTACK[1], "0x1")
        yield "check_vdso", "vdso.out", files["vdso.out"].replace(
            "the system call answer EINVAL", "the system call answer EFAULT")
        yield "check_branches", "lstack.csv", files["lstack.csv"].replace("untrusted",
                                                                          "ok")
        yield "check_counts", "forms-many.json", files["forms-many.json"].replace(
            "untrusted", "ok")
    else:
        yield "check_counts", "forms-many.csv", more(files["forms-many.csv"],
                                                     "instructions", base, 100)


def main():
    files = load(FOLDER)
    found = complaints(files)
    for name, texts in found.items():
        print("\n".join(f"{name}: {text}" for text in texts))
    n_spoiled = 0
    for check, name, text in spoiled(files):
        n_spoiled += 1
        if text == files[name] or check not in complaints({**files, name: text}):
            print(f"{check} does not notice a spoiled {name} (number {n_spoiled})")
            found[check] = []
    print(f"{ARCH}: {len(CHECKS)} checks, {n_spoiled} spoiled results, {len(found)} "
          f"that fail; up {files['uptime.out'].split()[0]} s of virtual time")
    sys.exit(1 if found else 0)


main()
