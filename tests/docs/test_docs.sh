#!/bin/sh
# Runs the commands of README.md in a copy of samples/, and checks what the documents refer to.
#   test_docs.sh SOURCE BUILD
# In blocks of kind `console` a line "$ goalkeeper …" is a command; "# exit N" at its end is the exit
# code it must have (0 if none). The lines behind it are what it prints: each must be printed, where
# a number stands for any number, what is in brackets at the end for anything (which engine was first
# depends on the machine), and "..." for more lines.
set -u

source=$1
build=$2
into=$(mktemp -d)
trap 'rm -rf "$into"' EXIT
failed=0

fail() {
    echo "test_docs: $*" >&2
    failed=1
}

cp -r "$source/samples" "$into/samples"
cd "$into/samples" || exit 1
PATH=$build:$PATH

# Commands and expected lines, one a line: "$ command" or "> text".
awk '/^```console/ { on = 1; next } /^```/ { on = 0 }
     on && /^\$ / { print; next } on && NF { print "> " $0 }' "$source/README.md" >"$into/script"
grep -q '^\$ ' "$into/script" || fail "README.md has no commands"

pattern_of() { # text with every number replaced by a pattern for numbers, the rest literally
    printf '%s\n' "$1" | sed 's/  (.*)$//; s/[][\.*^$/]/\\&/g; s/[0-9][0-9]*\(\\\.[0-9]*\)*/[0-9.][0-9.]*/g; s/  */ */g'
}

while IFS= read -r line; do
    case $line in
    '$ '*)
        command=${line#'$ '}
        wanted=0
        case $command in
        *'# exit '*) wanted=${command##*'# exit '} command=${command%%'# exit '*} ;;
        esac
        sh -c "$command" >"$into/out" 2>&1 </dev/null
        code=$?
        [ "$code" = "$wanted" ] || fail "'$command' gave exit code $code: $(cat "$into/out")"
        ;;
    '> ...') ;;
    '> '*)
        grep -q "$(pattern_of "${line#'> '}")" "$into/out" ||
            fail "'$command' did not print '${line#'> '}' but: $(cat "$into/out")"
        ;;
    esac
done <"$into/script"

# Every file that a document links to exists, and ./dev knows the commands that are shown.
cd "$source" || exit 1
for document in README.md ARCHITECTURE.md CONTRIBUTING.md docs/*.md; do
    sed -n 's/.*](\([^)#]*\)).*/\1/p' "$document" | while IFS= read -r link; do
        [ -e "$(dirname "$document")/$link" ] || echo "$document: $link"
    done
done >"$into/links"
[ ! -s "$into/links" ] || fail "links to nothing: $(cat "$into/links")"
grep -o '`[a-z_]*/[A-Za-z0-9_./]*`' CONTRIBUTING.md | tr -d '`' | grep -v NAME | sort -u | while IFS= read -r path; do
    [ -e "$path" ] || [ -e "$build/${path#build/}" ] || echo "$path"
done >"$into/paths"
[ ! -s "$into/paths" ] || fail "CONTRIBUTING.md names what is not there: $(cat "$into/paths")"
sed -n 's/.*`\{0,1\}\.\/dev \([a-z]*\).*/\1/p' README.md | sort -u >"$into/words"
while IFS= read -r word; do
    grep -q "^$word)" dev || fail "README.md shows ./dev $word, which does not exist"
done <"$into/words"
for command in $("$build/goalkeeper" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p'); do
    grep -q "\`$command\`" README.md || [ "$command" = help ] ||
        fail "README.md does not mention the command $command"
done
exit $failed
