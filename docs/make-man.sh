#!/bin/sh
# Fills the man page from the program's own help, so that there is one text:
#     make-man.sh TEMPLATE OUTPUT COMMAND...
# COMMAND runs retstack, behind an emulator if need be. In TEMPLATE, the line @VERBS@
# becomes the list of verbs and @OPTIONS@ one section for each verb.
set -eu
template=$1
output=$2
here=$(dirname -- "$0")
shift 2
# The layout that man.awk reads is argp's own, whatever the user prefers.
unset ARGP_HELP_FMT
LC_ALL=C
export LC_ALL

parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
: >"$parts/options"
"$@" --help >"$parts/help"

awk '/^  [a-z]/ {
	verb = $1
	sub(/^  [a-z]+ */, "")
	print ".It Cm " verb
	print
}' "$parts/help" >"$parts/verbs"

verbs=$(awk '$1 == ".It" { print $3 }' "$parts/verbs")
for verb in $verbs; do
	"$@" "$verb" --help >"$parts/verb"
	awk -v verb="$verb" -f "$here/man.awk" "$parts/verb" >>"$parts/options"
done

awk -v parts="$parts" '
function insert(path,    line) {
	while ((getline line <path) > 0)
		print line
}
/^@VERBS@$/ { insert(parts "/verbs"); next }
/^@OPTIONS@$/ { insert(parts "/options"); next }
{ print }' "$template" >"$parts/page"
mv "$parts/page" "$output"
