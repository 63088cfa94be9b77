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

# A part of an earlier fleet, of sources that have changed since, is told from the others by merge.
merge() { # OUT IN…
    local out=$1 file refused=0
    "$GOALKEEPER" merge "${MERGE_OPTIONS[@]}" "$@"
    local result=$?
    shift
    [ "$result" -eq 2 ] && [ $# -gt 1 ] || return "$result"
    result=0
    rm -f "$out"
    for file; do
        "$GOALKEEPER" merge --quiet "$out" "$file" >/dev/null
        case $? in
        0) ;;
        2) refused=2 ;;
        *) result=5 ;;
        esac
    done
    "$GOALKEEPER" merge "${MERGE_OPTIONS[@]}" "$out" "$out" || result=$?
    [ "$result" -ne 0 ] || result=$refused
    return "$result"
}

collect_module() { # NAME
    local inputs=() file
    for file in "$fleet/parts/$1"/{all,*-"$SHARDS"}.db; do
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

mkdir -p "$fleet/results"
while IFS=$'\t' read -r name _; do
    collect_module "$name"
done <"$fleet/modules"
if [ -n "$REPORT_FORMATS" ]; then
    "$GOALKEEPER" report "$fleet/results" -o "$fleet/report" --format "$REPORT_FORMATS" || worse $?
fi
if [ ${#GATE_OPTIONS[@]} -gt 0 ]; then
    "$GOALKEEPER" gate "$fleet/results" "${GATE_OPTIONS[@]}" || worse $?
else
    "$GOALKEEPER" status "$fleet/results" --format csv || worse $?
fi
mkdir -p "$fleet/state" && echo "$code" >"$fleet/state/collected"
exit "$code"
