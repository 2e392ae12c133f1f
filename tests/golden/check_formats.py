#!/usr/bin/env python3
"""Reads the machine formats as others would: csv, json, jsonschema.

usage: check_formats.py GOLDEN_DUMP SCHEMA_FOLDER
"""

import copy
import csv
import io
import json
import math
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skip: python3-jsonschema is not installed")
    sys.exit(77)

DUMP, SCHEMAS = sys.argv[1:3]

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


def output(form, kind):
    done = subprocess.run([DUMP, form, kind], capture_output=True, check=True)
    return done.stdout.decode("utf-8")  # strict: the file must be UTF-8


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def is_rectangular(rows):
    return len(rows) > 0 and all(len(row) == len(rows[0]) for row in rows)


def check_csv():
    for form, kind, header in [
        ("csv", "results", DUMP_HEADER),
        ("csv", "plain", DUMP_HEADER),
        ("csv", "sheet", "name,config,size,what,opens"),
        ("csv", "empty-sheet", "name,config,size,what,opens"),
        ("csv", "checkup", "name,state,value,cause,remedy"),
        ("summary-csv", "results", SUMMARY_HEADER),
        ("summary-csv", "plain", SUMMARY_HEADER),
    ]:
        text = output(form, kind)
        rows = rows_of(text)
        check(text.endswith("\n") and "\r" not in text, f"{form} {kind}: line ends")
        check(is_rectangular(rows), f"{form} {kind}: ragged")
        check(",".join(rows[0]) == header, f"{form} {kind}: header")
    check(not is_rectangular(rows_of("a,b\n1,2,3\n")), "must fail: ragged csv")
    check(not is_rectangular(rows_of("a,b\n1\n")), "must fail: short csv")


def records(form, kind):
    return list(csv.DictReader(io.StringIO(output(form, kind), newline="")))


def check_dump_values():
    """A value stands where the status lets it, and nowhere else."""
    seen = set()
    for record in records("csv", "results"):
        status = record["status"]
        seen.add(status)
        has_value = status == "ok" or status.startswith("rejected:")
        check((record["value"] != "") == has_value, f"dump: value of {record}")
        check(record["value"] == "" or record["value"].isdigit(), f"dump: {record}")
        check(record["event"] != "" or record["value"] == "", f"dump: {record}")
    wanted = {
        "ok", "not-supported", "not-permitted", "not-counted", "multiplexed",
        "failed", "untrusted", "rejected:context-switch", "rejected:page-fault",
        'rejected:odd, "word"', "absent", "broken", "crashed", "error",
    }
    check(seen == wanted, f"dump: statuses {sorted(seen ^ wanted)}")
    events = {record["event"] for record in records("csv", "results")}
    check('r1a8,"q"\nline\x1b[31m\ufffd' in events, "dump: hostile event name")


def check_summary_values():
    document = json.loads(output("json", "results"))
    medians = {}
    for row in document["results"]:
        for summary in row["summaries"]:
            key = row["workload"], row["variant"], row["depth"], summary["metric"]
            medians[key] = summary["median"]
    n_compared = 0
    for record in records("summary-csv", "results"):
        if not record["metric"]:
            check(record["status"] != "ok", f"summary: {record}")
            continue
        key = (record["workload"], record["variant"], int(record["depth"]),
               record["metric"])
        median = float(record["median"]) if record["median"] else None
        check(medians[key] == median, f"summary: {key} {medians[key]} {median}")
        check(median is None or math.isfinite(median), f"summary: {record}")
        is_shown = record["status"] in ("ok", "partial")
        check((median is not None) == is_shown, f"summary: {record}")
        n_compared += 1
    check(n_compared == len(medians), "summary: as many rows as in the JSON")


def path_set(document, path, value):
    """A copy in which path has value; DROP removes it."""
    changed = copy.deepcopy(document)
    at = changed
    for key in path[:-1]:
        at = at[key]
    if value is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed


DROP = object()
SUMMARY = ("results", 0, "summaries", 0)
READING = ("results", 0, "repetitions", 0, "readings", 0)

MUST_FAIL = [
    (("schema",), 2),
    (("schema",), DROP),
    (("partial",), None),
    (("extra",), 1),
    (("host", "kernel"), 6),
    (("host_notes", "governor"), None),
    (("settings", "calls"), -1),
    (("settings", "seed"), "12"),
    (("settings", "seed"), 1.5),
    (("settings", "cpu"), DROP),
    (("events", 0, "status"), "fine"),
    (("results",), {}),
    (("results", 0, "state"), "okay"),
    (("results", 0, "role"), None),
    (("results", 0, "depth"), -1),
    (("results", 0, "effect"), "weird"),
    (SUMMARY + ("median",), "2.91"),
    (SUMMARY + ("median",), DROP),
    (SUMMARY + ("verdict",), "great"),
    (SUMMARY + ("status",), "multiplexed"),
    (READING + ("value",), None),
    (READING + ("value",), -1),
    (READING + ("status",), "multiplexed"),
    (READING + ("status",), DROP),
]


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def check_json():
    validators = {}
    for name in ("results", "sheet", "checkup"):
        with open(f"{SCHEMAS}/{name}.schema.json", encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[name] = jsonschema.Draft202012Validator(schema)
    for kind, name in [("results", "results"), ("plain", "results"),
                       ("sheet", "sheet"), ("empty-sheet", "sheet"),
                       ("checkup", "checkup")]:
        document = json.loads(output("json", kind), parse_constant=refuse_constant)
        check(next(iter(document)) == "schema", f"json {kind}: schema is not first")
        for error in validators[name].iter_errors(document):
            check(False, f"json {kind}: {error.json_path}: {error.message}")
    document = json.loads(output("json", "results"))
    for path, value in MUST_FAIL:
        changed = path_set(document, path, value)
        check(not validators["results"].is_valid(changed), f"must fail: {path}")
    check(not validators["checkup"].is_valid(document), "must fail: other kind")
    readings = document["results"][0]["repetitions"][0]["readings"]
    check(readings[0]["value"] == str(2**63), "json: 2^63 is a string of digits")
    check(readings[1]["value"] == 2**63 - 1, "json: 2^63 - 1 is a number")
    check(len(readings) == len(document["events"]), "json: a reading per event")


check_csv()
check_dump_values()
check_summary_values()
check_json()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
