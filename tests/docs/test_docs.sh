#!/bin/sh
# Runs the commands of README.md in a copy of samples/, and checks what the documents refer to.
#   test_docs.sh SOURCE BUILD
# In blocks of kind `console` a line "$ goalkeeper …" is a command; "# exit N" at its end is the exit
# code it must have (0 if none). The lines behind it are what it prints: each must be printed, where
# a number stands for any number, what is in brackets at the end for anything (which engine was first
# depends on the machine), and "..." for more lines.
# The blocks of kind `c` and `json`, step functions of several rates, are used as they stand. Blocks of
# no kind show ./dev, which tests/dev/test_dev.sh calls, and the installation: tests/install.
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

# No block is left out: what no test runs would be believed, and true for some time only.
kinds=$(awk '/^```/ { on = !on; if (on) print }' "$source/README.md" | grep -vxE '```(console|c|json)?')
[ -z "$kinds" ] || fail "README.md has blocks of kinds that no test runs: $kinds"
awk '/^```$/ && !on { on = plain = 1; next } /^```/ { on = !on; plain = 0; next } plain && NF' \
    "$source/README.md" >"$into/plain"
while IFS= read -r line; do
    case $line in
    './dev build && cmake --install build '*) grep -q 'cmake --install' "$source/tests/install/test_install.sh" ;;
    './dev '*)
        word=${line#./dev }
        grep -q "^dev ${word%%[ /]*}\b" "$source/tests/dev/test_dev.sh"
        ;;
    *) false ;;
    esac || fail "README.md shows what no test runs: $line"
done <"$into/plain"

block() { # KIND
    awk -v kind="$1" '/^```/ { on = $0 == "```" kind; next } on' "$source/README.md"
}

# Two rates, entered by the function of README with its project; by the other one; by the one that
# init writes.
steps() { # WORDS command…
    words=$1
    shift
    "$@" >"$into/out" 2>&1 </dev/null || fail "'$*' gave $?: $(cat "$into/out")"
    grep -q -e "$words" "$into/out" || fail "'$*' did not print '$words' but: $(cat "$into/out")"
}
if [ -n "$(block c)" ]; then
    mkdir "$into/steps"
    cd "$into/steps" || exit 1
    cat >Mod.c <<'TEXT'
unsigned char In, Fast, Slow;
void Mod_Init(void) { Fast = 0; Slow = 0; }
void Mod_10ms(void) { if (In > 3) Fast = 1; }
void Mod_100ms(void) { if (Fast) Slow = 1; }
TEXT
    block c >Mod_step.c
    block json >goalkeeper.json
    steps '^statement  *[0-9]*  *\([0-9]*\)  *0  *0 ' goalkeeper run --seconds 60 --require-complete
    steps '^ 0' goalkeeper query --format csv --sql "SELECT ' ' || count(*) FROM goal WHERE file <> 'Mod.c'"
    which=$(sed -n 's/.*`\(if (Which) [^`]*\)`.*/\1/p' "$source/README.md")
    name=$(sed -n 's/.*`\(volatile unsigned char Which;\)`.*/\1/p' "$source/README.md")
    [ -n "$which$name" ] || fail "README.md has no input that chooses the rate"
    printf 'void Mod_10ms(void), Mod_100ms(void);\n%s\nvoid Mod_step(void) { %s }\n' "$name" "$which" >Mod_step.c
    steps '^branch  *4  *4 ' goalkeeper run --db which.db --seconds 60 --require-complete
    init=$(sed -n 's/^`\(goalkeeper init Mod.c --steps [^`]*\)`.*/\1/p; s/.* `\(goalkeeper init Mod.c --steps [^`]*\)`.*/\1/p' \
        "$source/README.md")
    [ -n "$init" ] || fail "README.md does not show init --steps"
    # shellcheck disable=SC2086 # words
    steps 'input goalkeeper_steps_which' $init -o made.json
    steps '^branch  *4  *4 ' goalkeeper run made.json --db made.db --seconds 60 --require-complete
fi

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
