# The host's packages: finds what packages.txt asks for, installs it as root on Debian, else says
# how.

# package_found WHAT
package_found() {
    case $1 in
        command:*) have "${1#command:}" ;;
        module:*) have pkg-config && pkg-config --exists "${1#module:}" ;;
        # Debian's packages complete Debian's own Python, not one that the user names.
        python:embed) [ -n "$PARITY_PYTHON" ] || [ -z "$python_closed" ] ;;
        python:venv) [ -n "$PARITY_PYTHON$python_venv" ] ;;
    esac
}

# packages_missing USE…: sets missing_debian and missing_brew, and missing_names for people.
packages_missing() {
    local what use debian brew
    missing_debian= missing_brew= missing_names=
    while read -r what use debian brew; do
        case $what in '' | '#'*) continue ;; esac
        case " $* " in *" $use "*) ;; *) continue ;; esac
        package_found "$what" && continue
        missing_names="$missing_names ${what#*:}"
        missing_debian="$missing_debian ${debian//,/ }"
        [ "$brew" = - ] || missing_brew="$missing_brew $brew"
    done <"$root/tools/setup/packages.txt"
    [ -n "$missing_names" ]
}

packages_can_install() {
    [ "$offline" = no ] && [ "$(id -u)" -eq 0 ] && have apt-get
}

packages_command() {
    if have apt-get; then
        printf 'sudo apt-get install --no-install-recommends%s' "$missing_debian"
    elif have brew || [ "$(uname)" = Darwin ]; then
        printf 'xcode-select --install; brew install%s' "$missing_brew"
    else
        printf 'the equivalents of the Debian packages%s' "$missing_debian"
    fi
}

packages_apt() {
    export DEBIAN_FRONTEND=noninteractive
    # Fresh machines have no package lists, and old lists name files that are gone.
    apt-get install -y --no-install-recommends $missing_debian ||
        { apt-get update && apt-get install -y --no-install-recommends $missing_debian; }
}

# packages_require USE…: ends the launcher when something is missing. PyTorch and the style check are
# done without.
packages_require() {
    local hard=run
    case " $* " in *' test '*) hard='run test' ;; esac
    # shellcheck disable=SC2086 # words
    packages_missing $hard &&
        fail "not found:$missing_names. Install with: $(packages_command)"
    return 0
}

packages_install() {
    step "Debian packages" "$logs/packages.log" packages_apt
    # The build looks for them again.
    rm -f "$build/launcher.options"
    packages_require "$@"
}
