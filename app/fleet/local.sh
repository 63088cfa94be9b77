#!/bin/bash
# Written by Goalkeeper: all tasks of a fleet on this machine, then the collection.
#
#   local.sh FOLDER TASKS_AT_ONCE
set -u
fleet=$1 at_once=$2
trap 'asked=1; kill -TERM $(jobs -p) 2>/dev/null' TERM INT
asked=0
for tasks in "$fleet"/tasks-[123]; do
    n=$(wc -l <"$tasks")
    for ((i = 1; i <= n && asked == 0; i++)); do
        while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n; done
        bash "$fleet/task.sh" "$fleet" "${tasks##*-}" "$i" &
    done
    while [ -n "$(jobs -rp)" ]; do wait; done
done
[ "$asked" -eq 0 ] || exit 143
exec bash "$fleet/collect.sh" "$fleet"
