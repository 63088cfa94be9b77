# shellcheck shell=bash disable=SC2016,SC2154
# Sourced by ./dev: the commands of README.md in a Debian that debootstrap makes, so that each of the
# releases that are promised can be tested on a machine with another one.
#
# A root is made once, in build/roots/CODENAME, and keeps its packages and its build. The sources
# are copied into it before each use.
#
# Uses $root, say and die of ./dev, and scripts/install.sh.

roots=$root/build/roots
releases=(bookworm trixie)
root_extras=() # packages for the tests, beside what ./dev installs

# Ends with a code of its own, so that a caller can tell a machine that cannot make roots from a
# test that fails.
cannot_root() {
    say "skipped: $*"
    exit 77
}

# What debootstrap and chroot need from this machine.
require_roots() { # CODENAME
    local release known=
    for release in "${releases[@]}"; do
        [ "$release" != "$1" ] || known=yes
    done
    [ -n "$known" ] || die "unknown release '$1'; there are: ${releases[*]} (packages of others, \
Ubuntu's for example, are not on a mirror of Debian)"
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        cannot_root "chroot needs root, or sudo to become it"
    command -v unshare >/dev/null && as_root unshare --mount --pid --fork true 2>/dev/null ||
        cannot_root "unshare --mount --pid is not allowed here (in a container: start it privileged)"
    mirror=$(debian_uri)
    [ -n "$mirror" ] || cannot_root "apt is set up with no mirror of Debian: set GK_DEBIAN_MIRROR"
    command -v debootstrap >/dev/null || [ -x /usr/sbin/debootstrap ] || {
        say "installing with apt: debootstrap"
        apt_get update
        apt_get install -y --no-install-recommends debootstrap >/dev/null ||
            cannot_root "apt could not install debootstrap"
    }
}

# How this machine's apt gets through to the mirror.
apt_proxies() {
    apt-config dump --format '%f "%v";%n' Acquire 2>/dev/null |
        grep -E '^Acquire::(https?::Proxy|Check-Valid-Until) ' || true
}

make_root() { # CODENAME [NAME]
    local name=${2:-$1} proxy
    local place=$roots/$name new=$roots/$name.new log=$roots/$name.log
    [ ! -e "$place/.made" ] || return 0
    say "making a root of Debian $1 in ${place#"$root"/}"
    mkdir -p "$roots"
    as_root rm -rf "$new" "$place"
    proxy=$(apt_proxies | sed -n 's/^Acquire::http::Proxy "\(.*\)";$/\1/p')
    as_root env ${proxy:+"http_proxy=$proxy"} PATH="$PATH:/usr/sbin:/sbin" \
        debootstrap --variant=minbase "$1" "$new" "$mirror" >"$log" 2>&1 || {
        grep -E '^[EW]: ' "$log" | sed "s|$mirror|the mirror|g" >&2
        cannot_root "debootstrap failed; its messages are in ${log#"$root"/}"
    }
    apt_proxies | as_root tee "$new/etc/apt/apt.conf.d/90proxy" >/dev/null
    echo force-unsafe-io | as_root tee "$new/etc/dpkg/dpkg.cfg.d/speed" >/dev/null
    as_root touch "$new/.made"
    as_root mv "$new" "$place"
}

# Sources that are gone here shall not stay there; the builds stay.
copy_sources() { # CODENAME
    local tree=$roots/$1/goalkeeper
    as_root mkdir -p "$tree"
    as_root find "$tree" -mindepth 1 -maxdepth 1 ! -name 'build*' -exec rm -rf {} +
    tar -C "$root" --exclude=./build --exclude='./build-*' --exclude='goalkeeper.db*' -c . |
        as_root tar -C "$tree" --no-same-owner -x
}

# A command in the checkout within the root. Everything that it started ends with it.
in_root() { # CODENAME command…
    local place=$roots/$1
    shift
    as_root unshare --mount --pid --fork --kill-child bash -c '
        set -e
        place=$1
        shift
        mount --bind "$place" "$place"
        mount -t proc proc "$place/proc"
        mount --rbind /dev "$place/dev"
        exec chroot "$place" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            bash -c "cd /goalkeeper && exec \"\$@\"" bash "$@"' bash "$place" "$@"
}

# README's two commands. The second run finds the database of the first.
test_in_root() { # CODENAME [ctest options]
    local release=$1
    shift
    require_roots "$release"
    make_root "$release"
    copy_sources "$release"
    [ ${#root_extras[@]} -eq 0 ] ||
        in_root "$release" sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
            apt-get -qq install -y --no-install-recommends "$@" >/dev/null' sh "${root_extras[@]}" ||
        cannot_root "apt cannot install ${root_extras[*]} in it"
    say "in the root of Debian $release: ./dev run, ./dev test"
    for _ in first second; do
        in_root "$release" ./dev run samples/door_debounce --seconds 60 --quiet >/dev/null ||
            die "./dev run fails in Debian $release"
    done
    in_root "$release" ./dev test "$@"
}

# Makes the packages in one root, and uses them in another that has never seen a compiler.
test_packages_in_root() { # CODENAME
    local release=$1 clean=$1-clean
    require_roots "$release"
    make_root "$release"
    copy_sources "$release"
    in_root "$release" ./dev package >/dev/null || die "there are no packages of Debian $release"
    as_root rm -rf "${roots:?}/$clean"
    make_root "$release" "$clean"
    as_root mkdir "$roots/$clean/goalkeeper"
    as_root cp "$roots/$release"/goalkeeper/build/packages/*.{deb,tar.gz} \
        "$root/tests/install/test_packages.sh" "$roots/$clean/goalkeeper"
    in_root "$clean" bash test_packages.sh
}
