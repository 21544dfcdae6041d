# Removes what set-up made: this checkout's build directories and Parity's part of the cache.

clean() {
    local each
    mkdir -p "$PARITY_CACHE" && lock 9 "$PARITY_CACHE/setup.lock" "setting up"
    # Only what bears a name of ours: PARITY_CACHE may be a directory with other things in it.
    for each in "$PARITY_CACHE"/{python,crates,cases,node}-* "$PARITY_CACHE"/cases \
        "$root"/build "$root"/build-*; do
        [ -e "$each" ] || continue
        say "removing $each ($(du -sh "$each" | cut -f1))"
        rm -rf "$each"
    done
    unlock 9
    rm -f "$PARITY_CACHE"/{setup,node}.lock
    rmdir "$PARITY_CACHE" 2>/dev/null
    return 0
}
