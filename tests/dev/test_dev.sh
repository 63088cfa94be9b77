#!/bin/bash
# ./dev against a machine that is made up: apt, dpkg, sudo and id are scripts that write down what
# they were asked. So the test needs neither the network nor root, and can look at what a stranger
# on a fresh Debian would see.
#   test_dev.sh SOURCE
set -u

source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "test_dev: $*" >&2
    failed=1
}

# A checkout with the real ./dev and a program that says what it was called with.
make_checkout() {
    rm -rf "$work/tree" "$work/state"
    mkdir -p "$work/tree/scripts" "$work/state"
    cp "$source/dev" "$work/tree/dev"
    cp "$source"/scripts/*.sh "$work/tree/scripts"
    cat >"$work/tree/CMakeLists.txt" <<'TREE'
cmake_minimum_required(VERSION 3.20)
project(goalkeeper C)
enable_testing()
add_executable(goalkeeper main.c)
add_test(NAME it COMMAND goalkeeper)
TREE
    cat >"$work/tree/main.c" <<'TREE'
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("<%s>", argv[i]);
    return argc > 3 ? 3 : 0;
}
TREE
    : >"$work/log"
}

# The made-up machine; its packages are files in state/.
make_machine() {
    mkdir -p "$work/bin"
    cat >"$work/bin/dpkg-query" <<FAKE
#!/bin/sh
shift 3
for p; do [ -e "$work/state/\$p" ] && echo "ii \$p"; done
exit 0
FAKE
    cat >"$work/bin/dpkg" <<FAKE
#!/bin/sh
case \$1 in
--print-architecture) echo amd64 ;;
--audit) cat "$work/audit" 2>/dev/null ;;
*) echo "dpkg \$*" >>"$work/log"; rm -f "$work/audit" ;;
esac
FAKE
    cat >"$work/bin/apt-get" <<FAKE
#!/bin/sh
# apt-get [options] command [packages]
[ -z "\${FAKE_APT_FAILS:-}" ] || exit 100
while [ \$# -gt 0 ]; do
    case \$1 in
    -o | --format) shift 2 ;;
    -*) shift ;;
    *) break ;;
    esac
done
command=\$1
shift
echo "apt-get \$command \$* as \$(id -u)" >>"$work/log"
case \$command in
install) for p; do [ "\${p#-}" != "\$p" ] || : >"$work/state/\$p"; done ;;
download)
    if [ -n "\${FAKE_HANG:-}" ]; then : >"$work/hangs"; sleep 1000; fi
    for p; do : >"\$p.deb"; done ;;
indextargets) [ -n "\${FAKE_NO_LISTS:-}" ] || echo http://mirror.example/debian ;;
esac
exit 0
FAKE
    cat >"$work/bin/dpkg-deb" <<'FAKE'
#!/bin/sh
# dpkg-deb -x FILE FOLDER: every package holds everything
mkdir -p "$3/usr/bin" "$3/usr/lib64" "$3/usr/lib/x86_64-linux-gnu" "$3/usr/share/cmock/vendor/unity"
for program in cbmc goto-cc goto-instrument; do
    printf '#!/bin/sh\necho 6.6.0 as "$0"\n' >"$3/usr/bin/$program"
    chmod +x "$3/usr/bin/$program"
done
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >"$3/usr/lib64/ld-linux-x86-64.so.2"
chmod +x "$3/usr/lib64/ld-linux-x86-64.so.2"
FAKE
    cat >"$work/bin/sudo" <<FAKE
#!/bin/sh
echo "sudo" >>"$work/log"
FAKE_UID=0 exec "\$@"
FAKE
    cat >"$work/bin/id" <<'FAKE'
#!/bin/sh
echo "${FAKE_UID:-0}"
FAKE
    cat >"$work/bin/debootstrap" <<FAKE
#!/bin/sh
# debootstrap --variant=minbase RELEASE FOLDER MIRROR
echo "debootstrap \$2 from \$4" >>"$work/log"
mkdir -p "\$3/etc/apt/apt.conf.d" "\$3/etc/dpkg/dpkg.cfg.d"
[ -z "\${FAKE_DEBOOTSTRAP_FAILS:-}" ] || { echo "E: cannot get \$4/dists"; exit 1; }
FAKE
    cat >"$work/bin/unshare" <<FAKE
#!/bin/sh
# unshare [options] true, or: unshare [options] bash -c SCRIPT bash PLACE command…
while [ "\${1#--}" != "\$1" ]; do shift; done
[ -z "\${FAKE_NO_UNSHARE:-}" ] || exit 1
[ "\$1" != true ] || exit 0
shift 4
echo "in \${1##*/}:" "\$@" >>"$work/log"
case \$* in *'dev test'*) exit \${FAKE_TESTS:-0} ;; esac
FAKE
    chmod +x "$work"/bin/*
    echo VERSION_CODENAME=bookworm >"$work/bookworm"
    echo VERSION_CODENAME=trixie >"$work/trixie"
}

tools= # where all other programs are, if not in PATH
dev() { # arguments of ./dev; the release is in the variable `release`, more in the environment
    PATH=$work/bin:${tools:-$PATH} DEV_OS_RELEASE=$work/$release "$work/tree/dev" "$@" >"$work/out" 2>"$work/err"
    code=$?
}

expect_code() {
    [ "$code" = "$1" ] || fail "exit code $code instead of $1: $(cat "$work/out" "$work/err")"
}
expect_in() { # FILE TEXT
    grep -qF -- "$2" "$work/$1" || fail "'$2' is not in $1: $(cat "$work/$1")"
}
expect_not_in() {
    ! grep -qF -- "$2" "$work/$1" || fail "'$2' is in $1: $(cat "$work/$1")"
}

make_machine

# On Debian 12, as root: packages from apt, CBMC and Unity into the prefix.
release=bookworm
make_checkout
dev run samples/x
expect_code 0
expect_in out '<run><samples/x>'
expect_in err 'installing with apt: clang-19'
expect_in log 'apt-get update'
expect_in log 'gcc-multilib'
expect_in log 'apt-get download cbmc'
expect_not_in log 'install -y --no-install-recommends cbmc'
expect_not_in log sudo
[ "$("$work/tree/build/prefix/bin/cbmc" 2>&1 | cut -d' ' -f1)" = 6.6.0 ] || fail 'no CBMC in the prefix'

# Again: nothing is installed, and the exit code of the program is passed on.
: >"$work/log"
dev run samples/x more
expect_code 3
[ ! -s "$work/log" ] || fail "the second call asks apt: $(cat "$work/log")"
[ ! -s "$work/err" ] || fail "the second call talks: $(cat "$work/err")"

# A package that is removed comes back, and only that one.
rm "$work/state/ninja-build"
dev build
expect_in err 'installing with apt: ninja-build'
expect_not_in log 'apt-get download'

# An installation that was interrupted is finished first.
rm "$work/state/ninja-build"
echo 'half configured' >"$work/audit"
: >"$work/log"
dev build
expect_in log 'dpkg --configure -a'

# What only tests need is installed for them, once, and is no reason to fail.
export DEV_SYSTEMD=$work/none
dev test
expect_code 0
expect_in err 'installing with apt for the tests: munge slurm-client slurmctld slurmd'
: >"$work/log"
dev test
expect_code 0
expect_not_in log slurmd
rm "$work/state/slurmd"
FAKE_APT_FAILS=1 dev test
expect_code 0
expect_in err 'tests on a real Slurm are skipped'
FAKE_UID=1000 dev test
expect_code 0
expect_in err 'tests on a real Slurm are skipped; for them, as root: apt-get install slurmd'
mkdir "$work/systemd"
: >"$work/log"
DEV_SYSTEMD=$work/systemd dev test
expect_code 0
expect_not_in log slurmd

# On Debian 13, through sudo: everything from apt, no prefix.
release=trixie
make_checkout
FAKE_UID=1000 dev build
expect_code 0
expect_in log sudo
expect_in log ' cbmc '
expect_in log cmock
expect_in log 'as 0'
expect_not_in log download
[ ! -e "$work/tree/build/prefix" ] || fail 'a prefix on Debian 13'

# Neither root nor sudo: what to do is said.
make_checkout
mv "$work/bin/sudo" "$work/sudo"
mkdir -p "$work/tools"
for tool in bash env dirname sed sort comm xargs grep cat mkdir flock rm; do
    ln -sf "$(command -v "$tool")" "$work/tools/$tool"
done
tools=$work/tools
FAKE_UID=1000 dev build
tools=
mv "$work/sudo" "$work/bin/sudo"
expect_code 2
expect_in err 'neither root nor is there sudo'
expect_in err 'apt-get install --no-install-recommends'

# apt fails: said, exit code 2, and the next call tries again.
make_checkout
FAKE_APT_FAILS=1 dev build
[ "$code" -ne 0 ] || fail 'a failing apt is success'
dev build
expect_code 0

# Killed while the prefix is made: no half prefix stays, the next call makes it.
release=bookworm
make_checkout
rm -f "$work/hangs"
FAKE_HANG=1 PATH=$work/bin:$PATH DEV_OS_RELEASE=$work/bookworm setsid "$work/tree/dev" build \
    >/dev/null 2>&1 &
hanging=$!
while [ ! -e "$work/hangs" ]; do sleep 0.05; done
kill -KILL -- "-$hanging"
wait "$hanging" 2>/dev/null
[ ! -e "$work/tree/build/prefix" ] || fail 'half a prefix stays'
dev build
expect_code 0
[ -x "$work/tree/build/prefix/bin/cbmc" ] || fail 'no prefix after an interruption'

# An older recipe of the prefix is replaced; a half configured build is configured again.
echo 0 >"$work/tree/build/prefix/.recipe"
rm "$work/tree/build/build.ninja"
dev build
expect_code 0
expect_in err 'fetching CBMC'
expect_in err configuring

# A build folder of another place (a checkout that was moved) is configured again.
mv "$work/tree" "$work/moved"
cp -r "$work/moved" "$work/tree2" && mv "$work/tree2" "$work/tree"
sed -i "s|$work/tree|/elsewhere|g" "$work/tree/build/CMakeCache.txt"
dev build
expect_code 0
expect_in err configuring
rm -rf "$work/moved"

# The other commands, and what is refused.
dev test -R it
expect_code 0
expect_in out '100% tests passed'
dev build --sanitize
expect_code 0
[ -x "$work/tree/build-sanitize/prefix/bin/cbmc" ] || fail 'the sanitizer build has no CBMC'
dev night clang
expect_code 0
expect_in err 'clang: passed'
grep -q '^CMAKE_C_COMPILER:.*clang-19$' "$work/tree/build-night/clang/CMakeCache.txt" ||
    fail 'the job clang is not built by clang'
dev night nothing
expect_code 2
expect_in err "there is no job 'nothing'"
dev nonsense
expect_code 2
expect_in err "unknown command 'nonsense'"
dev run
expect_code 2
dev build --fast
expect_code 2
dev bench nothing
expect_code 2
expect_in err "there is no bench 'nothing'"
dev --help
expect_code 0
expect_in out './dev run DIR'

# Tests in a root of the other Debian: README's commands, in a copy of the sources.
: >"$work/log"
echo old >"$work/tree/old.c"
dev test --root trixie -R it
expect_code 0
expect_in log 'debootstrap trixie from http://mirror.example/debian'
expect_in log './dev run samples/door_debounce'
expect_in log './dev test -R it'
expect_not_in err mirror.example
in_tree=$work/tree/build/roots/trixie/goalkeeper
[ -x "$in_tree/dev" ] && [ -e "$in_tree/old.c" ] && [ ! -e "$in_tree/build" ] ||
    fail "the root has no copy of the sources: $(ls "$in_tree")"

# Again: the root is there; its sources follow, its build stays; the result of the tests is passed on.
: >"$work/log"
rm "$work/tree/old.c"
mkdir "$in_tree/build"
FAKE_TESTS=8 dev test --root trixie
expect_code 8
expect_not_in log debootstrap
[ ! -e "$in_tree/old.c" ] && [ -e "$in_tree/build" ] || fail "the copy does not follow the sources"

# Where there can be no root, a code of its own and the reason.
FAKE_DEBOOTSTRAP_FAILS=1 dev test --root bookworm
expect_code 77
expect_in err 'skipped: debootstrap failed'
expect_in err 'E: cannot get the mirror/dists'
expect_not_in err mirror.example
[ ! -e "$work/tree/build/roots/bookworm" ] || fail 'half a root stays'
FAKE_NO_UNSHARE=1 dev test --root bookworm
expect_code 77
expect_in err 'unshare'
dev test --root noble
expect_code 2
expect_in err "unknown release 'noble'"

# The mirror: the one that is set, else the one that apt's files name for this release, else none.
mkdir -p "$work/apt/sources.list.d"
export DEV_ETC_APT=$work/apt FAKE_NO_LISTS=1
dev test --root bookworm
expect_code 77
expect_in err 'GK_DEBIAN_MIRROR'
rm -rf "$work/tree/build/prefix"
release=bookworm
dev build
expect_code 2
expect_in err 'GK_DEBIAN_MIRROR'
cat >"$work/apt/sources.list.d/debian.sources" <<'SOURCES'
Types: deb
URIs: http://security.example/debian
Suites: bookworm-security
Components: main

Types: deb
Suites: bookworm bookworm-updates
URIs: http://other.example/debian
Components: main
SOURCES
dev test --root bookworm
expect_code 0
expect_in log 'debootstrap bookworm from http://other.example/debian'
rm -rf "$work/tree/build/roots/bookworm" "$work/apt/sources.list.d/debian.sources"
echo 'deb [arch=amd64] http://third.example/debian bookworm main' >"$work/apt/sources.list"
dev test --root bookworm
expect_in log 'debootstrap bookworm from http://third.example/debian'
rm -rf "$work/tree/build/roots/bookworm"
GK_DEBIAN_MIRROR=http://named.example/debian dev test --root bookworm
expect_in log 'debootstrap bookworm from http://named.example/debian'
unset DEV_ETC_APT FAKE_NO_LISTS
dev build
expect_code 0

# A test that fails at night is a failure, and the other jobs go on.
sed -i 's/COMMAND goalkeeper)/COMMAND goalkeeper a b c)/' "$work/tree/CMakeLists.txt"
dev night gcc-O3 clang
expect_code 1
expect_in err 'gcc-O3: FAILED, see build-night/gcc-O3/night.log'
expect_in err 'clang: FAILED'
expect_in tree/build-night/clang/night.log 'The following tests FAILED'

# A compiler error is shown.
echo 'int main(void) { return nothing; }' >"$work/tree/main.c"
dev build
expect_code 2
expect_in err nothing
exit $failed
