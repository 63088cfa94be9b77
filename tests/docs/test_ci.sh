#!/bin/sh
# The jobs of docs/ci: well formed as far as tools for it are installed, and every command in them has
# the options that it is given. And what docs/ci.md and docs/assessment.md name exists.
#   test_ci.sh SOURCE BUILD
set -u

source=$1
build=$2
into=$(mktemp -d)
trap 'rm -rf "$into"' EXIT
failed=0

fail() {
    echo "test_ci: $*" >&2
    failed=1
}

cd "$source/docs/ci" || exit 1
for file in gitlab-ci.yml github-actions.yml; do
    if grep -nP '\t| $' "$file"; then
        fail "$file: a tab, or a blank at the end of a line"
    fi
    if python3 -c 'import yaml' 2>/dev/null; then
        python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file" >"$into/out" 2>&1 ||
            fail "$file: $(cat "$into/out")"
    else
        echo "test_ci: no YAML parser is installed: the structure of $file is not looked at" >&2
    fi
done
opened=$(tr -cd '{[(' <Jenkinsfile | wc -c)
closed=$(tr -cd '}])' <Jenkinsfile | wc -c)
[ "$opened" = "$closed" ] || fail "Jenkinsfile: $opened brackets open, $closed close"
for word in 'pipeline {' 'agent {' 'stages {' 'post {'; do
    grep -q "$word" Jenkinsfile || fail "Jenkinsfile: no '$word'"
done

# Commands: all that the files call, with their options; shell words, up to a redirection.
grep -ho 'goalkeeper \(run\|report\|gate\|doctor\|audit\) *[^>'"'"'|&]*' gitlab-ci.yml github-actions.yml \
    Jenkinsfile Dockerfile ../ci.md | tr -d '\140).' | sort -u >"$into/commands"
[ "$(wc -l <"$into/commands")" -ge 8 ] || fail "the files call nothing"
while read -r _ command words; do
    "$build/goalkeeper" "$command" --help >"$into/help" 2>&1 || fail "no command $command"
    for word in $words; do
        option=${word%%=*}
        case $option in
        --*) grep -q -e "$option\b" "$into/help" || fail "$command has no option $option" ;;
        esac
    done
    formats=$(printf '%s' "$words" | sed -n 's/.*--format \([a-z,]*\).*/\1/p' | tr , ' ')
    for format in $formats; do
        grep -q "\b$format\b" "$into/help" || fail "$command has no format $format"
    done
done <"$into/commands"

# The options that docs/ci.md explains are those of the gate.
sed -n 's/^| `\(--[a-z-]*\).*/\1/p' ../ci.md >"$into/options"
[ -s "$into/options" ] || fail "docs/ci.md explains no option"
"$build/goalkeeper" gate --help >"$into/help"
while read -r option; do
    grep -q -e "$option\b" "$into/help" || fail "docs/ci.md explains $option, which the gate does not have"
done <"$into/options"
sed -n 's/^ *\(--[a-z-]*\).*/\1/p' "$into/help" | while read -r option; do
    case $option in
    --help | --version | --quiet | --verbose | --no-color | --format | --db) ;;
    *) grep -q -e "\`$option" ../ci.md || echo "$option" ;;
    esac
done >"$into/missing"
[ ! -s "$into/missing" ] || fail "docs/ci.md does not explain: $(cat "$into/missing")"

# What docs/assessment.md calls the validation suite is there.
grep -o '`tests/[^`]*`' ../assessment.md | tr -d '\140' | sort -u >"$into/paths"
[ "$(wc -l <"$into/paths")" -ge 20 ] || fail "docs/assessment.md names hardly any test"
while read -r path; do
    [ -e "$source/$path" ] || fail "docs/assessment.md names $path, which does not exist"
done <"$into/paths"
exit $failed
