# shellcheck shell=bash
# Runs programs in a root folder. Sourced by the other scripts of this folder.

# Mounts proc, dev and these folders of this machine at the same paths in a root, until the script ends.
begin_inside() {
    root=$1
    scratch=$(mktemp -d)
    mounted=()
    trap end_inside EXIT
    local place
    for place in proc dev; do
        mount --rbind "/$place" "$root/$place" && mount --make-rslave "$root/$place" && mounted+=("$root/$place")
    done
    for place in "${@:2}"; do mount_same "$place"; done
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# Mounts a folder of this machine at the same path in the root.
mount_same() {
    local place
    place=$(realpath "$1")
    mountpoint -q "$root$place" && return
    mkdir -p "$root$place"
    mount --bind "$place" "$root$place" && mounted=("$root$place" "${mounted[@]}")
}

end_inside() {
    local process place
    # Only processes inside the root were started by this script.
    for process in /proc/[0-9]*; do
        [[ $(readlink "$process/root" 2>/dev/null) == "$root" ]] && kill "${process#/proc/}" 2>/dev/null || true
    done
    sleep 0.5
    for place in "${mounted[@]}"; do umount -l "$place" || true; done
    rm -rf --one-file-system "$scratch"
}

# Runs a command in the root, in this folder.
inside() {
    chroot "$root" env -i HOME=/root USER=root LC_ALL=C.UTF-8 PATH=/usr/bin:/bin WINEDEBUG=-all WINEPREFIX=/root/.wine \
        DISPLAY="${display-}" XDG_RUNTIME_DIR=/root LIBGL_ALWAYS_SOFTWARE=1 env -C "$PWD" "$@"
}

# Path of a script that runs a program for Windows.
wine_program() {
    printf '#!/usr/bin/env bash\nset -e\n%s\nroot=%q\ncd %q\ninside wine %q "$@"\n' "$(declare -f inside)" "$root" "$PWD" "$1" >"$scratch/heaplens"
    chmod 755 "$scratch/heaplens"
    echo "$scratch/heaplens"
}
