#!/bin/sh
# A stranger's repository, built by CMake, from the folder to the gate with what README says and
# nothing else: first README's own commands, word for word but for names of files and numbers of
# goals; then compile_commands.json, init, run, report, gate, export, audit, and a change in a merge
# request.
#   test_newcomer.sh SOURCE BUILD
set -u

source=$1
PATH=$2:$PATH
into=$(mktemp -d)
trap 'rm -rf "$into"' EXIT
failed=0

fail() {
    echo "test_newcomer: $*" >&2
    failed=1
}

# The exit code that is wanted, then the command; what it says is in $into/said.
try() {
    wanted=$1
    shift
    "$@" >"$into/said" 2>&1 </dev/null
    code=$?
    [ "$code" -eq "$wanted" ] || fail "'$*' gave $code instead of $wanted: $(cat "$into/said")"
}

says() {
    grep -q -e "$1" "$into/said" || fail "not said: '$1' but: $(cat "$into/said")"
}

command -v cmake >/dev/null || { echo "no cmake: left out"; exit 0; }

# ---- the repository: two targets, one of them no C of the controller; generated headers, definitions
mkdir -p "$into/pump/src" "$into/pump/include" "$into/pump/host"
cd "$into/pump" || exit 1
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.16)
project(pump C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
configure_file(include/config.h.in config/config.h)
add_library(pump STATIC src/pump.c src/filter.c)
target_include_directories(pump PUBLIC include ${CMAKE_CURRENT_BINARY_DIR}/config)
target_compile_definitions(pump PRIVATE PUMP_VARIANT=2)
add_executable(bench host/main.c)
target_link_libraries(bench pump)
TEXT
echo '#define PUMP_DRY 3' >include/config.h.in
cat >include/pump.h <<'TEXT'
#ifndef PUMP_H
#define PUMP_H
#include <stdint.h>
extern uint8_t Pump_Level;   /* MIN/MAX: 0 .. 100 */
extern uint8_t Pump_Request; /* MIN/MAX: 0 .. 2 */
extern uint8_t Pump_On, Pump_Fault;
void Pump_Init(void);
void Pump_Step(void);
uint8_t Filter(uint8_t old, uint8_t in);
#endif
TEXT
cat >src/filter.c <<'TEXT'
#include "pump.h"
uint8_t Filter(uint8_t old, uint8_t in) {
    return (uint8_t)((3 * old + in) / 4);
}
TEXT
cat >src/pump.c <<'TEXT'
#include "pump.h"
#include "config.h"
uint8_t Pump_Level = 50;  /* MIN/MAX: 0 .. 100 */
uint8_t Pump_Request = 0; /* MIN/MAX: 0 .. 2 */
uint8_t Pump_On, Pump_Fault;
static uint8_t level, dry;
void Pump_Init(void) {
    level = 0;
    dry = 0;
    Pump_On = 0;
    Pump_Fault = 0;
}
void Pump_Step(void) {
    level = Filter(level, Pump_Level);
    if (level < PUMP_DRY && Pump_On) {
        if (dry < 10) dry++;
    } else {
        dry = 0;
    }
    Pump_Fault = dry >= 10 && level <= 100;
    if (level > 100) {
        Pump_Fault = 2;
    }
#if PUMP_VARIANT == 2
    Pump_On = Pump_Request == 2 || (Pump_Request == 1 && !Pump_Fault);
#endif
}
TEXT
cat >host/main.c <<'TEXT'
#include "pump.h"
#include <stdio.h>
int main(void) {
    Pump_Init();
    for (int i = 0; i < 10; i++) Pump_Step();
    return printf("%d\n", Pump_On) < 0;
}
TEXT
if command -v git >/dev/null; then
    git init -q . && git add . && git -c user.name=A -c user.email=a@b commit -qm "Pump" ||
        fail "no repository"
fi
try 0 cmake -S . -B build
[ -s build/compile_commands.json ] || fail "cmake writes no compile_commands.json"

# ---- README's commands
goal() { # STATUS: the first one
    goalkeeper query goalkeeper.db --format csv --sql \
        "SELECT min(goal_id) FROM goal_status WHERE status = '$1' AND depth > 0" | tail -n 1 | tr -d '\r'
}

# Where README has the names of its sample, this repository has its own.
renamed() {
    printf '%s\n' "$1" | sed \
        -e 's|door_debounce/door_debounce\.c|--compile-commands build/compile_commands.json|' \
        -e 's|run door_debounce |run made.json |' -e 's|door_debounce/goalkeeper\.db|goalkeeper.db|' \
        -e "s/ 30\\b/ $(goal reachable 2>/dev/null)/" -e "s/ 134\\b/ $(goal dead 2>/dev/null)/"
}

# Numbers are those of the sample, and so are all names; what is in brackets at the end depends on
# the machine.
pattern_of() {
    printf '%s\n' "$1" | sed 's/  (.*)$//; s/[][\.*^$/]/\\&/g; s/[0-9][0-9]*\(\\\.[0-9]*\)*/[0-9.][0-9.]*/g; s/  */ */g'
}

sed -n '/^```console/,/^```$/p' "$source/README.md" | grep -v '^```' >"$into/readme"
told=0
while IFS= read -r line; do
    case $line in
    '$ '*)
        wanted=0
        case $line in *'# exit '*) wanted=${line##*'# exit '} ;; esac
        command=$(renamed "${line#'$ '}")
        try "$wanted" sh -c "${command%%'# exit '*}"
        told=$((told + 1))
        ;;
    '...' | '') ;;
    *) # only what does not speak of the sample
        case $command in
        *gate* | *audit* | *replay* | *export* | *suite*) says "$(pattern_of "$line")" ;;
        esac
        ;;
    esac
done <"$into/readme"
[ "$told" -ge 15 ] || fail "README has no more than $told commands"
rm -rf made.json goalkeeper.db justifications.json tests out

# ---- from the folder to the gate
try 0 goalkeeper init --compile-commands build/compile_commands.json
says 'left out: .*host/main.c defines main()'
says '^step function Pump_Step'
says "'Pump_Init' goes with it"
says '^input Pump_Level: 0 .. 100'
says '^input Pump_Request: 0 .. 2'
[ -s goalkeeper.json ] || fail "init writes no goalkeeper.json"
schema=$(sed -n 's/^ *"$schema": "\(.*\)",$/\1/p' goalkeeper.json)
goalkeeper --generate schema >"$schema" && grep -q 'json-schema' "$schema" || fail "no schema for '$schema'"
try 0 goalkeeper run --seconds 100 --require-complete
says 'src/pump.c:2[12] '
says '^goalkeeper: next: goalkeeper report '
try 0 goalkeeper status
says 'src/filter.c'
try 0 goalkeeper report goalkeeper.db -o out --format html,junit,sarif,cobertura,lcov,markdown --max-open 0
grep -q 'failures="0" errors="0"' out/junit.xml || fail "junit fails where the gate does not"
grep -q 'filename="src/pump.c"' out/cobertura.xml || fail "paths are not those of the repository"
try 0 goalkeeper gate goalkeeper.db --max-open 0 --min mcdc=80
says '^gate passed'
try 1 goalkeeper gate goalkeeper.db --min statement=100 --unjustified-dead 0
says 'src/pump.c:22'
dead=$(goalkeeper query goalkeeper.db --format csv --sql \
    "SELECT goal_id FROM goal_status WHERE status = 'dead'" | tail -n +2 | tr -d '\r')
# shellcheck disable=SC2086 # numbers
try 0 goalkeeper justify goalkeeper.db $dead --reason "the filter never exceeds its input" --author "A. Smith"
try 0 goalkeeper gate goalkeeper.db --unjustified-dead 0
try 0 goalkeeper audit goalkeeper.db
says ' 0 failed'
try 0 goalkeeper export goalkeeper.db -o tests
try 0 make -C tests/plain suite
says ' 0 failed'

# ---- a merge request: old verdicts are not shown for new code, then what has changed is told
cp goalkeeper.db base.db
sed -i 's/dry >= 10/dry >= 11/' src/pump.c
try 2 goalkeeper gate goalkeeper.db --max-open 0
says 'src/pump.c'
try 0 goalkeeper run --seconds 100 --require-complete
try 1 goalkeeper gate goalkeeper.db --baseline base.db
says 'worse than in the baseline'
try 0 goalkeeper report goalkeeper.db -o out --format markdown --baseline base.db
[ "$failed" -ne 0 ] || echo "a stranger's repository: from the folder to the gate"
exit $failed
