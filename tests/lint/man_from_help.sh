#!/bin/sh
# Fills a template from a known help and compares: man_from_help.sh SOURCE OUTPUT.
set -eu
fixture=$1/tests/lint/fixtures/man
output=$2
sh "$1/docs/make-man.sh" "$fixture/template.1.in" "$output" sh "$fixture/program.sh"
diff -u "$fixture/page.1" "$output"
