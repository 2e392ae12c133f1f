# Prints what bash would offer for a command line: complete.bash WORD... UNFINISHED
# shellcheck shell=bash
# shellcheck source=docs/retstack.bash
. "$SOURCE/docs/retstack.bash"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_retstack "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
