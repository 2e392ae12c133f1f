"""Tries rs-kernels as its users would: check_board.py FOLDER ABSENT [RUNNER...]

FOLDER holds rs-kernels and, in board/, rs-kernels-wrong. ABSENT is a list of variants
of getpc that must be missing on this processor, "-" for none, "any" where the processor
is not known beforehand, or "all" where the instruction set has no kernels. RUNNER runs a
foreign program.
"""

import csv
import io
import re
import subprocess
import sys

FOLDER, ABSENT, RUNNER = sys.argv[1], sys.argv[2], sys.argv[3:]
PROGRAM = [*RUNNER, f"{FOLDER}/rs-kernels"]
LIST_HEADER = ("workload,variant,effect,frames,instructions,branches,pushes,pops,"
               "exempt,absent")
TIME_HEADER = ("schema,run_id,workload,variant,depth,metric,unit,median,ci_low,ci_high,"
               "min,mad,kept,rejected,placement_spread,model,baseline,delta_pct,"
               "delta_low_pct,delta_high_pct,verdict,status,preset,model_verdict,"
               "block_bytes,clock_reads,threads")
COUNT = r"\d+(\+\d*k)?|\d*k"
FAMILIES = {"work+clock": "work"}
METRICS = ["ns", "ns.gross", "ticks", "ticks.gross"]
FEW = ["-n", "20", "-r", "3", "-p", "2", "--seed", "1"]
WORKLOADS = ["getpc", "datapage", "vdso.gettimeofday"]

# Arguments, and what the sentence says.
BAD = (
    ([], "Usage: rs-kernels VERB"),
    (["measure"], "unknown verb 'measure'"),
    (["--list"], "unknown verb '--list'"),
    (["list", "--sideways"], "unrecognized option '--sideways'"),
    (["list", "getpc"], "Too many arguments"),
    (["check", "getpc"], "Too many arguments"),
    (["time", "-n", "0"], "--calls takes a number from 1 to 1000000000, not '0'"),
    (["time", "-n", "-1"], "--calls takes a number from 1 to 1000000000, not '-1'"),
    (["time", "-n"], "option requires an argument"),
    (["time", "-r", "ten"], "--repetitions takes a number from 1 to 100000, not 'ten'"),
    (["time", "-d", "9"], "--depth takes a number from 1 to 8, not '9'"),
    (["time", "-p", "65"], "--placements takes a number from 1 to 64, not '65'"),
    (["time", "-c", "65535"], "65535"),
    (["time", "nothing"], "nothing"),
)

failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAIL", what)


def run(*args, program=None):
    return subprocess.run([*(program or PROGRAM), *args], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def check_help():
    done = run("--version")
    check(done.returncode == 0 and re.fullmatch(r"rs-kernels \d+\.\d+\.\d+\n", done.stdout),
          f"--version: {done.stdout}")
    for args in ["--help"], ["list", "--help"], ["check", "--help"], ["time", "--help"]:
        done = run(*args)
        check(done.returncode == 0 and "Usage: rs-kernels" in done.stdout, f"{args}")


def check_bad_input():
    for args, says in BAD:
        done = run(*args)
        check(done.returncode == 2 and not done.stdout and says in done.stderr,
              f"{args}: {done.returncode} {done.stderr!r}")


def records(text, header):
    """The lines as dictionaries, or a complaint."""
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or ",".join(rows[0]) != header:
        return "not the header"
    if any(len(row) != len(rows[0]) for row in rows):
        return "a line has another number of fields"
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def check_list():
    """Returns {workload: {variants that can run}}."""
    done = run("list", "--csv")
    rows = records(done.stdout, LIST_HEADER)
    check(done.returncode == 0 and not isinstance(rows, str), f"list --csv: {rows}")
    for row in rows:
        if row["absent"] and not row["frames"]:
            continue  # no kernel
        for name in "instructions", "branches", "pushes", "pops", "exempt":
            check(re.fullmatch(COUNT, row[name]), f"list: {row}")
        check(row["frames"] in ("0", "1-8"), f"list: {row}")
    missing = {row["variant"] for row in rows if row["workload"] == "getpc" and row["absent"]}
    wanted = set() if ABSENT in ("-", "all") else set(ABSENT.split(","))
    wanted = missing if ABSENT == "any" else wanted
    check(missing == wanted, f"list: {missing} are absent")
    check((not rows) == (ABSENT == "all"), f"list: {len(rows)} rows")
    text = run("list").stdout
    check("cannot run because" in text or not wanted, f"list: {text}")
    check("has no kernels" in text or rows, f"list: {text}")
    return {workload: {row["variant"] for row in rows
                       if row["workload"] == workload and not row["absent"]}
            for workload in WORKLOADS}


def check_check():
    done = run("check")
    if ABSENT == "all":
        check(done.returncode == 77 and "has no kernels" in done.stdout, "check: no reason")
        return
    check(done.returncode == 0 and done.stdout.endswith("all kernels are right\n"),
          f"check: {done.returncode} {done.stdout}")
    listed = {row["workload"] for row in records(run("list", "--csv").stdout, LIST_HEADER)}
    families = {FAMILIES.get(name, name) + "/" for name in listed
                if not name.startswith("vdso.")}
    check({"getpc/", "datapage/"} <= families, f"list: {listed}")
    for name in families | {"empty", "vdso/"}:
        check(re.search(rf"^{re.escape(name)}.*: right at", done.stdout, re.M),
              f"check: no {name}")
    wrong = run(program=[*RUNNER, f"{FOLDER}/board/rs-kernels-wrong"])
    check(wrong.returncode == 0, f"wrong kernels: {wrong.stdout}{wrong.stderr}")
    check("died of" in wrong.stdout and "wrong result" in wrong.stdout
          and "stack pointer" in wrong.stdout, f"wrong kernels: {wrong.stdout}")


def in_order(row, *names):
    values = [float(row[name]) for name in names]
    return values == sorted(values)


def bad_record(row):
    """What is wrong with a line of CSV; None: nothing."""
    if row["schema"] != "1" or not re.fullmatch(r"[\dTZ-]+", row["run_id"]):
        return "schema or run"
    if row["status"] != "ok":
        return "a value without status ok" if row["median"] else None
    if row["unit"] != row["metric"].split(".")[0] + "/call":
        return "unit"
    if not in_order(row, "min", "median") or not in_order(row, "ci_low", "median", "ci_high"):
        return "order of values"
    if float(row["mad"]) < 0 or not 0 < int(row["kept"]) <= 6:
        return "spread or number of values"
    # Where the baseline may be nothing, as 20 calls are to a coarse clock, an end is open.
    ends = [name for name in ("delta_low_pct", "delta_high_pct") if row[name]]
    if row["delta_pct"] and not in_order(row, *ends):
        return "order of differences"
    return None


def bad_times(text, runnable):
    """What is wrong with the CSV of `time' as a whole; None: nothing."""
    rows = records(text, TIME_HEADER)
    if isinstance(rows, str):
        return rows
    for row in rows:
        bad = bad_record(row)
        if bad:
            return f"{bad}: {row}"
    for workload, variants in runnable.items():
        if workload.startswith("vdso"):
            variants = variants & {"libc", "syscall"}
        for variant in variants:
            got = sorted(row["metric"] for row in rows
                         if row["workload"] == workload and row["variant"] == variant
                         and row["status"] == "ok")
            if got != METRICS:
                return f"{workload} {variant}: {got}"
        if variants and not any(row["verdict"] == "baseline" for row in rows):
            return "no baseline"
    return None


def spoiled(text):
    """Texts that must be found wrong."""
    line = next(line for line in text.splitlines() if ",ns,ns/call," in line)
    cells = line.split(",")
    swaps = {7: "", 8: "1e99", 10: "1e99", 11: "-1", 12: "0", 21: "absent", 0: "7"}
    yield text.replace("median", "mean", 1)
    yield text.replace(line, line + ",", 1)
    yield text.replace(line + "\n", "", 1)
    for index, value in swaps.items():
        yield text.replace(line, ",".join(cells[:index] + [value] + cells[index + 1:]), 1)


def is_found(text, runnable):
    try:
        return bad_times(text, runnable) is not None
    except ValueError:  # no number where there must be one
        return True


def check_time(runnable):
    done = run("time", "--csv", *FEW, *WORKLOADS)
    check(done.returncode == (77 if ABSENT == "all" else 0),
          f"time: {done.returncode} {done.stderr}")
    bad = bad_times(done.stdout, runnable)
    check(bad is None, f"time --csv: {bad}\n{done.stdout}")
    text = run("time", *FEW, "getpc").stdout
    if ABSENT == "all":
        check("has no kernels" in text, f"time: {text}")
        return
    check("the noise floor of this run" in text and "MAD" in text, f"time: {text}")
    for number, wrong in enumerate(spoiled(done.stdout)):
        check(is_found(wrong, runnable), f"spoiled CSV {number} is not found")


def main():
    check_help()
    check_bad_input()
    runnable = check_list()
    check_check()
    check_time(runnable)
    print(f"{FOLDER} {' '.join(RUNNER)}: {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
