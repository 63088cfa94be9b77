#!/bin/sh
# shellcheck disable=SC2016
# test_docs.sh must refuse documents that lie. One small lie at a time.
#   test_docs_negative.sh BUILD
set -u

build=$1
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

commands=$("$build/goalkeeper" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/`\1`/p')

write_tree() { # [what to add to README.md]
    rm -rf "$tree/doc"
    mkdir -p "$tree/doc/samples" "$tree/doc/docs"
    printf 'test)\n' >"$tree/doc/dev"
    : >"$tree/doc/ARCHITECTURE.md"
    : >"$tree/doc/docs/x.md"
    {
        printf '%s\n' "$commands"
        printf '```console\n$ goalkeeper --version\ngoalkeeper 9.9.9\n```\n'
        printf '%b' "${1:-}"
    } >"$tree/doc/README.md"
}

expect() { # passes|fails, what to add, text of the complaint
    write_tree "$2"
    if "$here/test_docs.sh" "$tree/doc" "$build" >"$tree/out" 2>&1; then
        is=passes
    else
        is=fails
    fi
    if [ "$is" != "$1" ] || { [ -n "$3" ] && ! grep -qF -- "$3" "$tree/out"; }; then
        echo "test_docs_negative: '$2' $is: $(cat "$tree/out")" >&2
        failed=1
    fi
}

expect passes '' ''
expect passes '`./dev test` and [x](docs/x.md)\n' ''
expect passes '```console\n$ goalkeeper nonsense # exit 2\nunknown command\n```\n' ''
expect fails '```console\n$ goalkeeper nonsense\n```\n' 'gave exit code 2'
expect fails '```console\n$ goalkeeper --version # exit 1\n```\n' 'gave exit code 0'
expect fails '```console\n$ goalkeeper --version\ngoalkeeper is great\n```\n' 'did not print'
expect fails '`./dev nonsense`\n' 'shows ./dev nonsense'
expect fails '[x](docs/y.md)\n' 'links to nothing'
expect fails '```python\nprint()\n```\n' 'of kinds that no test runs'
expect fails '```\n./dev test --fast\n```\n' 'shows what no test runs'
expect fails '```c\nvoid Mod_step(void) { Mod_1s(); }\n```\n' "run --seconds 60 --require-complete' gave"
commands=
expect fails '' 'does not mention the command'
exit $failed
