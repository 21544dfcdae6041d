//! The two ends of the protocol, out of the way of programs that print, read or close descriptors.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::FromRawFd;
use std::sync::{Mutex, OnceLock};

/// The longest line that may travel.
pub const LIMIT: u64 = 64 << 20;

static OUT: OnceLock<Mutex<File>> = OnceLock::new();

/// Moves the protocol to private descriptors, points 0 at /dev/null and 1 at 2, and returns the
/// requests. To be called once, first.
pub fn take() -> io::Result<BufReader<File>> {
    let requests = move_high(0)?;
    let answers = move_high(1)?;
    unsafe {
        let null = check(libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY))?;
        check(libc::dup2(null, 0))?;
        check(libc::dup2(2, 1))?;
        if null > 2 {
            libc::close(null);
        }
        // A worker in an endless loop would otherwise outlive a harness that was killed.
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    let _ = OUT.set(Mutex::new(answers));
    Ok(BufReader::new(requests))
}

fn check(status: i32) -> io::Result<i32> {
    if status < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(status)
}

/// Out of the reach of programs that close every small number they can think of.
fn move_high(descriptor: i32) -> io::Result<File> {
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        check(libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit))?;
        let lowest = (limit.rlim_cur.clamp(64, 1024) - 16) as i32;
        let moved = check(libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, lowest))?;
        Ok(File::from_raw_fd(moved))
    }
}

/// The next request without its newline; None at the end of input.
pub fn next_line(requests: &mut BufReader<File>) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    requests.take(LIMIT).read_until(b'\n', &mut line)?;
    match line.pop() {
        Some(b'\n') => Ok(Some(line)),
        Some(_) if line.len() as u64 + 1 == LIMIT => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "a request is longer than 64 MiB"))
        }
        _ => Ok(None),
    }
}

/// Writes one line. A harness that no longer listens ends the worker.
pub fn say(line: &str) {
    let mut out = OUT.get().expect("the channel is taken first").lock().unwrap();
    if out.write_all(format!("{line}\n").as_bytes()).is_err() {
        std::process::exit(1);
    }
}
