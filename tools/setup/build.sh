# The meson build in build/: configured when an option changed, brought up to date on every start.

build_configure() {
    local mode=
    [ -f "$build/meson-private/coredata.dat" ] && mode=--reconfigure
    # An interrupted or much older configuration may not be continued: then it is made anew.
    meson setup $mode "${build_options[@]}" "$build" "$root" || {
        rm -rf "$build"/meson-* "$build/build.ninja"
        meson setup "${build_options[@]}" "$build" "$root"
    }
}

# build_prepare: configures build/, if that has to be done, with the unit tests if $tests says so.
# Never while another launcher compiles there.
build_prepare() {
    local before
    lock 8 "$build/launcher.lock" "compiling in $build"
    before=$(cat "$build/launcher.options" 2>/dev/null)
    # Who once ran the tests keeps them, or every second start would configure.
    case $before in *-Dtests=true) tests=true ;; esac
    build_options=("-Dpython=$PARITY_PYTHON_USED" "-Dtests=$tests")
    [ -f "$build/build.ninja" ] && [ "${build_options[*]}" = "$before" ] && unlock 8 && return
    rm -f "$build/launcher.options"
    step "configure" "$logs/configure.log" build_configure ||
        fail "the build could not be configured; the whole log is $logs/configure.log"
    printf '%s\n' "${build_options[*]}" >"$build/launcher.options"
    unlock 8
}

# build_update: compiles what changed. Says nothing when that is little.
build_update() {
    local log=$logs/build.log
    lock 8 "$build/launcher.lock" "compiling in $build"
    if [ -f "$build/launcher.built" ]; then
        ninja -C "$build" >"$log" 2>&1 </dev/null || { cat "$log" >&2 && fail "the build failed"; }
    else
        step "compile" "$log" ninja -C "$build" || fail "the build failed; the whole log is $log"
        : >"$build/launcher.built"
    fi
    unlock 8
}
