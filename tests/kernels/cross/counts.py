"""Holds the rows' counts to an emulator's log: counts.py ROWS CODE LOG.

ROWS and CODE are what each_row prints and writes, LOG what qemu logs with -singlestep -d nochain,exec: one
line per executed instruction. Understands PowerPC.
"""

import re
import sys

ADDED = 3
NAMES = ("instructions", "branches", "pushes", "pops", "exempt calls")
TRACE = re.compile(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")
EXEMPT = 0x429f0005  # bcl 20,31,.+4


def classify(word):
    """The five counts of one instruction."""
    opcode, extended, link = word >> 26, word >> 1 & 0x3ff, word & 1
    is_return = opcode == 19 and extended == 16
    if not (opcode in (16, 18) or is_return or opcode == 19 and extended == 528):
        return (1, 0, 0, 0, 0)
    is_push = link and word != EXEMPT
    return (1, 1, int(is_push), int(is_return and not link), int(word == EXEMPT))


def read_rows(path, code):
    """(title, entry, start, has_target, [counts], [words]) of each line."""
    with open(path, encoding="ascii") as stream, open(code, "rb") as words_of:
        for line in stream:
            name, frames, entry, start, n_bytes, order, has_target, *counts = line.split()
            raw = words_of.read(int(n_bytes))
            words = [int.from_bytes(raw[i:i + 4], order) for i in range(0, len(raw), 4)]
            yield (f"{name} below {frames} frames", int(entry, 16), int(start, 16),
                   int(has_target), [int(count) for count in counts], words)


def read_log(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return [int(found[1], 16) for found in map(TRACE.match, stream) if found]


def executed(pcs, start, words):
    """Sums the counts of those instructions that lie inside the kernel."""
    counts = [0] * len(NAMES)
    for pc in pcs:
        if start <= pc < start + 4 * len(words):
            kinds = classify(words[(pc - start) // 4])
            counts = [a + b for a, b in zip(counts, kinds)]
    return counts


def mismatch(row, counts):
    """Where they are not what the row says; empty: nowhere."""
    title, _, _, has_target, expected, _ = row
    found = []
    for index, name in enumerate(NAMES):
        # The target's return is in the row, but outside of the kernel.
        wanted = ADDED * (expected[index] - (has_target if name == "pops" else 0))
        if counts[index] != wanted:
            found.append(f"{title}: {counts[index]} {name} in {ADDED} iterations, the "
                         f"row says {wanted}")
    return found


def notices_wrong_rows(row, counts):
    for index in range(len(NAMES)):
        wrong = list(row[4])
        wrong[index] += 1
        if not mismatch((*row[:4], wrong, row[5]), counts):
            return False
    return True


def check(row, next_at, pcs, at):
    """Complaints about a row, which is entered twice, at at[entry]."""
    title, entry, start, _, _, words = row
    entered = at.get(entry, [])
    if len(entered) != 2:
        return [f"{title}: entered {len(entered)} times, not twice"]
    once = executed(pcs[entered[0]:entered[1]], start, words)
    more = executed(pcs[entered[1]:next_at], start, words)
    counts = [b - a for a, b in zip(once, more)]
    found = mismatch(row, counts)
    if not found and not notices_wrong_rows(row, counts):
        found.append(f"{title}: a wrong row would not be noticed")
    return found


def main():
    rows, pcs = list(read_rows(*sys.argv[1:3])), read_log(sys.argv[3])
    entries = {row[1] for row in rows}
    at = {}
    for index, pc in enumerate(pcs):
        if pc in entries:
            at.setdefault(pc, []).append(index)
    nexts = [at.get(row[1], [len(pcs)])[0] for row in rows[1:]] + [len(pcs)]
    found = []
    for row, next_at in zip(rows, nexts):
        found += check(row, next_at, pcs, at)
    print("\n".join(found) or f"{len(rows)} kernels and depths: counts as executed")
    sys.exit(1 if found or not rows else 0)


main()
