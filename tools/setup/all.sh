# The whole set-up: finds out what is missing, says it, makes it, and writes down what was found.

for part in system python crates; do
    . "$root/tools/setup/$part.sh"
done

# setup FULL TESTS USE…: FULL (yes, no) asks for PyTorch and candle, TESTS (true, false) for the
# unit tests; each USE is a word of packages.txt.
setup() {
    local full=$1 tests=$2
    shift 2
    mkdir -p "$PARITY_CACHE" "$logs" ||
        fail "cannot write to $PARITY_CACHE; PARITY_CACHE=DIR names another place"
    lock 9 "$PARITY_CACHE/setup.lock" "setting up"
    # What another launcher made while this one waited
    if [ "$force" = no ] && state_current "$full" "$tests"; then
        unlock 9
        build_update
        return
    fi
    python_choose
    packages_can_install || packages_require "$@"
    packages_missing "$@"
    setup_announce "$full"
    if [ -n "$missing_names" ] && packages_can_install; then
        packages_install "$@"
        python_choose
    fi
    setup_part "$full" python "the torch column"
    setup_part "$full" crates "the candle column"
    build_prepare
    state_write "$full" "$tests"
    build_update
    unlock 9
}

# Says what is going to be fetched and made, before anything is.
setup_announce() {
    local full=$1 work=no
    packages_can_install || missing_names=
    [ -f "$build/launcher.built" ] && [ -z "$missing_names" ] || work=yes
    python_locate || { [ "$full" = yes ] && work=yes; }
    crates_locate || { [ "$full" = yes ] && work=yes; }
    [ $work = yes ] || return 0
    say "Parity sets itself up. This is fetched and built now, once:"
    [ -z "$missing_names" ] || say "  packages of this system:$missing_debian (a minute)"
    if [ "$full" = yes ] && [ "$offline" = no ]; then
        [ -n "$PARITY_PYTHON_USED$python_absent" ] || python_announce
        [ -n "$PARITY_CRATES" ] || ! have cargo || crates_announce
    fi
    [ -f "$build/launcher.built" ] || say "  Parity itself, into $build (half a minute)"
    say "It can be interrupted and goes on from there; \`./parity doctor --clean\` removes it."
}

# setup_part FULL PART COLUMN: makes PART unless it is there; without it the rest works.
setup_part() {
    local absent=${2}_absent
    "${2}_locate" || { [ "$1" = yes ] && "${2}_make"; }
    [ "$1" = no ] || [ -z "${!absent}" ] ||
        say "  without $3: ${!absent}. \`./parity setup\` tries again."
}
