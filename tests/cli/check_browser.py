#!/usr/bin/env python3
"""Opens a page of `retstack report` in headless Chromium.

usage: check_browser.py PROGRAM GOLDEN_JSON

No console message may appear, in a light and in a dark browser, and the two pictures
must differ and be more than one colour. A page with an outside picture must be noticed.
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

PROGRAM, GOLDEN = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CHROMIUM = shutil.which("chromium")
# Without its own connections, and as root, as in a container.
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr"]
DARK = ["--blink-settings=preferredColorScheme=0"]


def pixels(path):
    """The filtered bytes of an 8-bit PNG, and how many rows they are."""
    with open(path, "rb") as stream:
        data = stream.read()
    at, packed, height = 8, b"", 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            height = struct.unpack(">I", body[4:8])[0]
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    return zlib.decompress(packed), height


def is_drawn(path):
    """More than one colour: a filtered row of one colour is zeros after its start."""
    raw, height = pixels(path)
    stride = len(raw) // height
    return sum(any(raw[y * stride + 8:(y + 1) * stride]) for y in range(height)) > 100


def visit(folder, page, *flags):
    """The console's lines and the picture's path."""
    shot = os.path.join(folder, f"shot{len(os.listdir(folder))}.png")
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [CHROMIUM, *QUIET, *flags, f"--user-data-dir={profile}",
             "--window-size=1000,1500", f"--screenshot={shot}", "file://" + page],
            capture_output=True, timeout=120, check=False)
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    if done.returncode or not os.path.exists(shot):
        sys.exit("\n".join(lines + ["FAIL chromium made no picture"]))
    return [line for line in lines if ":CONSOLE:" in line], shot


def main():
    if not CHROMIUM:
        print("skip: chromium is not installed")
        sys.exit(77)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        subprocess.run([PROGRAM, "report", GOLDEN, "-o", page], check=True)
        light, light_shot = visit(folder, page)
        dark, dark_shot = visit(folder, page, *DARK)
        failures += light + dark
        for shot in (light_shot, dark_shot):
            if not is_drawn(shot):
                failures.append(f"{shot} is empty")
        if pixels(light_shot) == pixels(dark_shot):
            failures.append("the page looks the same in a dark browser")
        with open(page, encoding="utf-8") as stream:
            text = stream.read()
        with open(page, "w", encoding="utf-8") as stream:
            stream.write(text.replace("<h1>", '<img src="file:///nowhere.png"><h1>'))
        if not visit(folder, page)[0]:
            failures.append("a picture from outside goes unnoticed")
        with open(page, "w", encoding="utf-8") as stream:
            stream.write("<!DOCTYPE html><title>empty</title>")
        if is_drawn(visit(folder, page)[1]):
            failures.append("an empty page counts as drawn")
    for failure in failures:
        print("FAIL", failure)
    sys.exit(1 if failures else 0)


main()
