# The Python whose PyTorch the torch column uses: the one named by PARITY_PYTHON, or an environment
# of our own in the cache, named by the hash of what it is made from. Sets PARITY_PYTHON_USED, or
# python_absent to the reason why there is none.

requirements=$root/oracles/torch/requirements.txt
python_least=3.11 # that the pinned wheel is made for

# at_least LEAST VERSION
at_least() {
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

# python_probe COMMAND: sets the python_… facts of probe.py, and python_closed to the reason why it
# cannot be embedded, if so; fails when COMMAND is no Python.
python_probe() {
    local facts
    facts=$("$1" "$root/tools/setup/probe.py" 2>/dev/null) && eval "$facts" || return
    python_closed=$("$1" -I "$root/oracles/torch/find_python.py" | sed -n 's/^absent.//p')
}

# python_fit: whether the pinned PyTorch runs in it, embedded. Else python_closed says why not.
python_fit() {
    [ -n "$python_closed" ] || at_least "$python_least" "$python_version" ||
        python_closed="it is Python $python_version, and the pinned PyTorch wants $python_least or later"
    [ -z "$python_closed" ]
}

# python_choose: the facts of the first Python that can be embedded and can make environments; else
# of the last one found, which Debian's packages can complete.
python_choose() {
    local command
    python_exe= python_version= python_prefix= python_venv= python_torch= python_closed=
    if [ -n "$PARITY_PYTHON" ]; then
        python_probe "$PARITY_PYTHON"
        return
    fi
    # All of PATH: a version manager's Python may hide Debian's.
    while read -r command; do
        python_probe "$command" && python_fit && [ -n "$python_venv" ] && return
    done < <(type -ap python3.11 python3 python3.12 python3.13 python3.14)
    [ -n "$python_exe" ]
}

# python_locate: what is there already. Fails when the environment has to be made.
python_locate() {
    PARITY_PYTHON_USED= python_absent=
    if [ -n "$PARITY_PYTHON" ]; then
        python_use_given
        return 0
    fi
    python_key=$({
        printf '%s\n' "$python_version" "$python_prefix" && grep -v '^#' "$requirements"
    } | digest)
    python_env=$PARITY_CACHE/python-$python_key
    [ -x "$python_env/bin/python" ] && PARITY_PYTHON_USED=$python_env/bin/python
}

python_use_given() {
    if [ -z "$python_exe" ]; then
        python_absent="PARITY_PYTHON=$PARITY_PYTHON is no Python"
    elif [ -z "$python_torch" ]; then
        python_absent="PARITY_PYTHON=$PARITY_PYTHON has no torch"
    elif ! at_least 1.13 "$python_torch"; then
        python_absent="PARITY_PYTHON=$PARITY_PYTHON has torch $python_torch, which is older than 1.13"
    elif [ -n "$python_closed" ]; then
        python_absent="PARITY_PYTHON=$PARITY_PYTHON: $python_closed"
    else
        PARITY_PYTHON_USED=$python_exe
    fi
}

# Size and time stand in the requirements file, beside what they were measured of.
python_announce() {
    say "  PyTorch, into $python_env"
    say "      $(sed -n 's/^# *fetch: *//p' "$requirements" | head -n 1)"
}

# Runs with the environment under a temporary name. What was fetched whole before an interrupt comes
# from pip's own cache.
python_fill() {
    local part=$1
    [ -x "$part/bin/python" ] && "$part/bin/python" -m pip --version >/dev/null 2>&1 ||
        { rm -rf "$part" && "$python_exe" -m venv "$part"; } || return
    "$part/bin/python" -m pip install --disable-pip-version-check --no-input --retries 2 \
        --progress-bar off --no-deps -r "$requirements" || return
    # The commands in bin/ name their interpreter by its path, which is about to change.
    grep -lIr "^#!$part/" "$part/bin" | while read -r script; do
        sed "1s|^#!$part/|#!$python_env/|" "$script" >"$script.new" && cat "$script.new" >"$script"
        rm -f "$script.new"
    done
}

python_make() {
    if [ -z "$python_exe" ]; then
        python_absent="no Python 3 was found (PARITY_PYTHON=PYTHON names one)"
    elif [ -n "$python_closed" ]; then
        python_absent="$python_exe: $python_closed"
    elif [ -z "$python_venv" ]; then
        python_absent="$python_exe has no module venv (python3-venv on Debian)"
    elif [ "$offline" = yes ]; then
        python_absent="PyTorch is not in the cache, and PARITY_OFFLINE forbids to fetch it"
    elif step "PyTorch" "$logs/python.log" python_fill "$python_env.part" &&
        mv "$python_env.part" "$python_env"; then
        PARITY_PYTHON_USED=$python_env/bin/python
    else
        python_absent="PyTorch could not be fetched (see $logs/python.log)"
    fi
    [ -n "$PARITY_PYTHON_USED" ]
}
