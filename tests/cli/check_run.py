#!/usr/bin/env python3
"""Runs workloads for real and reads the files as others would.

usage: check_run.py PROGRAM SCHEMA_FILE

The medians of the summary are computed again from the dump: gross is value / calls of
the readings with status ok, net is that minus the empty loop of the same workload,
block and placement. What is computed must notice a dump that was changed.
"""

import csv
import io
import json
import os
import pty
import statistics
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skip: python3-jsonschema is not installed")
    sys.exit(77)

PROGRAM, SCHEMA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ARGUMENTS = ["--seed", "7", "--calls", "2000", "--repetitions", "5", "--placements", "2"]
SELECTION = ["getpc", "datapage", "clockread/*lfence"]

DUMP_HEADER = (
    "schema,run_id,workload,variant,placement,depth,block,order,calls,event,source,"
    "config,value,time_enabled_ns,time_running_ns,status,block_bytes,clock_reads,"
    "threads"
)
SUMMARY_HEADER = (
    "schema,run_id,workload,variant,depth,metric,unit,median,ci_low,ci_high,min,mad,"
    "kept,rejected,placement_spread,model,baseline,delta_pct,delta_low_pct,"
    "delta_high_pct,verdict,status,preset,model_verdict,block_bytes,clock_reads,"
    "threads"
)

failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAIL", what)


def run(*arguments, code=0):
    done = subprocess.run([PROGRAM, "run", *arguments], capture_output=True, timeout=60,
                          check=False, env={**os.environ, "LC_ALL": "C"})
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}, {done.stderr}")
    check(done.stderr == b"", f"{arguments}: standard error {done.stderr}")
    return done.stdout.decode("utf-8")


def read(path):
    with open(path, encoding="utf-8", newline="") as stream:
        return stream.read()


def table(text, header, what):
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    check(text.split("\n", 1)[0] == header, f"{what}: header")
    for number, row in enumerate(rows, 1):
        check(len(row) == len(rows[0]), f"{what} row {number}: {len(row)} columns")
    check(len(rows) > 1 and text.endswith("\n"), f"{what}: nothing in it")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def per_call(dump):
    """{(workload, variant, depth, event): {(block, placement): value per call}}"""
    found = {}
    for row in dump:
        if row["status"] != "ok":
            continue
        key = row["workload"], row["variant"], row["depth"], row["event"]
        slot = row["block"], row["placement"]
        check(slot not in found.setdefault(key, {}), f"two readings that count: {key} {slot}")
        found[key][slot] = int(row["value"]) / int(row["calls"])
    return found


def values_of(cells, workload, variant, depth, metric):
    """The values that the summary's row of this name is made of."""
    event, dot, _ = metric.partition(".gross")
    values = cells.get((workload, variant, depth, event), {})
    if dot:
        return list(values.values())
    empty = cells.get((workload, "empty", "0", event), {})
    return [value - empty[slot] for slot, value in values.items() if slot in empty]


def disagreements(dump, summary):
    """Returns (rows compared, what differs)."""
    cells = per_call(dump)
    n_compared, found = 0, []
    for row in summary:
        key = row["workload"], row["variant"], row["depth"], row["metric"]
        values = values_of(cells, *key)
        if row["status"] != "ok":
            if values or row["median"]:
                found.append(f"{key}: {row['status']}, but it has values")
            continue
        n_compared += 1
        expected = statistics.median(values) if values else None
        if expected is None or abs(float(row["median"]) - expected) > 1e-9 * abs(expected) + 1e-12:
            found.append(f"{key}: median {row['median']}, computed {expected}")
        if int(row["kept"]) != len(values):
            found.append(f"{key}: kept {row['kept']}, found {len(values)}")
        if values and abs(float(row["min"]) - min(values)) > 1e-9 * abs(min(values)) + 1e-12:
            found.append(f"{key}: min {row['min']}, computed {min(values)}")
    return n_compared, found


def check_medians(dump, summary):
    n_compared, found = disagreements(dump, summary)
    for text in found:
        check(False, text)
    check(n_compared >= 2 * 8, f"only {n_compared} medians could be compared")
    changed = [{**row, "value": str(int(row["value"]) + 1000)} if row["status"] == "ok"
               else row for row in dump]
    check(disagreements(changed, summary)[1], "must fail: another dump")


def check_rejected(dump, summary):
    """A rejected repetition is marked in every reading of it, and counted."""
    rejected = {}
    for row in dump:
        key = row["workload"], row["variant"], row["depth"]
        repetition = row["block"], row["order"], row["placement"]
        if row["status"].startswith("rejected:"):
            rejected.setdefault(key, set()).add(repetition)
    for row in summary:
        key = row["workload"], row["variant"], row["depth"]
        n = len(rejected.get(key, ()))
        check(int(row["rejected"]) == n, f"{key}: rejected {row['rejected']}, found {n}")


def check_model(document, summary):
    """Where there is a number of the model's, its preset is named, and they agree."""
    model = document["model"]["preset"]
    of_row = {(row["workload"], row["variant"], str(row["depth"])): row
              for row in document["results"]}
    for row in summary:
        key = row["workload"], row["variant"], row["depth"]
        check((row["preset"] == model) == bool(row["model"]), f"{key}: {row['preset']}")
        said = of_row.get(key)
        if said and row["model"]:
            check(said["model"] == float(row["model"]), f"{key}: two models")
    told = [row for row in document["results"]
            if row["role"] == "variant" and row["state"] == "ok"]
    check(all((row["model"] is None) == bool(row["model_reason"]) for row in told),
          "a row has neither a model nor a reason, or both")


def check_json(text, dump, summary):
    document = json.loads(text)
    with open(SCHEMA, encoding="utf-8") as stream:
        validator = jsonschema.Draft202012Validator(json.load(stream))
    for error in validator.iter_errors(document):
        check(False, f"json: {error.json_path}: {error.message}")
    check(not validator.is_valid({**document, "schema": "one"}), "must fail: a schema text")
    check(document["partial"] is False, "json: partial")
    check({row["run_id"] for row in dump + summary} == {document["run_id"]}, "run_id differs")
    check_model(document, summary)
    n_readings = sum(len(repetition["readings"]) for row in document["results"]
                     for repetition in row["repetitions"])
    check(n_readings == len(dump), f"json: {n_readings} readings, the dump has {len(dump)}")


def check_switches():
    """Its own switches do not cost a row its repetitions, and are counted a second."""
    text = run("--calls", "100", "--repetitions", "2", "--placements", "1", "-f", "json",
               "ctxsw:*/processes", "ctxsw.returns")
    rows = [row for row in json.loads(text)["results"] if row["role"] == "variant"]
    timed = [row for row in rows if row["state"] == "ok"]
    check(len(timed) >= 3 * 2 + 4, f"only {len(timed)} rows of ctxsw were timed")
    for row in rows:
        what = f"{row['workload']}/{row['variant']}"
        check(row["state"] in ("ok", "absent"), f"{what}: {row['state']}, {row['reason']}")
        # One more switch than its own, on a busy machine, does cost a repetition.
        check(row["state"] == "absent" or
              any(not repetition["rejected"] for repetition in row["repetitions"]),
              f"{what}: each repetition is rejected")
    for row in timed:
        ns = [s["median"] for s in row["summaries"] if s["metric"] == "ns"][0]
        wanted = row["switches"] / ns * 1e9
        check(row["switches"] == 2, f"{row['variant']}: {row['switches']} switches")
        check(abs(row["switches_per_s"] - wanted) < 1e-6 * wanted,
              f"{row['variant']}: {row['switches_per_s']}, not {wanted} switches a second")


def order_of(dump):
    """Repetitions that were made again depend on disturbances, not on the seed."""
    first = {}
    for row in dump:
        slot = (row["workload"], row["variant"], row["depth"], row["block"],
                row["placement"])
        first.setdefault(slot, int(row["order"]))
    ranks = {}
    for slot, order in first.items():
        ranks.setdefault((slot[0], slot[3]), []).append((order, slot))
    return {block: [slot for _, slot in sorted(made)] for block, made in ranks.items()}


def check_order(dump):
    again = table(run(*ARGUMENTS, "--format", "csv", *SELECTION), DUMP_HEADER, "again")
    check(order_of(again) == order_of(dump), "the same seed gives another order")
    other = table(run(*ARGUMENTS, "--seed", "8", "--format", "csv", *SELECTION),
                  DUMP_HEADER, "other seed")
    check(order_of(other) != order_of(dump), "another seed gives the same order")


def check_stdout(folder):
    for option, header in (("--csv", DUMP_HEADER), ("--summary-csv", SUMMARY_HEADER)):
        table(run(*ARGUMENTS, option, "-", "getpc/lea"), header, f"{option} -")
    json.loads(run(*ARGUMENTS, "--json", "-", "getpc/lea"))
    table(run(*ARGUMENTS, "--csv", "/dev/stdout", "getpc/lea"), DUMP_HEADER,
          "--csv /dev/stdout")
    path = os.path.join(folder, "redirected")
    with open(path, "wb") as stream:
        subprocess.run([PROGRAM, "run", *ARGUMENTS, "--csv", path, "getpc/lea"],
                       stdout=stream, check=True, timeout=60)
    table(read(path), DUMP_HEADER, "--csv to the file of standard output")


def check_progress():
    """Progress is for terminals, and gone when the run is over."""
    terminal, theirs = pty.openpty()
    with subprocess.Popen([PROGRAM, "run", "--repetitions", "60", "getpc"],
                          stdout=subprocess.DEVNULL, stderr=theirs) as child:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:  # EIO: the last one who had it open closed it
                break
            if not part:
                break
            written += part
        check(child.wait() == 0, f"on a terminal: exit code {child.returncode}")
    os.close(terminal)
    check(b"repetitions" in written, f"no progress on a terminal: {written!r}")
    check(written.endswith(b"\r\x1b[K"), f"progress is left behind: {written[-40:]!r}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("dump", "summary", "json")]
        text = run(*ARGUMENTS, "--csv", paths[0], "--summary-csv", paths[1], "--json",
                   paths[2], *SELECTION)
        check(text.startswith("getpc  below 3 frames  cpu "), f"table: {text[:60]!r}")
        check(sorted(os.listdir(folder)) == sorted(["dump", "summary", "json"]),
              f"files: {os.listdir(folder)}")
        dump = table(read(paths[0]), DUMP_HEADER, "dump")
        summary = table(read(paths[1]), SUMMARY_HEADER, "summary")
        check_medians(dump, summary)
        check_rejected(dump, summary)
        check_json(read(paths[2]), dump, summary)
        check_order(dump)
        check_stdout(folder)
    check_switches()
    check_progress()
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
