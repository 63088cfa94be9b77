#!/bin/bash
# A generated module in shards, each from nothing and as a fleet, against the single run: the same
# verdict for every goal.
#
#   test_shards.sh BUILD [LINES [SHARDS]]      default: 16000 lines, 8 shards
set -u
build=$1 lines=${2:-16000} shards=${3:-8}
dir=$(mktemp -d /tmp/gk_shards_XXXXXX)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
options=(--quiet --deterministic --seconds 1000000)
failures=0

verdicts() { # DATABASE
    "$build/goalkeeper" query "$1" --format csv --sql 'SELECT key, status FROM goal_status ORDER BY goal_id'
}

same() { # WHAT DATABASE
    if diff <(verdicts one.db) <(verdicts "$2") >difference; then
        echo "ok: $1"
    else
        echo "FAILED: $1: $(grep -c '^>' difference) goals are not as in the single run"
        head -n 20 difference
        failures=1
    fi
}

"$build/bench/generate" module "$lines" 1 || exit 1
"$build/goalkeeper" run "${options[@]}" -j "$(nproc)" --db one.db module >/dev/null || exit 1
seq "$shards" | xargs -P "$(nproc)" -I{} \
    "$build/goalkeeper" run "${options[@]}" -j 1 --db {}.db --shard "{}/$shards" module >/dev/null || exit 1
"$build/goalkeeper" merge all.db $(seq -f %g.db "$shards") || exit 1
same "$shards shards of $lines lines" all.db
"$build/goalkeeper" fleet "${options[@]}" -j 1 --shards "$shards" -o fleet --report json module || exit 1
same "a fleet of $shards shards" fleet/results/*.db
"$build/goalkeeper" fleet "${options[@]}" -j 1 --shards "$shards" --first-task -o first --report json module || exit 1
same "a fleet of $shards shards after a first task" first/results/*.db
exit "$failures"
