#!/bin/bash
# Written by Goalkeeper: what the tasks of a fleet have brought back, as one result.
#
#   collect.sh FOLDER
#
# FOLDER/results/MODULE.db, FOLDER/report, and the gate. The exit code is the worst of all: 5 when
# verdicts contradict, 2 when a module has no result, 1 when the gate fails.
set -u
fleet=$1
# shellcheck source=/dev/null
. "$fleet/fleet.conf"
code=0

worse() { # CODE
    local c
    for c in 6 5 3 2 1; do
        if [ "$1" -eq "$c" ] || [ "$code" -eq "$c" ]; then
            code=$c
            return
        fi
    done
    [ "$code" -ne 0 ] || code=$1
}

program() { # DATABASE
    "$GOALKEEPER" query "$1" --format csv --sql \
        "SELECT value FROM run_info WHERE key = 'woven_sha256'" 2>/dev/null | tail -n 1
}

# That of most parts, of the newest if there are as many of several.
main_program() { # DATABASE…
    local file
    while IFS= read -r file; do program "$file"; done < <(ls -t "$@") |
        awk '{ if (!n[$0]++) order[++k] = $0 }
             END { for (i = 1; i <= k; i++) if (n[order[i]] > most) { most = n[order[i]]; it = order[i] }
                   print it }'
}

# A part of an earlier fleet, of sources that have changed since, is told from the others by merge.
merge() { # OUT IN…
    local out=$1 file refused=0 main
    "$GOALKEEPER" merge "${MERGE_OPTIONS[@]}" "$@"
    local result=$?
    shift
    [ "$result" -eq 2 ] && [ $# -gt 1 ] || return "$result"
    main=$(main_program "$@")
    local inputs=()
    for file; do
        if [ "$(program "$file")" = "$main" ]; then
            inputs+=("$file")
        else
            echo "$file: left out, it is of another program" >&2
            refused=2
        fi
    done
    "$GOALKEEPER" merge "${MERGE_OPTIONS[@]}" "$out" "${inputs[@]}"
    result=$?
    [ "$result" -ne 0 ] || result=$refused
    return "$result"
}

collect_module() { # NAME
    local inputs=() file
    for file in "$fleet/parts/$1"/{all,[0-9]*-"$SHARDS",confirm-*-"$CONFIRM_TASKS"}.db; do
        [ ! -s "$file" ] || inputs+=("$file")
    done
    rm -f "$fleet/results/$1.db"
    if [ ${#inputs[@]} -eq 0 ]; then
        echo "$1: no result; none of its tasks has come back" >&2
        worse 2
        return
    fi
    merge "$fleet/results/$1.db" "${inputs[@]}" || worse $?
}

# Slurm lets what waits for a task begin when the task is queued again, too: then it is too early.
# What is completing may be queued again when it has ended; an answer that does not come says nothing.
too_early() {
    local ids states
    ids=$(sed 's/:[0-9]*$//' "$fleet/jobs" 2>/dev/null | tr : ,)
    [ -n "${SLURM_JOB_ID:-}" ] && [ -n "$ids" ] || return 1
    for _ in {1..300}; do
        states=$(squeue -h -r -o %T -j "$ids" 2>&1)
        case $? in
        0) [ -n "$states" ] || return 1 ;;
        *) [ "${states#*Invalid job id}" = "$states" ] || return 1 ;; # forgotten: long ended
        esac
        case $states in
        *PENDING* | *RUNNING* | *SUSPENDED*) return 0 ;;
        esac
        sleep 1
    done
    return 1
}
if too_early; then
    sbatch --begin=now+20 --output="$fleet/log/collect.log" "$fleet/collect.sbatch"
    exit
fi

mkdir -p "$fleet/results"
while IFS=$'\t' read -r name _; do
    collect_module "$name"
done <"$fleet/modules"
if [ -n "$REPORT_FORMATS" ]; then
    # JUnit fails where the gate does; how the gate is printed, and old sources, are no matter here.
    asked=()
    for word in ${GATE_OPTIONS[@]+"${GATE_OPTIONS[@]}"}; do
        case $word in
        --stale-ok | --format=*) ;;
        --format) skip=yes ;;
        *) [ -n "${skip:-}" ] || asked+=("$word") && skip= ;;
        esac
    done
    "$GOALKEEPER" report "$fleet/results" -o "$fleet/report" --format "$REPORT_FORMATS" \
        ${asked[@]+"${asked[@]}"} || worse $?
fi
if [ ${#GATE_OPTIONS[@]} -gt 0 ]; then
    "$GOALKEEPER" gate "$fleet/results" "${GATE_OPTIONS[@]}" || worse $?
else
    "$GOALKEEPER" status "$fleet/results" --format csv || worse $?
fi
mkdir -p "$fleet/state" && echo "$code" >"$fleet/state/collected"
exit "$code"
