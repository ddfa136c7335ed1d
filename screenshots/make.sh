#!/usr/bin/env bash
# Draws the screenshots of this folder again, from the fixtures, without a display.
#
#   screenshots/make.sh target/release/heaplens [NAME...]     all, or those whose name begins so
#
# Pictures of the real window (menu-*, package-*, process-list-*, process-watch-*) and of dumps that are not fixtures (opening-*, *-5m-*, *-10m-*) stay as they are.
# pngquant makes them smaller where it is installed.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
program=$(realpath "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work HOME=$work

leak=fixtures/leak-after.hprof.gz
both="fixtures/leak-before.hprof.gz $leak"
node=fixtures/node/desk-final.heapsnapshot.gz
nodes="fixtures/node/desk-baseline.heapsnapshot.gz fixtures/node/desk-target.heapsnapshot.gz $node"
album=fixtures/android/album
phd=fixtures/ibm/heapdump.20261122.120000.4711.0001.phd

# A name and the arguments; each is drawn in the themes and sizes of which there is a file.
while read -r name arguments; do
    wanted=$#
    for prefix in "$@"; do [[ $name == "$prefix"* ]] && wanted=0; done
    ((wanted == 0)) || continue
    for theme in dark light; do
        for size in '' -small; do
            out=screenshots/$name-$theme$size.png
            [[ -f $out ]] || continue
            # shellcheck disable=SC2086 # arguments are words
            "$program" $arguments --screenshot "$out" --theme "$theme" --size "$([[ $size ]] && echo 1000x640 || echo 1440x900)"
            if command -v pngquant >/dev/null; then
                pngquant --force --skip-if-larger --output "$out" 256 "$out" || true
            fi
        done
    done
done <<END
welcome --view welcome
overview $leak --view overview
leaks $leak --view leaks
histogram $leak --view histogram
dominators $leak --view dominators
treemap $leak --view dominators --chart treemap
icicle $leak --view dominators --chart icicle
sunburst $leak --view dominators --chart sunburst
split $leak --view dominators --chart split
objects $leak --view objects --object desk.SessionCache.ENTRIES["ceb7a421a2ccb0095de77a006253411"]
paths $leak --view paths --object desk.SessionCache.ENTRIES["ceb7a421a2ccb0095de77a006253411"]
threads $leak --view threads
waste $leak --view waste
strings $leak --view strings
collections $leak --view collections
loaders $leak --view loaders
roots $leak --view roots
finalizers $leak --view finalizers
stars $leak --view stars
parse-warnings $leak --view parse-warnings
palette $leak --palette HMN
ownership $leak --view ownership
gaps $leak --view gaps
removal $leak --view dominators --chart treemap --cut desk.SessionCache.ENTRIES
after-overview $leak --view overview --cut desk.SessionCache.ENTRIES --after
after-dominators $leak --view dominators --cut desk.SessionCache.ENTRIES --after
after-treemap $leak --view dominators --chart treemap --cut desk.SessionCache.ENTRIES --after
process-memory fixtures/process/direct-buffers.hprof.gz --view process
process-overview fixtures/process/direct-buffers.hprof.gz --view overview
policies $leak --view policies
route $leak --view route --from 0xfe03f188 --object 0xfe0a7c68
growth $both --view growth
growth-treemap $both --view growth --chart treemap
snapshot-overview $node --view overview
snapshot-histogram $node --view histogram
snapshot-containment $node --view containment
snapshot-closures $node --view closures
snapshot-retained-by $node --view retained-by
snapshot-native-contexts $node --view native-contexts
snapshot-detached $node --view detached
snapshot-timeline fixtures/node/recorded.heaptimeline.gz --view timeline
snapshot-stayed $nodes --view growth --table stayed
snapshot-growing $nodes --view growth --table growing
android-overview $album.hprof.gz --view overview
android-leaks $album.hprof.gz --view leaks
android-histogram $album.hprof.gz --view histogram
android-dominators $album.hprof.gz --view dominators
android-bitmaps $album.hprof.gz --view bitmaps
android-obfuscated $album-r8.hprof.gz --view leaks
android-mapped $album-r8.hprof.gz --view leaks --mapping $album-r8.mapping.txt
phd-overview $phd --view overview
phd-ownership $phd --view ownership
END
