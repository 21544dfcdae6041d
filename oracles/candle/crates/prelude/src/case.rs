//! One run of one program: what it finds bound, and what was seen of it.

use crate::channel;
use crate::look::raw_id;
use crate::panics::{self, Panic};
use candle_core::{DType, Device, Result, Shape, Tensor};
use serde_json::{json, Value};
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A program compiled into this binary. The generator writes one a module.
#[derive(Clone, Copy)]
pub struct Case {
    pub id: &'static str,
    /// The module's file as rustc names it, and how many lines of the program stand in it, from
    /// line 4 on, indented by two except for those that begin inside a string.
    pub file: &'static str,
    pub lines: u32,
    pub unindented: &'static [u32],
    pub observations: usize,
    pub main: fn() -> Result<()>,
}

const LINES_BEFORE: u32 = 3;
const INDENT: u32 = 2;

struct Run {
    device: Device,
    data: Vec<(String, Tensor)>,
    first_id: i64,
    request: u64,
    observed: Vec<Option<Value>>,
    kept: Vec<Tensor>,
    case: Case,
}

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

fn with<T>(work: impl FnOnce(&mut Run) -> T) -> T {
    RUN.with(|run| work(run.borrow_mut().as_mut().expect("used outside the run of a case")))
}

/// The device of the column.
pub fn device() -> Device {
    with(|run| run.device.clone())
}

/// A tensor of the case's `data:`.
pub fn data(name: &str) -> Tensor {
    with(|run| {
        let found = run.data.iter().find(|(known, _)| known == name);
        found.expect("the request lacks data of the case").1.clone()
    })
}

/// The statement at this place of the program begins.
pub fn at(line: u32, column: u32) {
    let id = with(|run| run.request);
    channel::say(&json!({"id": id, "at": {"line": line, "column": column}}).to_string());
}

/// Observation `index`, guarded: when it panics the others are still made.
pub fn observe(index: usize, look: impl FnOnce() -> Result<Value>) {
    let outcome = match catch_unwind(AssertUnwindSafe(look)) {
        Ok(Ok(value)) => json!({ "value": value }),
        Ok(Err(error)) => json!({"error": {"type": "candle", "text": error.to_string()}}),
        Err(payload) => with(|run| panicked(&run.case, panics::take(payload))),
    };
    with(|run| run.observed[index] = Some(outcome));
}

/// Observation `index` is an expression that the compiler refused.
pub fn refused(index: usize, code: &str, text: &str, detail: &str) {
    let outcome = json!({"refused": {"type": code, "text": text, "detail": detail}});
    with(|run| run.observed[index] = Some(outcome));
}

/// Keeps what an observed handle stands on until the answer is written: the address of freed
/// memory would soon be the identity of something else.
pub(crate) fn keep(tensor: &Tensor) {
    RUN.with(|run| {
        if let Some(run) = run.borrow_mut().as_mut() {
            run.kept.push(tensor.clone());
        }
    })
}

/// The last identifier given out before the program began.
pub(crate) fn first_id() -> i64 {
    with(|run| run.first_id)
}

/// A tensor of the request.
pub struct Data {
    pub name: String,
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub bits: Vec<u8>,
}

/// How the program ended, and one outcome an observation.
pub struct Answer {
    pub ends: Value,
    pub observed: Vec<Value>,
}

/// Runs the program on this thread.
pub fn run(case: &Case, request: u64, device: &Device, data: &[Data]) -> Result<Answer> {
    let data = data
        .iter()
        .map(|d| {
            let tensor = Tensor::from_raw_buffer(&d.bits, d.dtype, &d.shape, device)?;
            Ok((d.name.clone(), tensor))
        })
        .collect::<Result<Vec<_>>>()?;
    // The only way to see the counter of identifiers is to take one.
    let first_id = raw_id(Tensor::zeros(Shape::from(()), DType::U8, &Device::Cpu)?.id());
    let observed = vec![None; case.observations];
    RUN.set(Some(Run {
        device: device.clone(),
        data,
        first_id,
        request,
        observed,
        kept: Vec::new(),
        case: *case,
    }));
    panics::watch();
    let ends = match catch_unwind(case.main) {
        Ok(Ok(())) => json!({ "value": null }),
        Ok(Err(error)) => json!({"error": {"type": "candle", "text": error.to_string()}}),
        Err(payload) => panicked(case, panics::take(payload)),
    };
    let run = RUN.take().expect("only this function takes it");
    let through = ends.get("value").is_some();
    let seen = |outcome: Option<Value>| outcome.filter(|_| through);
    let observed = run.observed.into_iter().map(seen);
    let observed = observed.map(|o| o.unwrap_or_else(|| json!({"not_reached": {}}))).collect();
    Ok(Answer { ends, observed })
}

/// The outcome of a panic, with its place when that is in the program.
fn panicked(case: &Case, panic: Panic) -> Value {
    let mut outcome = json!({ "text": panic.text });
    let program = LINES_BEFORE + 1..=LINES_BEFORE + case.lines;
    if let Some(at) = panic.place.filter(|at| at.file == case.file && program.contains(&at.line)) {
        let line = at.line - LINES_BEFORE;
        let indent = if case.unindented.contains(&line) { 0 } else { INDENT };
        outcome["line"] = json!(line);
        outcome["column"] = json!(at.column.saturating_sub(indent).max(1));
    }
    json!({ "panic": outcome })
}
