#!/bin/sh
# Installs into an empty folder and uses what is there as a user would: away from the checkout.
#   test_install.sh BUILD
set -eu

build=$1
into=$(mktemp -d)
trap 'rm -rf "$into"' EXIT

fail() {
    echo "test_install: $*" >&2
    exit 1
}

cmake --install "$build" --prefix "$into" >"$into.log" 2>&1 || {
    cat "$into.log" >&2
    fail "cmake --install failed"
}
rm -f "$into.log"

program=$into/bin/goalkeeper
cd "$into"
"$program" --version | grep -q '^goalkeeper [0-9]' || fail "--version says nothing"
"$program" status nothing.db >out 2>&1 && fail "status of a missing database succeeds"
grep -q 'cannot be loaded' out && fail "the library is not found after installation"
"$program" doctor >out 2>&1 || true
grep -q '^ok *C compiler' out || fail "the installed doctor does not work"

page=share/man/man1/goalkeeper.1
grep -q '^\.TH GOALKEEPER 1' "$page" || fail "no manual page"
if command -v man >/dev/null && command -v groff >/dev/null; then
    LC_ALL=C.UTF-8 man --warnings -l "$page" >out 2>err || fail "man cannot read the page"
    [ ! -s err ] || fail "the manual page has warnings: $(cat err)"
    grep -q 'goalkeeper gate' out || fail "the manual page does not show the commands"
fi

completion=share/bash-completion/completions/goalkeeper
bash -c ". '$into/$completion' && complete -p goalkeeper" >/dev/null || fail "no completion"
for file in share/goalkeeper/goalkeeper.schema.json share/goalkeeper/schema.sql \
    share/doc/goalkeeper/README.md share/doc/goalkeeper/LICENSE share/doc/goalkeeper/CHANGELOG.md \
    share/goalkeeper/samples/door_debounce/goalkeeper.json; do
    [ -s "$file" ] || fail "$file is not installed"
done
foreign=$(find . -name '*.rb' -o -name examples -o -name Gemfile -o -name 'goalkeeper.db*')
[ -z "$foreign" ] || fail "what does not belong to the program: $foreign"
grep -rqIF "$build" bin share && fail "the installed files point into the build folder"
echo "installed and used: $("$program" --version)"
