#!/bin/bash
# In a clean root of Debian, with the packages beside this file: installs the one, unpacks the other,
# and uses each as a stranger would. Called by `./dev night packages-RELEASE` only: it installs.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive
here=$(pwd)

fail() {
    echo "test_packages: $*" >&2
    exit 1
}

# A sample from run to exported Unity tests, all from what was installed under FOLDER.
use() { # FOLDER
    local work program=$1/bin/goalkeeper
    work=$(mktemp -d)
    cp -r "$1/share/goalkeeper/samples/door_debounce" "$work"
    cd "$work"
    "$program" --version | grep -q '^goalkeeper [0-9.]* (.*build [0-9a-f]' || fail "--version: no build"
    "$program" doctor >doctor 2>&1 || { cat doctor >&2; fail "doctor finds something missing"; }
    "$program" run door_debounce --seconds 600 --quiet >run || fail "run fails"
    "$program" gate door_debounce/goalkeeper.db --max-open 0 --min branch=90 || fail "the gate fails"
    dead=$("$program" query door_debounce/goalkeeper.db --format csv --sql \
        "SELECT count(*) FROM goal_status WHERE status = 'dead' AND checked_by LIKE '%cbmc%'" |
        tr -d '\r' | tail -n 1)
    [ "$dead" -gt 0 ] || fail "CBMC has checked nothing"
    "$program" export door_debounce/goalkeeper.db -o tests --tests unity --quiet || fail "export fails"
    make -C tests/unity suite >suite 2>&1 || { cat suite >&2; fail "the Unity tests fail"; }
    grep -q ' 0 failed' suite || fail "the Unity tests fail: $(cat suite)"
    if make -C tests/unity clean suite UNITY= >suite 2>&1; then fail "built without Unity"; fi
    grep -q 'UNITY_DIR=FOLDER' suite || fail "not said how to name Unity: $(cat suite)"
    for file in man/man1/goalkeeper.1 bash-completion/completions/goalkeeper doc/goalkeeper/README.md \
        doc/goalkeeper/CHANGELOG.md doc/goalkeeper/LICENSE doc/goalkeeper/ci/Jenkinsfile; do
        [ -s "$1/share/$file" ] || [ -s "$1/share/$file.gz" ] || fail "$file is missing"
    done
    cd "$here"
    rm -rf "$work"
}

apt-get -qq -o Acquire::Retries=3 update
apt-get -qq install -y ./goalkeeper_*.deb >install.log 2>&1 || { cat install.log >&2; fail "not installed"; }
foreign=$(dpkg -L goalkeeper | grep -vE '^/(\.|usr(/(bin|lib|share)(/(man|doc|bash-completion))?)?)$' |
    grep -vE '^/usr/(bin/goalkeeper|lib/goalkeeper|share/goalkeeper|share/doc/goalkeeper)' |
    grep -vE '^/usr/share/(man/man1|bash-completion/completions)(/goalkeeper.*)?$' || true)
[ -z "$foreign" ] || fail "foreign files: $foreign"
# What its libraries come from it asks for itself, and not somebody that it asks for.
objdump -p /usr/lib/goalkeeper/libgoalkeeper-core.so | awk '$1 == "NEEDED" { print $2 }' | while read -r library; do
    package=$(dpkg -S "*-linux-gnu/$library" | grep -v ^goalkeeper: | sed -n '1s/:.*//p')
    dpkg -s goalkeeper | grep '^Depends:' | grep -qE "[ ,]$package(,|$)" ||
        fail "the package does not ask for $package, which has $library"
done
use /usr
dpkg -r goalkeeper >/dev/null
[ ! -e /usr/lib/goalkeeper ] && [ ! -e /usr/bin/goalkeeper ] || fail "dpkg -r leaves something"

mkdir -p "/opt/a place"
tar -C "/opt/a place" -xzf goalkeeper-*.tar.gz
use "$(echo "/opt/a place"/goalkeeper-*)"
echo "test_packages: installed, unpacked and used"
