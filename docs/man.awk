# Turns what `retstack VERB --help` prints, in argp's layout, into a section of mdoc:
# usage first, then text; options start in column 3 or 7, their help in column 30 or on
# the next line, and so do words that are listed like options; headers of groups start in
# column 2. Call with -v verb=VERB.

function text(line) {
	gsub(/\\/, "\\e", line)
	if (line ~ /^[.']/)
		line = "\\&" line
	print line
}

# mdoc wants each sentence to begin a line.
function prose(line) {
	gsub(/[.] +/, ".\n", line)
	text(line)
}

function paragraph() {
	if (in_list)
		print ".El"
	if (blank)
		print ".Pp"
	in_list = blank = 0
}

# "--json[=FILE]", "-c N", "--strict" as macros.
function macros(name,    optional, argument) {
	optional = sub(/\[=/, "=", name)
	sub(/\]$/, "", name)
	argument = name
	if (!sub(/^[^= ]+[= ]/, "", argument))
		argument = ""
	sub(/[= ].*/, "", name)
	name = "Fl " substr(name, 2)
	if (argument == "")
		return name
	if (optional)
		return name " Ns Op = Ns Ar \\&" argument
	if (name ~ /^Fl -/)
		return name " Ns = Ns Ar \\&" argument
	return name " Ar \\&" argument
}

# "go [-x] WHAT": a word and what follows it.
function word(name,    argument) {
	argument = name
	sub(/ .*/, "", name)
	return "Cm " name (sub(/^[^ ]+ /, "", argument) ? " Ar \\&" argument : "")
}

function begin_item() {
	if (!in_list)
		print ".Bl -tag -width Ds"
	in_list = 1
	blank = 0
}

function item(names,    n, i, part, line) {
	begin_item()
	if (names !~ /^-/) {
		print ".It " word(names)
		return
	}
	n = split(names, part, /, /)
	for (i = 1; i <= n; i++)
		line = line (i > 1 ? " , " : "") macros(part[i])
	print ".It " line
}

NR == 1 {
	print ".Sh THE VERB " toupper(verb)
	sub(/^Usage: */, "")
	text($0)
	in_usage = 1
	next
}

in_usage && /^  or: / {
	sub(/^  or: */, "")
	print ".br"
	text($0)
	next
}

in_usage && /^         / {
	sub(/^ */, "")
	text($0)
	next
}

in_usage {
	in_usage = 0
	print ".Pp"
}

/^ *$/ {
	blank = 1
	next
}

/^(  |      )-/ || /^  [a-z]/ {
	line = $0
	sub(/^ */, "", line)
	help = ""
	if (match(line, /  +/)) {
		help = substr(line, RSTART + RLENGTH)
		line = substr(line, 1, RSTART - 1)
	}
	item(line)
	if (help != "")
		text(help)
	next
}

in_list && /^               / {
	sub(/^ */, "")
	text($0)
	next
}

{
	paragraph()
	sub(/^ */, "")
	prose($0)
}

END {
	if (in_list)
		print ".El"
}
