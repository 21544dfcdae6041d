# What the last set-up found, as shell assignments in build/, and whether it still holds. Reading it
# costs a few milliseconds: no program is started.

state=$build/launcher.state

# Everything from outside that the state depends on.
state_surroundings() {
    surroundings="$PARITY_CACHE|$PARITY_PYTHON|$offline|${RUSTUP_TOOLCHAIN-}"
}

# state_current FULL TESTS: sets PARITY_PYTHON_USED and PARITY_CRATES, if the state holds.
state_current() {
    local input
    [ -f "$state" ] || return
    . "$state"
    state_surroundings
    [ "$state_of" = "$surroundings" ] || return
    [ "$state_full" = yes ] || [ "$1" = no ] || return
    [ "$state_tests" = true ] || [ "$2" = false ] || return
    [ -z "$PARITY_PYTHON_USED" ] || [ -x "$PARITY_PYTHON_USED" ] || return
    [ -z "$PARITY_CRATES" ] || [ -d "$PARITY_CRATES" ] || return
    # cargo came since: candle can be had now
    [ "$state_cargo" = yes ] || ! type cargo >/dev/null 2>&1 || return
    for input in "$root"/tools/setup/* "$root"/oracles/torch/requirements.txt \
        "$root"/oracles/candle/{build.py,{,*/,*/*/,*/*/*/}{Cargo.*,*.rs}} \
        "${RUSTUP_HOME:-$HOME/.rustup}"/{settings.toml,update-hashes}; do
        [ "$input" -nt "$state" ] && return 1
    done
    return 0
}

# state_write FULL TESTS: under a temporary name first, for another launcher may be reading.
state_write() {
    state_surroundings
    {
        printf '%s=%q\n' state_of "$surroundings" state_full "$1" state_tests "$2" \
            state_cargo "$(have cargo && echo yes || echo no)" \
            PARITY_PYTHON_USED "$PARITY_PYTHON_USED" PARITY_CRATES "$PARITY_CRATES"
    } >"$state.new" && mv "$state.new" "$state"
}
