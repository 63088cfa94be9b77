# shellcheck shell=bash disable=SC2016,SC2154
# Sourced by ./dev: installs what is missing, and nothing else.
#
# Everything comes from the distribution with apt, except on Debian 12: its CBMC is too old and it
# has no Unity (package cmock). There both come from Debian 13's signed index into build/prefix,
# together with the C library that this CBMC needs, and CBMC is started through that library's own
# loader. Nothing else ever sees the prefix, gcc in particular does not.
#
# Uses $root, say and die of ./dev.

prefix=$root/build/prefix
# Raise the number when the recipe of the prefix changes; an older prefix is then made again.
prefix_recipe=3

packages=(gcc libc6-dev make cmake ninja-build pkg-config clang-19 clang-format-19
    libclang-19-dev llvm-19-dev libclang-rt-19-dev libmpfr-dev libgmp-dev libseccomp-dev libz3-dev libsqlite3-dev libcjson-dev)
test_packages=(slurmctld slurmd slurm-client munge) # tests/fleet
prefix_programs=(cbmc goto-cc goto-instrument)
prefix_packages=(cbmc minisat libc6 libstdc++6 libgcc-s1 gcc-14-base zlib1g cmock)

codename() {
    sed -n 's/^VERSION_CODENAME=//p' "${DEV_OS_RELEASE:-/etc/os-release}" # tests set it
}

is_bookworm() {
    [ "$(codename)" = bookworm ]
}

wanted_packages() {
    printf '%s\n' "${packages[@]}"
    [ "$(dpkg --print-architecture)" != amd64 ] || echo gcc-multilib
    is_bookworm || printf '%s\n' cbmc cmock
}

# Names of wanted packages that are not completely installed.
missing_packages() {
    local wanted
    mapfile -t wanted < <(wanted_packages)
    dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "${wanted[@]}" 2>/dev/null |
        sed -n 's/^ii *//p' | sort -u |
        comm -13 - <(printf '%s\n' "${wanted[@]}" | sort -u)
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "these packages are missing and this is neither root nor is there sudo. As root, run:
  apt-get install --no-install-recommends $(missing_packages | xargs)"
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 \
        -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@"
}

install_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing with apt: ${missing[*]}"
    # An earlier installation may have been interrupted half way.
    [ -z "$(dpkg --audit)" ] || as_root dpkg --configure -a
    apt_get update
    apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null ||
        die "apt could not install: ${missing[*]}"
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -eq 0 ] || die "still missing after apt: ${missing[*]}"
}

# What only tests need, and can do without: where it is missing they say that they are skipped. Not
# where a package would start a service of its own, and nobody is asked for a password.
install_for_tests() {
    local missing
    # dpkg-query fails when it does not know one of them
    missing=$({ dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "${test_packages[@]}" 2>/dev/null || true; } |
        sed -n 's/^ii *//p' | sort -u | comm -13 - <(printf '%s\n' "${test_packages[@]}" | sort -u))
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ] || [ -d "${DEV_SYSTEMD:-/run/systemd/system}" ]; then # tests set it
        say "tests on a real Slurm are skipped; for them, as root: apt-get install ${missing//$'\n'/ }"
        return 0
    fi
    say "installing with apt for the tests: ${missing//$'\n'/ }"
    # shellcheck disable=SC2086 # names of packages
    apt_get install -y --no-install-recommends $missing >/dev/null 2>&1 ||
        say "apt could not install them: tests on a real Slurm are skipped"
}

# The mirror that apt is set up with; nothing if there is none. Its name is not for messages.
debian_uri() {
    local uri
    if [ -n "${GK_DEBIAN_MIRROR:-}" ]; then
        echo "$GK_DEBIAN_MIRROR"
        return 0
    fi
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 2>/dev/null |
        head -n 1)
    # No lists are downloaded: read the sources themselves.
    [ -n "$uri" ] || uri=$(cat_sources | awk -v release="$(codename)" '
        NF == 0 { uri = found = "" }
        $1 == "deb" { for (i = 3; i <= NF; i++) if ($i == release) { print $(i - 1); exit } }
        $1 == "URIs:" { uri = $2 }
        $1 == "Suites:" { for (i = 2; i <= NF; i++) if ($i == release) found = 1 }
        uri && found { print uri; exit }')
    echo "$uri"
}

cat_sources() {
    local file apt=${DEV_ETC_APT:-/etc/apt} # tests set it
    for file in "$apt"/sources.list "$apt"/sources.list.d/*.{list,sources}; do
        [ ! -r "$file" ] || { cat "$file"; echo; }
    done
}

# apt-get with folders of its own, so that the machine's apt neither notices nor is needed as root.
private_apt() { # FOLDER arguments…
    local folder=$1
    shift
    apt-get -qq -o "Dir::State=$folder/state" -o "Dir::State::Lists=$folder/lists" \
        -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache" \
        -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
        -o APT::Sandbox::User= \
        -o "APT::Architecture=$(dpkg --print-architecture)" "$@"
}

write_wrapper() { # FOLDER PROGRAM
    cat >"$1/bin/$2" <<'WRAPPER'
#!/bin/sh
# Starts a program of a newer Debian with the C library of that Debian.
p=${0%/*}/..
for loader in "$p"/usr/lib*/ld-linux*.so.*; do
    break
done
set -- "$loader" --library-path "$(echo "$p"/usr/lib/*-linux-gnu):$p/usr/lib" "$p/usr/bin/${0##*/}" "$@"
exec "$@"
WRAPPER
    chmod +x "$1/bin/$2"
}

# What runs, what tests are compiled with, and the licences of both.
trim_prefix() { # FOLDER
    local usr=$1/usr unity=share/cmock/vendor/unity
    rm -rf "$1/etc" "$usr"/{bin,sbin,include,libexec} "$usr"/lib/*.a "$usr"/lib/*/gconv
    mkdir "$1/share.new"
    if [ -d "$usr/$unity/src" ]; then
        mkdir -p "$1/share.new/cmock/vendor/unity"
        mv "$usr/$unity/src" "$1/share.new/cmock/vendor/unity"
    fi
    [ ! -d "$usr/share/doc" ] ||
        (cd "$usr/share" && find -L doc -name copyright -exec cp -L --parents {} "$1/share.new" \;)
    rm -rf "$usr/share"
    mv "$1/share.new" "$usr/share"
}

make_prefix() {
    local new=$root/build/prefix.new apt=$root/build/prefix.new/apt uri deb
    rm -rf "$new"
    mkdir -p "$apt/lists/partial" "$apt/state" "$apt/cache/archives/partial" "$new/bin"
    : >"$apt/status"
    uri=$(debian_uri)
    [ -n "$uri" ] || die "CBMC 6 and Unity come from Debian 13, and apt is set up with no mirror of \
Debian; name one:
  GK_DEBIAN_MIRROR=http://… ./dev build"
    say "fetching CBMC 6 and Unity of Debian 13 into ${prefix#"$root"/}"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri trixie main" \
        >"$apt/sources.list"
    private_apt "$apt" update || die "cannot read Debian 13's index at the mirror that apt is set up \
with; another one can be named in GK_DEBIAN_MIRROR"
    (cd "$apt" && private_apt "$apt" download "${prefix_packages[@]}") ||
        die "cannot download from the mirror: ${prefix_packages[*]}"
    for deb in "$apt"/*.deb; do
        dpkg-deb -x "$deb" "$new"
    done
    rm -rf "$apt"
    mkdir "$new/keep"
    for program in "${prefix_programs[@]}"; do
        mv "$new/usr/bin/$program" "$new/keep"
        write_wrapper "$new" "$program"
    done
    trim_prefix "$new"
    mv "$new/keep" "$new/usr/bin"
    "$new/bin/cbmc" --version >/dev/null || die "the CBMC that was fetched does not start"
    echo "$prefix_recipe" >"$new/.recipe"
    rm -rf "$prefix"
    mv "$new" "$prefix"
}

install_prefix() { # [always]: also where the distribution has what is in it
    is_bookworm || [ "${1:-}" = always ] || return 0
    [ "$(cat "$prefix/.recipe" 2>/dev/null)" != "$prefix_recipe" ] || return 0
    make_prefix
}

unity_dir() {
    local place=usr/share/cmock/vendor/unity
    if [ -d "$prefix/$place" ]; then
        echo "$prefix/$place"
    else
        echo "/$place"
    fi
}

install_missing() {
    command -v dpkg-query >/dev/null ||
        die "this is not a Debian or Ubuntu; install the packages listed in scripts/install.sh"
    install_packages
    install_prefix
}
