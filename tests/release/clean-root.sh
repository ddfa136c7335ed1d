#!/usr/bin/env bash
# Installs a package on a clean Debian, opens a dump by its file type as a file manager does, and takes a screenshot.
# Exit status 0 if all checks passed.
#
#   tests/release/clean-root.sh --deb heaplens.deb --dump FILE --screenshot OUT.png [--root FOLDER]
#
# Needs root and debootstrap. Packages come from this machine's apt sources. With --root the clean system is created in that
# folder, or reused if it exists, and kept; heaplens is always installed in a copy.
set -euo pipefail

deb='' dump='' screenshot='' kept=''
while (($#)); do
    case $1 in
        --deb) deb=$(realpath "$2") ;;
        --dump) dump=$(realpath "$2") ;;
        --screenshot) screenshot=$(realpath "$2") ;;
        --root) kept=$(realpath "$2") ;;
        *) deb='' && break ;;
    esac
    shift 2
done
[[ -n $deb && -n $dump && -n $screenshot ]] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }

work=$(mktemp -d)
root=$work/root
mounted=()
ended() {
    # Only processes inside the root were started by this script.
    for process in /proc/[0-9]*; do
        [[ $(readlink "$process/root" 2>/dev/null) == "$root" ]] && kill "${process#/proc/}" 2>/dev/null || true
    done
    sleep 0.5
    for place in "${mounted[@]}"; do umount -l "$place" || true; done
    mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || rm -rf --one-file-system "$work"
}
trap ended EXIT

say() { echo "── $*"; }

# This machine's source of Debian packages, and its transport.
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3; exit }')
made=${kept:-$work/clean}
if [[ ! -x $made/usr/bin/apt-get ]]; then
    say "a clean $suite"
    debootstrap --variant=minbase "$suite" "$made" "$mirror" >"$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
fi
cp -a "$made" "$root"
apt-config dump Acquire | grep -i proxy >"$root/etc/apt/apt.conf.d/80proxy" || true
for place in proc dev; do
    mount --rbind "/$place" "$root/$place" && mount --make-rslave "$root/$place" && mounted+=("$root/$place")
done
# Services of packages must not start here.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cp "$deb" "$root/tmp/heaplens.deb"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
say "install the package, then what is to stand for a desktop"
inside apt-get update -qq
inside apt-get install -y -qq /tmp/heaplens.deb >"$work/apt.log" 2>&1 || { tail -20 "$work/apt.log"; exit 1; }
inside apt-get install -y -qq --no-install-recommends xvfb libglib2.0-bin xdg-utils desktop-file-utils x11-utils imagemagick xdotool \
    >"$work/apt.log" 2>&1 || { tail -20 "$work/apt.log"; exit 1; }
inside heaplens --version
inside useradd --create-home somebody
install -m 644 "$dump" "$root/home/somebody/"

# The user double-clicks.
cat >"$root/tmp/somebody" <<'END'
set -euo pipefail
cd
export XDG_CURRENT_DESKTOP=GNOME XDG_RUNTIME_DIR=$HOME/.run LIBGL_ALWAYS_SOFTWARE=1
mkdir -m 700 "$XDG_RUNTIME_DIR"
wanted() { [[ $2 == "$3" ]] || { echo "$1: $2, not $3" >&2; exit 1; }; echo "$1: $2"; }
type_of() { xdg-mime query filetype "$1"; }

# Every file type of the package, by file name, opens with heaplens.
for pair in a.hprof:x-java-heap-dump a.hprof.gz:x-java-heap-dump-gzip a.heapsnapshot:x-v8-heapsnapshot \
    a.heaptimeline:x-v8-heapsnapshot a.heapsnapshot.gz:x-v8-heapsnapshot-gzip a.rawheap:x-arkts-rawheap \
    a.phd:x-ibm-heapdump a.phd.gz:x-ibm-heapdump-gzip a.heaplens:x-heaplens-analysis; do
    # xdg-mime ignores the name of an empty file, so each file has some content.
    if [[ $pair == *.gz:* ]]; then gzip </etc/passwd; else echo '{}'; fi >"${pair%:*}"
    wanted "type of ${pair%:*}" "$(type_of "${pair%:*}")" "application/${pair#*:}"
    wanted "  opened by" "$(xdg-mime query default "application/${pair#*:}")" heaplens.desktop
    rm "${pair%:*}"
done
# These match patterns that not every desktop supports, and are listed under "Open with".
for type in x-ibm-heapdump-text x-ibm-heapdump-text-gzip; do
    wanted "$type opened by" "$(xdg-mime query default "application/$type")" heaplens.desktop
done
# Dumps are recognised by content, too; other files keep their types.
printf 'JAVA PROFILE 1.0.2\0' >java_pid1
wanted 'type of a dump without a name' "$(type_of java_pid1)" application/x-java-heap-dump
echo '{}' >a.json && echo text >heap.txt && rm java_pid1
wanted 'type of a.json' "$(type_of a.json)" application/json
wanted 'type of heap.txt' "$(type_of heap.txt)" text/plain
rm a.json heap.txt

dump=$(echo *)
exec 3>"$HOME/.display"
Xvfb -displayfd 3 -screen 0 1440x900x24 >"$HOME/.xvfb" 2>&1 &
for ((n = 0; n < 100; n++)); do [[ -s $HOME/.display ]] && break; sleep 0.1; done
export DISPLAY=:$(cat "$HOME/.display")
echo "$dump is $(type_of "$dump")"
xdg-open "$dump" >.opened 2>&1
# The title shows the dump once it is open.
for ((n = 0; n < 300; n++)); do
    title=$(xdotool search --class heaplens getwindowname %@ 2>/dev/null | tail -n 1) || true
    [[ $title == "$dump "* ]] && break
    sleep 0.1
done
[[ $title == "$dump "* ]] || { echo "no window with the dump has come:" >&2; xwininfo -root -tree >&2; cat .opened >&2; exit 1; }
echo "window: $title"
# The pointer is over nothing, so no tooltip is shown.
xdotool mousemove 1439 899
sleep 10
import -window root "$HOME/.screen.png"
END
inside su - somebody -c 'bash /tmp/somebody'
cp "$root/home/somebody/.screen.png" "$screenshot"
say "$screenshot"

say "and gone again"
inside apt-get purge -y -qq heaplens >/dev/null 2>&1
left=$(find "$root/usr" "$root/etc" -name '*heaplens*' -not -path '*/mime/*')
[[ -z $left ]] || { echo "left behind: $left" >&2; exit 1; }
