//! What a candle program finds at hand in Parity ([`prelude`], [`ops`]), and the worker that runs
//! the programs compiled into one binary and observes what they leave ([`worker`]).
//!
//! The generator (`oracles/candle/generate.c`) writes code against `device`, `data`, `at`, `refused`,
//! `observe`, [`look`] and [`Case`]; the protocol is `docs/protocol.md`.

mod bits;
mod case;
mod channel;
mod host;
pub mod look;
mod memory;
pub mod ops;
mod panics;
mod places;
pub mod worker;

pub use case::{at, data, device, observe, refused, Case};
pub use host::{attempt, shares, value, Host};
pub use look::Observe;
pub use memory::{measure, peak_rss, Mib};

/// What line 1 of a program brings into scope besides candle itself.
pub mod prelude {
    pub use crate::host::{attempt, shares, value};
    pub use crate::memory::{measure, peak_rss};
}

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;
