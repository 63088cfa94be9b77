#!/bin/bash
# Fleets on a real Slurm, which this test starts and ends: an array of modules is the single runs, a
# task that is killed is queued again and loses nothing, shards that never come back leave their goals
# open and say so, and a node that dies takes nothing with it.
#
#   test_slurm.sh BUILD [all or dies]      all samples as the array, and the node that dies; that alone
#
# Exit code 77 where there is no Slurm: skipped.
# shellcheck disable=SC2317 # expect and the trap call what stands alone
set -u
build=$1 all=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
# shellcheck source=tests/fleet/slurm.sh
. "$here/slurm.sh"
missing=$(slurm_missing)
if [ -n "$missing" ]; then
    echo "skipped: fleets on a real Slurm need its programs and root; here: ${missing//$'\n'/, }"
    exit 77
fi

dir=$(mktemp -d /tmp/gk_slurm_XXXXXX)
failures=0 slurm_pids=()
finish() {
    slurm_stop
    rm -rf "$dir"
}
trap finish EXIT
cd "$dir" || exit 1
export GOALKEEPER_CACHE=$dir/cache

expect() { # WHAT COMMAND…
    local what=$1
    shift
    if "$@"; then
        echo "ok: $what"
    else
        echo "FAILED: $what: $*"
        failures=$((failures + 1))
    fi
}

ask() { # DATABASE SQL
    "$build/goalkeeper" query "$1" --format csv --sql "$2" | tr -d '\r' | tail -n +2
}

verdicts() { # DATABASE
    ask "$1" 'SELECT key, status FROM goal_status ORDER BY goal_id'
}

wait_for() { # SECONDS COMMAND…
    local left=$(($1 * 5))
    shift
    while ! "$@" 2>/dev/null; do
        [ $((left--)) -gt 0 ] || { "$build/goalkeeper" fleet status "$fleet"; tail -n 20 "$fleet"/log/*.log; return 1; }
        sleep 0.2
    done
}

submit() { # FLEET OPTIONS…: starts it and lets it go its way
    fleet=$dir/$1
    shift
    "$build/goalkeeper" fleet --quiet --on slurm -o "$fleet" -j 1 --memory-mb 500 --seconds 120 "$@" >/dev/null
}

collected() { wait_for 120 test -s "$fleet/state/collected"; }

module() { # NAME STEPS: counters that only as many steps bring to their ends, and one dead goal each
    mkdir -p "modules/$1"
    cat >"modules/$1/m.c" <<C
int in, out;
static int a, b;
static void A(void) { if (in > 3) { if (a < $2) a++; } else { a = 0; } if (a > $2) out = 1; }
static void B(void) { if (in > 5) { if (b < $2) b++; } else { b = 0; } if (b > $2) out = 2; }
void step(void) { A(); B(); if (a == $2) out = 3; }
C
    cat >"modules/$1/goalkeeper.json" <<JSON
{"name": "$1", "sources": ["m.c"], "step": "step", "inputs": [{"name": "in", "min": -5, "max": 20}]}
JSON
}

# ---- an array is the single runs ----

array_is_single_runs() {
    local name projects=(modules samples/pid_fixed)
    [ -z "$all" ] || projects=(modules samples)
    expect "an array is taken" submit array --deterministic --gate '--max-open 1000' "${projects[@]}"
    "$build/goalkeeper" fleet status "$fleet" >status.txt
    expect "the queue is shown" grep -q 'in the queue of Slurm' status.txt
    expect "it is collected" wait_for 900 test -s "$fleet/state/collected"
    expect "with success" grep -qx 0 "$fleet/state/collected"
    while IFS=$'\t' read -r name project; do
        "$build/goalkeeper" run --quiet --deterministic -j 1 --memory-mb 500 --seconds 120 \
            --db "one-$name.db" "$project" >/dev/null
        expect "$name is as it is alone" test "$(verdicts "one-$name.db")" = "$(verdicts "$fleet/results/$name.db")"
    done <"$fleet/modules"
}

# Slurm waits two minutes before it starts a task again, unless it is told not to.
collected_at_once() { # TASK
    ! test -s "$fleet/state/collected" || return 0
    [ "$(squeue -h -j "$1" -o '%t %r')" != 'PD BeginTime' ] ||
        scontrol update "JobId=$1" StartTime=now >/dev/null
    return 1
}

# ---- a task that is killed ----

running() { grep -q '^running' "$fleet/state/$1/all"; }
some_decided() { [ "$(keys "$fleet/parts/door_debounce/all.db" | wc -l)" -gt 20 ]; }
has_part() { test -s "$fleet/parts/$1/all.db"; }
keys() { ask "$1" "SELECT key FROM goal_status WHERE status <> 'open' ORDER BY key"; }

killed_is_requeued() {
    local job
    expect "a long run is taken" submit killed --save-seconds 1 samples/door_debounce
    job=$(cut -d: -f1 "$fleet/jobs")
    expect "it runs" wait_for 30 running door_debounce
    expect "it saves" wait_for 60 has_part door_debounce
    sleep 1
    expect "it is queued again" scontrol requeue "${job}_1"
    expect "it has ended with a copy" wait_for 30 grep -q '^ended' "$fleet/state/door_debounce/all"
    cp "$fleet/parts/door_debounce/all.db" before.db
    expect "something was decided before" test "$(keys before.db | wc -l)" -gt 0
    expect "it is collected in the end" wait_for 300 collected_at_once "${job}_1"
    expect "nothing is open" test "$(ask "$fleet/results/door_debounce.db" "SELECT count(*) FROM goal_status WHERE status = 'open'")" = 0
    expect "no verdict is lost" test -z "$(comm -23 <(keys before.db) <(keys "$fleet/results/door_debounce.db"))"
    expect "no attempt is lost" test -z "$(comm -23 <(ask before.db 'SELECT started, engine, goal_id FROM attempt' | sort -u) \
        <(ask "$fleet/results/door_debounce.db" 'SELECT started, engine, goal_id FROM attempt' | sort -u))"
    expect "Slurm has started it twice" test "$(scontrol show job "${job}_1" | grep -o 'Restarts=[0-9]*')" = Restarts=1
}

# ---- a shard that never comes back ----

shard_is_lost() {
    local second
    expect "shards are taken" submit shards --shards 2 --first-task --engines simulate modules/left
    second=$(cut -d: -f2 "$fleet/jobs")
    expect "one is taken back" scancel "${second}_2"
    expect "the others are collected" collected
    expect "its goals say so" test "$(ask "$fleet/results/left.db" "SELECT count(*) > 0 FROM goal_status \
        WHERE status = 'open' AND reason = 'shard 2 of 2 has not come back: nobody has tried it'")" = 1
    expect "those of the other do not" test "$(ask "$fleet/results/left.db" "SELECT count(*) > 0 FROM goal_status \
        WHERE status = 'open' AND reason NOT GLOB 'shard *'")" = 1
}

# ---- proofs that CBMC sees after all else ----

confirms_later() {
    local dead="SELECT count(*) FROM goal_status WHERE status = 'dead'"
    expect "phases are taken" submit later --shards 2 --confirm-tasks 2 --engines simulate,kind modules/left
    expect "all phases are collected" collected
    expect "with success" grep -qx 0 "$fleet/state/collected"
    expect "there are proofs" test "$(ask "$fleet/results/left.db" "$dead")" -gt 0
    expect "shards did not ask CBMC" test "$(ask "$fleet/parts/left/1-2.db" "$dead AND checked_by LIKE '%cbmc%'")" = 0
    expect "CBMC has seen them all" test "$(ask "$fleet/results/left.db" "$dead AND checked_by NOT LIKE '%cbmc%'")" = 0
}

# ---- a node that dies: everything of it at once ----

node_dies() {
    local job node task group step
    expect "another long run is taken" submit dies --save-seconds 1 samples/door_debounce
    job=$(cut -d: -f1 "$fleet/jobs")
    expect "it saves before" wait_for 60 some_decided
    cp "$fleet/parts/door_debounce/all.db" dead.db
    node=$(squeue -h -j "$job" -o %N)
    declare -n pid="slurm_pid_$node"
    task=$(pgrep -f "task.sh $fleet 1 1" | head -n 1) # the folder is this test's alone
    step=$(ps -o ppid= -p "$task" | tr -d ' ')
    group=$(ps -o pgid= -p "$task" | tr -d ' ') # Slurm has made the task the leader of one
    kill -KILL "$pid" "$step"
    kill -KILL -- "-$group"
    expect "it goes on elsewhere" wait_for 300 test -s "$fleet/state/collected"
    expect "no verdict was lost with the node" test -z "$(comm -23 <(keys dead.db) <(keys "$fleet/results/door_debounce.db"))"
    expect "all is decided" test "$(ask "$fleet/results/door_debounce.db" "SELECT count(*) FROM goal_status WHERE status = 'open'")" = 0
}

cp -r "$root/samples" samples
module left 10
module right 20
if ! slurm_start "$dir/slurm"; then
    echo "FAILED: Slurm does not start"
    exit 1
fi
[ "$all" = dies ] || array_is_single_runs
[ "$all" = dies ] || killed_is_requeued
[ "$all" = dies ] || shard_is_lost
[ "$all" = dies ] || confirms_later
[ -z "$all" ] || node_dies
[ "$failures" -eq 0 ] && echo "all ok"
exit $((failures > 0))
