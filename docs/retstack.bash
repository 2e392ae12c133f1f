# bash completion for retstack. All words come from the program itself, so that this
# file names no verb and no option.
# shellcheck shell=bash

_retstack_verbs() {
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
}

# Long options, with a trailing = where they take an argument.
_retstack_options() {
	"$@" --help 2>/dev/null |
		sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z][a-z-]*\)\(\[\{0,1\}=\{0,1\}\).*/\2\3/p' |
		sed 's/\[=$//'
}

# What a verb works on: the first column of `list WHAT' as CSV.
_retstack_listed() {
	"$1" list "$2" --format csv 2>/dev/null | sed -e 1d -e 's/,.*//' -e 's/"//g'
}

_retstack() {
	local program=$1 current=$2 verb=${COMP_WORDS[1]-} words
	if ((COMP_CWORD == 1)); then
		words=$(_retstack_verbs "$program"; _retstack_options "$program")
	elif [[ $current == -* ]]; then
		words=$(_retstack_options "$program" "$verb")
	elif [[ $verb == run ]]; then
		words=$(_retstack_listed "$program" workloads)
	else
		words=
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
	if [[ ${COMPREPLY[0]-} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
	return 0
}

complete -o default -F _retstack retstack
