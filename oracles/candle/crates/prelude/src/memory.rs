//! Memory as programs measure it: bytes asked of the allocator, and the peak resident set.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The system's allocator, counting every byte it is asked for. Growing a block counts the growth.
pub struct Counting;

static REQUESTED: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTED.fetch_add(layout.size() as u64, Relaxed);
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        REQUESTED.fetch_add(layout.size() as u64, Relaxed);
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        System.dealloc(block, layout)
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REQUESTED.fetch_add(size.saturating_sub(layout.size()) as u64, Relaxed);
        System.realloc(block, layout, size)
    }
}

/// An amount of memory in MiB.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mib(pub f64);

impl Mib {
    fn from_bytes(bytes: u64) -> Self {
        Mib(bytes as f64 / (1 << 20) as f64)
    }
}

impl std::fmt::Display for Mib {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What `work` gives, and the memory that it asked of the allocator (all threads together).
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, Mib) {
    let before = REQUESTED.load(Relaxed);
    let value = work();
    (value, Mib::from_bytes(REQUESTED.load(Relaxed) - before))
}

/// What `work` gives, and by how much the peak resident set of the process grew in it. Linux only.
pub fn peak_rss<T>(work: impl FnOnce() -> T) -> (T, Mib) {
    std::fs::write("/proc/self/clear_refs", "5").expect("peak_rss needs /proc/self/clear_refs");
    let before = high_water_kib();
    let value = work();
    (value, Mib((high_water_kib() - before) as f64 / 1024.0))
}

fn high_water_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("peak_rss needs /proc");
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim_end_matches("kB").trim().parse().ok())
        .expect("peak_rss needs VmHWM in /proc/self/status")
}
