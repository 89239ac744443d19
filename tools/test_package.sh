#!/usr/bin/env bash
# tools/test_package.sh DEB: unpacks the package, and as root also installs and removes it; checks that the
# command runs, that its libraries are all declared, and that man page and completion know every command.
set -euo pipefail
cd "$(dirname "$0")/.."
deb=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

check() {
  local name=$1
  shift
  if "$@" >"$folder/out" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s: %s\n' "$name" "$*"
    tail -n 5 "$folder/out"
  fi
}

dpkg-deb -x "$deb" "$folder/root"
berth=$folder/root/usr/bin/berth
files() { (cd "$folder/root" && [[ -x usr/bin/berth && -s usr/share/man/man1/berth.1.gz && \
  -s usr/share/bash-completion/completions/berth && -s usr/share/zsh/vendor-completions/_berth && \
  -s usr/share/fish/vendor_completions.d/berth.fish && -s usr/share/doc/berth/copyright ]]); }
all_libraries_found() { ! ldd "$berth" | grep 'not found'; }
man_is_clean() { [[ -z "$(man --warnings -l "$folder/root/usr/share/man/man1/berth.1.gz" 2>&1 >/dev/null)" ]]; }
places() {  # exit 2 means done, something waits
  local status=0
  "$1" plan examples/demo || status=$?
  [[ $status -eq 2 ]]
}
check "the files are there" files
check "its libraries are there" all_libraries_found
check "the version is printed" "$berth" --version
check "the demo is planned" places "$berth"
check "the man page has no warnings" man_is_clean

# The help lists the commands between "Commands:" and the next empty line.
commands=$("$berth" --help | sed -n '/^Commands:/,/^$/p' | awk '/^  [a-z]/ {print $1}')
check "the help lists commands" test -n "$commands"
help_of() { if [[ $1 == sim ]]; then "$berth" sim openb --help; else "$berth" "$1" --help; fi; }
for command in $commands; do
  for file in usr/share/bash-completion/completions/berth usr/share/zsh/vendor-completions/_berth usr/share/fish/vendor_completions.d/berth.fish; do
    check "$file knows $command" grep -qw -- "$command" "$folder/root/$file"
  done
  check "the man page knows $command" sh -c "zgrep -qw -- '$command' '$folder/root/usr/share/man/man1/berth.1.gz'"
  # Every long option of the command's help is described and completed.
  for option in $(help_of "$command" | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
    check "the man page knows $command $option" sh -c "zcat '$folder/root/usr/share/man/man1/berth.1.gz' | sed 's/\\\\-/-/g' | grep -q -- '$option'"
    check "bash completion knows $command $option" grep -q -- "$option" "$folder/root/usr/share/bash-completion/completions/berth"
  done
done
completes() {
  bash -c 'source "$1"; COMP_WORDS=(berth pl); COMP_CWORD=1; _berth; [[ " ${COMPREPLY[*]} " == *" plan "* ]]' _ \
    "$folder/root/usr/share/bash-completion/completions/berth"
}
check "bash completes a command" completes

if [[ $(id -u) -eq 0 && "${BERTH_INSTALL_TEST:-1}" == 1 ]] && ! dpkg-query -W berth >/dev/null 2>&1; then
  check "it installs" env DEBIAN_FRONTEND=noninteractive dpkg -i "$deb"
  check "it runs where it is installed" places /usr/bin/berth
  check "it goes away" dpkg -r berth
  check "nothing is left" test ! -e /usr/bin/berth
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
