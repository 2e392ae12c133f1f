"""Says which tests did not look, and why: skipped.py CTEST-JUNIT.xml.

A test that skips prints a line "skip: WHY"; so does a test that passes although a part
of it could not run. A test that ctest calls skipped without a reason is an error.
"""

import re
import sys
import xml.etree.ElementTree

REASON = r"^(?:\S+: )?skip: (.+)$"


def main():
    n_skips, n_silent = 0, 0
    for case in xml.etree.ElementTree.parse(sys.argv[1]).iter("testcase"):
        reasons = re.findall(REASON, case.findtext("system-out") or "", re.M)
        for reason in reasons:
            n_skips += 1
            print(f"skipped: {case.get('name')}: {reason}")
        if case.find("skipped") is not None and not reasons:
            n_silent += 1
            print(f"skipped without a reason: {case.get('name')}")
    print(f"{n_skips + n_silent} skips")
    return 1 if n_silent else 0


sys.exit(main())
