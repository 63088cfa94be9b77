# shellcheck shell=bash disable=SC2154
# What ./dev night runs: everything that takes too long for ./dev test. Sourced by ./dev, which has
# say(), die() and configure().

# One job a line: its name, and the function with its arguments that does it.
night_jobs() {
    cat <<'JOBS'
gcc12     night_tests gcc-12 -O2
gcc-O3    night_tests gcc -O3
clang     night_tests clang-19 -O2
sanitize  night_sanitize
bookworm          night_root bookworm
trixie            night_root trixie
packages-bookworm night_packages bookworm
packages-trixie   night_packages trixie
readers   night_readers
truth     night_truth 2000
slurm     night_slurm
shards    night_shards 16000 8
events    night_events 200
guided    night_guided 3600
modules   night_modules 20000
far       night_far service_meter
JOBS
}

# The whole test suite, the program and its tests built by another compiler or with other options.
night_tests() { # FOLDER COMPILER OPTIMISATION
    local folder=$1 compiler=$2 optimisation=$3
    command -v "$compiler" >/dev/null || { echo "there is no $compiler"; return 77; }
    mkdir -p "$folder"
    ln -sfn ../../build/prefix "$folder/prefix" # CBMC, where the usual build has fetched it
    configured "$folder" || configure "$folder" "-DCMAKE_C_COMPILER=$compiler" \
        "-DCMAKE_C_FLAGS_RELWITHDEBINFO=$optimisation -g" || return 1
    ninja -C "$folder" --quiet || return 1
    (cd "$folder" && ctest --output-on-failure -j "$(nproc)" ${night_options[@]+"${night_options[@]}"})
}

# The whole test suite with sanitizers: CI leaves out what mostly waits.
night_sanitize() { # FOLDER
    "$root/dev" test --sanitize ${night_options[@]+"${night_options[@]}"}
}

# README's commands and the whole test suite in that Debian. In a shell of its own: it may exit.
night_root() ( # FOLDER RELEASE
    root_extras=(git lcov gcovr cmake libxml2-utils man-db groff) # readers that tests judge by, where they are there
    test_in_root "$2" ${night_options[@]+"${night_options[@]}"}
)

# The packages of that Debian, installed and unpacked where nothing else is.
night_packages() ( # FOLDER RELEASE
    test_packages_in_root "$2"
)

# Reports before readers that come with npm, and axe-core. Schemas that somebody has put into the
# folder are used, too: tests/report/test_readers.c names them.
night_readers() { # FOLDER
    local folder=$1
    command -v npm >/dev/null || { echo "there is no npm"; return 77; }
    (cd "$folder" && npm install --no-save --no-fund --no-audit --prefix . axe-core \
        @microsoft/sarif-multitool lcov-parse cobertura-parse) ||
        { echo "npm cannot get the readers"; return 77; }
    chmod u+x "$folder"/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool || true
    build
    GK_READERS=$folder ctest --test-dir "$build" --output-on-failure -R '^report\.'
}

# Random modules, others each night, with all builds of the oracle and all exported tests. One that
# fails stays in the folder.
night_truth() { # FOLDER MODULES
    local folder=$1 modules=$2
    build
    "$build/fuzz/truth" --seed "$(date +%Y%m%d)0000" --count "$modules" --seconds 60 \
        --keep "$folder/failure"
}

# All samples as an array on a real Slurm, and a node that dies.
night_slurm() { # FOLDER
    build
    install_for_tests
    "$root/tests/fleet/test_slurm.sh" "$build" all
}

# A large module in shards against the single run.
night_shards() { # FOLDER LINES SHARDS
    build
    "$root/tests/fleet/test_shards.sh" "$build" "$2" "$3"
}

# A run killed at so many events of its schedule, half as many full disks, and tools that vanish.
night_events() { # FOLDER KILLS
    build
    "$build/tests/app_test_events" "$2"
}

# Each reader so many seconds under libFuzzer, which goes on with what it has found in other nights.
night_guided() { # FOLDER SECONDS
    local folder=$1 seconds=$2
    build guided
    # shellcheck disable=SC2016 # for the inner shell
    "$build/fuzz/guided" | cut -d' ' -f1 | xargs -P "$(nproc)" -I{} sh -c '
        mkdir -p "$1/{}" && "$2" {} -max_total_time="$3" -timeout=25 -max_len=6000 -verbosity=0 \
            -artifact_prefix="$1/{}-" "$1/{}" "$4/tests/fuzz/seeds/{}"' \
        sh "$folder" "$build/fuzz/guided" "$seconds" "$root"
}

# Modules with mutations, others each night.
night_modules() { # FOLDER MODULES
    build
    (cd "$1" && "$build/fuzz/modules" --seed "$(date +%Y%m%d)0000" --count "$2")
}

# A sample whose goals take more than a billion steps, decided and checked again.
night_far() { # FOLDER SAMPLE
    local db=$1/far.db
    build
    rm -f "$db"
    "$build/goalkeeper" run "$root/samples/$2" --db "$db" --seconds 1200 --require-complete --quiet &&
        "$build/goalkeeper" audit "$db"
}

night_list() {
    night_jobs | cut -d' ' -f1
}

# Runs one job, its output in a file; says how it has ended. False when it failed.
night_run() { # NAME FUNCTION ARGUMENTS…
    local name=$1 folder=$root/build-night/$1 code=0
    shift
    mkdir -p "$folder"
    "$1" "$folder" "${@:2}" >"$folder/night.log" 2>&1 || code=$?
    case $code in
    0) say "$name: passed" ;;
    77) say "$name: left out: $(tail -1 "$folder/night.log")" ;;
    *) say "$name: FAILED, see ${folder#"$root"/}/night.log" ;;
    esac
    [ "$code" -eq 0 ] || [ "$code" -eq 77 ]
}

# All jobs, or those that are named; words behind -- go to ctest.
night() { # [NAME…] [-- ctest options]
    local wanted=() failed=0 name job
    night_options=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        night_list | grep -qxF -- "$1" || die "there is no job '$1' of the night; there are: $(night_list | xargs)"
        wanted+=("$1")
        shift
    done
    [ $# -eq 0 ] || night_options=("${@:2}")
    while read -r name job; do
        [[ ${#wanted[@]} -eq 0 || " ${wanted[*]} " == *" $name "* ]] || continue
        # shellcheck disable=SC2086 # a job is a list of words
        night_run "$name" $job </dev/null || failed=1
    done < <(night_jobs)
    return $failed
}
