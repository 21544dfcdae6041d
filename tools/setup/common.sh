# Messages, progress, locks and hashes: what every step of the set-up uses. Sourced by ./parity.
# Everything is said on stderr, so that a report on stdout stays clean.

say() { printf '%s\n' "$*" >&2; }

# fail SENTENCE…: the set-up cannot go on. The harness itself ends with 0 to 3.
fail() {
    say "parity: $*"
    exit 4
}

have() { command -v "$1" >/dev/null 2>&1; }

# digest: the name of what is made from standard input.
digest() {
    { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-16
}

elapsed() {
    local seconds=$((SECONDS - $1))
    if [ $seconds -lt 60 ]; then printf '%d s' $seconds; else
        printf '%d min %02d s' $((seconds / 60)) $((seconds % 60))
    fi
}

# A line that shows how long the running step takes and what it said last, on descriptor 3. Ends with
# the launcher.
ticker() {
    local title=$1 log=$2 from=$SECONDS last
    while kill -0 $$ 2>/dev/null; do
        last=$(tail -n 1 "$log" 2>/dev/null | tr -cd '[:print:]' | cut -c1-46)
        printf '\r\033[K  %-28s %s  %s' "$title" "$(elapsed "$from")" "$last" >&3
        sleep 0.5
    done
}

ticker_stop() {
    [ -n "${ticker_pid:-}" ] || return 0
    kill "$ticker_pid" 2>/dev/null
    wait "$ticker_pid" 2>/dev/null
    ticker_pid=
    printf '\r\033[K' >&2
}

# step TITLE LOG COMMAND…: runs COMMAND with its output in LOG, in the foreground, so that an
# interrupt ends it.
step() {
    local title=$1 log=$2 from=$SECONDS status=0
    shift 2
    : >"$log"
    if [ -t 2 ]; then
        # Whatever its pipes say when it is killed concerns nobody.
        ticker "$title" "$log" 8>&- 9>&- 3>&2 2>/dev/null &
        ticker_pid=$!
    else
        say "  $title …"
    fi
    ("$@") >"$log" 2>&1 </dev/null || status=$?
    ticker_stop
    if [ $status -eq 0 ]; then
        say "  $title: done in $(elapsed "$from")"
    else
        say "  $title: failed after $(elapsed "$from"); the end of $log:"
        tail -n 12 "$log" | sed 's/^/      /' >&2
    fi
    return $status
}

# flock(1) where it exists; elsewhere (macOS) perl takes the same lock on the same descriptor.
lock_descriptor() {
    if have flock; then
        flock "$@"
    else
        perl -e 'use Fcntl ":flock"; my $now = $ARGV[0] eq "-n" ? LOCK_NB : 0;
                 open(my $f, ">&=" . $ARGV[-1]) or exit 1; exit !flock($f, LOCK_EX | $now)' -- "$@"
    fi
}

# lock DESCRIPTOR FILE WHAT: waits until no other launcher holds FILE. Held until unlock, or the end
# of this process and of all it started: a killed launcher's compiler is not joined by a second one.
lock() {
    eval "exec $1>>\"\$2\""
    lock_descriptor -n "$1" && return
    say "parity: another parity is $3; waiting until it is done"
    lock_descriptor "$1"
}

unlock() { eval "exec $1>&-"; }
