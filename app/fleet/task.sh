#!/bin/bash
# Written by Goalkeeper: one task of a fleet, on whatever engine has started it.
#
#   task.sh FOLDER PHASE NUMBER
#
# The database lives on the disk of this machine while it is written, for SQLite's log and locks do
# not belong on a shared file system; it is copied to FOLDER/parts from time to time and at the end.
# A task that is started again goes on from that copy. SIGTERM ends the run, which stores what it has
# found; then the copy is made.
set -u
fleet=$1 phase=$2 number=$3
# shellcheck source=/dev/null
. "$fleet/fleet.conf"
IFS=$'\t' read -r name project shard < <(sed -n "${number}p" "$fleet/tasks-$phase")
[ -n "${name:-}" ] || { echo "task.sh: there is no task $number in phase $phase" >&2; exit 2; }
[ "$shard" = - ] && task=all || task=${shard/\//-}
[ "$phase" != 3 ] || task=confirm-$task
parts=$fleet/parts/$name
part=$parts/$task.db
mkdir -p "$parts" "$fleet/state/$name" "$fleet/log/$name"
log=$fleet/log/$name/$task.log

state() { # WORDS…: what `goalkeeper fleet status` shows
    printf '%s\n' "$*" >"$fleet/state/$name/.$task.$$" &&
        mv "$fleet/state/$name/.$task.$$" "$fleet/state/$name/$task"
}

here=$(mktemp -d "${GOALKEEPER_NODE_DIR:-${SLURM_TMPDIR:-${TMPDIR:-/tmp}}}/goalkeeper.XXXXXX") || {
    state failed "no room on this machine"
    exit 2
}
run=0 saver=0 asked=0 code=0
trap 'rm -rf "$here"' EXIT

publish() { # FILE: it appears in whole
    cp "$1" "$parts/.$task.$$" && mv "$parts/.$task.$$" "$part"
}

# Whoever writes the database, and however it was left.
save() {
    rm -f "$here/copy.db"
    "$GOALKEEPER" merge --quiet "$here/copy.db" "$here/run.db" >/dev/null 2>&1
    [ ! -s "$here/copy.db" ] || publish "$here/copy.db"
}

save_often() {
    local nap=
    trap '[ -z "$nap" ] || kill "$nap" 2>/dev/null; exit' TERM
    while :; do
        sleep "$SAVE_SECONDS" &
        nap=$!
        wait "$nap"
        save
    done
}

# shellcheck disable=SC2317 # the trap calls it
end_run() {
    asked=1
    [ "$run" -eq 0 ] || kill -TERM "$run" 2>/dev/null
}
trap end_run TERM INT HUP

start_from() { # FILE…: the first that there is
    local file
    for file; do
        [ ! -s "$file" ] || { cp "$file" "$here/run.db"; return; }
    done
}

attempt() {
    "$GOALKEEPER" run "${options[@]}" --db "$here/run.db" "$project" >>"$log" 2>&1 &
    run=$!
    [ "$asked" -eq 0 ] || kill -TERM "$run" 2>/dev/null
    while :; do
        wait "$run"
        code=$?
        kill -0 "$run" 2>/dev/null || break
    done
    run=0
}

# Whoever confirms begins with all that the others have proved; the numbers of proofs follow from the
# inputs, so that those who begin with the same ones share them out.
start_from "$part"
if [ "$phase" = 3 ] && [ ! -s "$here/run.db" ]; then
    inputs=()
    for file in "$parts"/{all,[0-9]*}.db; do
        [ ! -s "$file" ] || inputs+=("$file")
    done
    [ ${#inputs[@]} -eq 0 ] || "$GOALKEEPER" merge --quiet "$here/run.db" "${inputs[@]}" >>"$log" 2>&1
fi
[ -s "$here/run.db" ] || start_from "$parts/all.db"
# Justifications stand beside the project; the run takes them over into its database.
[ -d "$project" ] && ledger=$project/justifications.json || ledger=$(dirname "$project")/justifications.json
[ ! -f "$ledger" ] || cp "$ledger" "$here/"
options=("${RUN_OPTIONS[@]}")
declare -n of_phase=PHASE_$phase
options+=("${of_phase[@]}")
[ "$shard" = - ] || options+=(--shard "$shard")

began=$(date +%s)
state running "$(hostname)" "${SLURM_JOB_ID:--}" "$began"
save_often &
saver=$!
# A run that somebody killed goes on where it was; one that was asked to end has ended.
for _ in 1 2 3; do
    attempt
    { [ "$code" -ge 128 ] && [ "$asked" -eq 0 ]; } || break
    echo "task.sh: the run ended with code $code; it goes on" >>"$log"
done
kill -TERM "$saver" 2>/dev/null
wait "$saver" 2>/dev/null
if [ -s "$here/run.db-wal" ]; then save; else [ ! -s "$here/run.db" ] || publish "$here/run.db"; fi
seconds=$(($(date +%s) - began))
if [ "$asked" -eq 1 ]; then state ended "$(hostname)" "$code" "$seconds"
elif [ -s "$part" ] && [ "$code" -lt 6 ]; then state 'done' "$(hostname)" "$code" "$seconds"
else state failed "$(hostname)" "$code" "$seconds"; fi
exit "$code"
