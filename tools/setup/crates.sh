# The candle crates, compiled by cargo into a directory of the cache that is named by the hash of
# what they are made from. Sets PARITY_CRATES, or crates_absent to the reason why there are none.

candle=$root/oracles/candle

# crates_locate: what is there already. Fails when the crates have to be compiled.
crates_locate() {
    local rustc
    PARITY_CRATES= crates_absent=
    have rustc && have cargo || return
    rustc=$(cd "$candle/crates" && rustc -vV) || return
    crates_key=$({ printf '%s\n' "$rustc" && crates_inputs; } | digest)
    crates_dir=$PARITY_CACHE/crates-$crates_key
    [ -d "$crates_dir" ] && touch "$crates_dir" && PARITY_CRATES=$crates_dir
}

# The text of all files that the crates are made from.
crates_inputs() {
    find "$candle" -name target -prune -o -type f \
        \( -name '*.rs' -o -name 'Cargo.*' -o -name build.py \) -print0 |
        LC_ALL=C sort -z | xargs -0 cat
}

crates_announce() {
    say "  candle 0.11.0, into $crates_dir"
    say "      30 MB fetched, 400 MB on disk, 3 to 5 minutes of compiling"
}

# Runs with the directory under a temporary name; cargo goes on from what an interrupt left there.
crates_fill() {
    local part=$1 sibling
    if [ ! -d "$part" ]; then
        # After an edit of the prelude only that is compiled again, in a copy of the newest one.
        sibling=$(crates_complete | head -n 1)
        if [ -n "$sibling" ]; then cp -a "$sibling" "$part"; fi
    fi
    python3 "$candle/build.py" "$part"
}

# Complete directories, those used last first.
crates_complete() {
    ls -td "$PARITY_CACHE"/crates-* 2>/dev/null | grep -v '\.part$'
}

# Who edits the prelude makes many directories: the four used last are kept.
crates_prune() {
    crates_complete | tail -n +5 | while read -r old; do rm -rf "$old"; done
}

crates_make() {
    if ! have cargo || ! have rustc; then
        crates_absent="cargo and rustc were not found (they come from rustup.rs)"
    elif [ "$offline" = yes ]; then
        crates_absent="candle is not in the cache, and PARITY_OFFLINE forbids to fetch it"
    elif step "candle crates" "$logs/crates.log" crates_fill "$crates_dir.part" &&
        mv "$crates_dir.part" "$crates_dir"; then
        PARITY_CRATES=$crates_dir
        crates_prune
    else
        crates_absent="the candle crates could not be compiled (see $logs/crates.log)"
    fi
    [ -n "$PARITY_CRATES" ]
}
