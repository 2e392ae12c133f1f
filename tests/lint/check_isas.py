"""Holds the folders of arch/ to docs/add-an-architecture.md: check_isas.py ROOT.

The page's tables list files with ISA in their names and when each is needed: always, with
kernels (whoever has an isa.c) or with a family, "with `NAME`" (whoever has its .S).
A folder must have what it needs, and a file that two folders have must be listed.
"""

import collections
import os
import re
import sys

import tree

PAGE = "docs/add-an-architecture.md"
ROW = re.compile(r"\| `(\S*ISA\S*)` \|.*\| (always|with kernels|with `(\w+)`) \|$")
NO_ISA = "unknown"  # the stand-in for all that have no folder


def read_page(files):
    """{path with ISA in it: the path that asks for it, or None for always}."""
    needed = {}
    for _, line in files.lines(PAGE):
        row = ROW.match(line)
        if row:
            family = f"arch/ISA/{row[3]}.S" if row[3] else None
            needed[row[1]] = "arch/ISA/isa.c" if row[2] == "with kernels" else family
    return needed


def check_folder(files, isa, needed):
    for path, asks in needed.items():
        has_to = asks is None or asks.replace("ISA", isa) in files.paths
        if has_to and path.replace("ISA", isa) not in files.paths:
            files.complain(f"arch/{isa}", 1, f"lacks {path.replace('ISA', isa)}, which {PAGE} "
                           "says is needed")


def check_listed(files, isas, needed):
    have = collections.Counter(os.path.basename(path) for path in files.paths
                               if path.split("/")[0] == "arch"
                               and os.path.basename(os.path.dirname(path)) in isas)
    for name, n_folders in have.items():
        if n_folders > 1 and f"arch/ISA/{name}" not in needed:
            files.complain(PAGE, 1, f"does not list arch/ISA/{name}")


def main():
    files = tree.Tree(sys.argv[1])
    needed = read_page(files)
    isas = {path.split("/")[1] for path in files.paths
            if re.match(r"arch/\w+/", path)} - {NO_ISA}
    for isa in sorted(isas):
        check_folder(files, isa, needed)
    check_listed(files, isas, needed)
    if not needed or not isas:
        files.complain(PAGE, 1, "lists no files, or there are no folders")
    files.exit()


main()
