#!/bin/bash
# The collection of a fleet begins when all tasks have ended, whatever Slurm says meanwhile: with a
# squeue and an sbatch that are scripts of this test.
#
#   test_collect.sh SOURCES
set -u
sources=$1
dir=$(mktemp -d /tmp/gk_collect_XXXXXX)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/fleet"
failures=0

tool() { # NAME: its text comes from the standard input
    { echo '#!/bin/bash'; cat; } >"$dir/bin/$1"
    chmod +x "$dir/bin/$1"
}

# Each line of `answers` is what one call says; a line that begins with ! is said with exit code 1.
tool squeue <<END
line=\$(head -n 1 '$dir/answers')
[ "\$(wc -l <'$dir/answers')" -le 1 ] || sed -i 1d '$dir/answers'
case \$line in
'!'*) echo "\${line#!}" >&2; exit 1 ;;
?*) echo "\$line" ;;
esac
END
tool sbatch <<<"echo \"\$*\" >>'$dir/submitted'"
tool sleep <<<'exit 0'
tool goalkeeper <<<'exit 0'
cat >"$dir/fleet/fleet.conf" <<END
GOALKEEPER=$dir/bin/goalkeeper
REPORT_FORMATS=
GATE_OPTIONS=()
MERGE_OPTIONS=()
SHARDS=1
CONFIRM_TASKS=1
END
: >"$dir/fleet/modules"
echo 7:8 >"$dir/fleet/jobs"

check() { # WHAT collected|submitted ANSWER…
    local what=$1 expected=$2 got=none
    shift 2
    printf '%s\n' "$@" >"$dir/answers"
    rm -rf "$dir/fleet/state" "$dir/submitted"
    PATH=$dir/bin:$PATH SLURM_JOB_ID=8 bash "$sources/app/fleet/collect.sh" "$dir/fleet" >/dev/null
    [ ! -s "$dir/fleet/state/collected" ] || got=collected
    [ ! -s "$dir/submitted" ] || got=submitted
    [ "$got" = "$expected" ] && echo "ok: $what" && return
    echo "FAILED: $what: $got, not $expected"
    failures=1
}

mapfile -t long < <(yes COMPLETING | head -n 100)
check "no task is left" collected ''
check "a task waits" submitted PENDING
check "a task ends slowly and is queued again" submitted "${long[@]}" PENDING
check "a task ends slowly" collected "${long[@]}" ''
check "Slurm is busy" submitted '!slurm_load_jobs error: Unable to contact slurm controller' PENDING
check "Slurm has forgotten the job" collected '!slurm_load_jobs error: Invalid job id specified'
exit "$failures"
