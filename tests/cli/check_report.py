#!/usr/bin/env python3
"""Makes pages of runs that were made for it, and reads them.

usage: check_report.py PROGRAM GOLDEN_JSON
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

import page

PROGRAM, GOLDEN = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HOSTILE = "<script>alert('&\"')</script>"

failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAIL", what)


def call(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=120,
                          check=False, env={**os.environ, "LC_ALL": "C"})
    check(done.returncode == code,
          f"{arguments}: exit code {done.returncode}, {done.stderr}")
    return done.stdout.decode("utf-8")


def report(*paths):
    text = call("report", *paths)
    for fault in page.faults_of(text):
        check(False, f"{paths}: {fault}")
    return page.Page(text), text


def medians(of_page):
    """(variant, title, text) of the tables of medians; a dump has them in another order."""
    return sorted((row[0], title, cell)
                  for table in of_page.tables if table[0][0] == "variant"
                  for row in table[1:] for title, cell in zip(table[0], row)
                  if title.endswith("/call"))


def check_hostile(folder):
    """Names from a file reach the page as text, never as markup."""
    with open(GOLDEN, encoding="utf-8") as stream:
        document = json.load(stream)
    document["results"][0]["variant"] = HOSTILE
    document["events"][0]["reason"] = HOSTILE
    document["host"][HOSTILE] = HOSTILE
    path = os.path.join(folder, "hostile<b>.json")
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(document, stream)
    read, text = report(path)
    check("script" not in read.tags and "b" not in read.tags, "markup of a file came through")
    check(any(HOSTILE in row for table in read.tables for row in table),
          "a variant's name is not in its table")
    check("partial" in text, "a partial run is not called so")


def check_kinds(folder):
    """A dump gives the medians that the JSON of the same run has; depths give a curve."""
    files = [os.path.join(folder, name) for name in ("a.json", "a.csv")]
    call("run", "getpc", "--calls", "500", "-r", "3", "-p", "2", "--depth", "1-3",
         "--json", files[0], "--csv", files[1])
    of_json, _ = report(files[0])
    of_csv, _ = report(files[1])
    check(medians(of_json), "the page of a run has no medians")
    check(medians(of_json) == medians(of_csv),
          f"JSON {medians(of_json)} and dump {medians(of_csv)} disagree")
    titles = [picture["title"] for picture in of_json.pictures]
    for wanted in ("over the enclosing frames", "difference in", "of each repetition"):
        check(any(wanted in title for title in titles), f"no picture of {wanted}")
    both, text = report(*files)
    check("What changed" in text and any("verdict" in table[0] for table in both.tables),
          "two files of one run are not compared")
    return files


def check_perf(folder):
    """Values of perf stat have no empty loop; they are shown as they are."""
    path = os.path.join(folder, "perf.csv")
    with open(path, "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(
            [[value, "", "cycles", 1, "100.00", "", ""] for value in (30, 10, 20)])
    read, _ = report(path)
    check(any("20.00" in row for table in read.tables for row in table),
          "the median of perf's values is not on the page")


def check_output(folder, path):
    """A page is whole or not there."""
    out = os.path.join(folder, "page.html")
    call("report", path, "-o", out)
    with open(out, encoding="utf-8") as stream:
        check(stream.read().endswith("</html>\n"), "the file is not whole")
    call("report", path, os.path.join(folder, "missing"), "-o", out + "2", code=2)
    check(not os.path.exists(out + "2"), "a failed report left a file")
    call("report", path, "-o", os.path.join(folder, "no", "page.html"), code=2)


def check_checker():
    """The reader of pages sees what it is for."""
    good = ("<html><head><title>t</title></head><body><main><h1>h</h1>"
            '<svg role="img"><title>t</title><desc>d</desc></svg></main></body></html>')
    check(page.faults_of(good) == [], f"a good page has faults: {page.faults_of(good)}")
    for bad in ("<script></script>", '<img src="http://example.org/x">', "<b>", "</b>",
                '<p onclick="x"></p>', '<svg role="img"><title>t</title></svg>',
                '<a href="#nowhere"></a>'):
        check(page.faults_of(good.replace("<h1>", bad + "<h1>")), f"{bad} passes")


def main():
    check_checker()
    with tempfile.TemporaryDirectory() as folder:
        files = check_kinds(folder)
        check_hostile(folder)
        check_perf(folder)
        check_output(folder, files[0])
    sys.exit(1 if failures else 0)


main()
