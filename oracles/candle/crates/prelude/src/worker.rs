//! The worker loop: says ready, then answers requests until the input ends (docs/protocol.md).

use crate::case::{self, Answer, Case, Data};
use crate::channel;
use candle_core::{DType, Device};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::Write;
use std::str::FromStr;
use std::sync::OnceLock;

/// What the generated `main` hands over.
pub struct Worker {
    pub version: &'static str,
    pub provenance: &'static [(&'static str, &'static str)],
    pub cases: &'static [Case],
}

/// An observation whose JSON takes more than this does not travel.
const OBSERVATION_LIMIT: usize = 8 << 20;

/// Never returns: the process ends when the requests do.
pub fn serve(worker: Worker) -> ! {
    // Before anything looks at them, so that error texts have no trace and sums have one order.
    std::env::set_var("RUST_BACKTRACE", "0");
    std::env::set_var("RUST_LIB_BACKTRACE", "0");
    std::env::set_var("RAYON_NUM_THREADS", "1");
    let code = match answer_all(&worker) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{error}");
            1
        }
    };
    std::process::exit(code)
}

fn answer_all(worker: &Worker) -> Result<(), Box<dyn std::error::Error>> {
    let mut requests = channel::take()?;
    let mut cases = HashMap::new();
    for case in worker.cases {
        cases.insert(case.id, case);
    }
    let memory = MemoryLimit::now();
    let provenance: serde_json::Map<String, Value> =
        worker.provenance.iter().map(|(name, text)| (name.to_string(), json!(text))).collect();
    let ready = json!({"ready": {"protocol": 1, "engine": "candle", "version": worker.version,
        "cancel": false, "provenance": provenance}});
    channel::say(&ready.to_string());
    while let Some(line) = channel::next_line(&mut requests)? {
        let request: Value = serde_json::from_slice(&line)?;
        if request.get("cancel").is_some() {
            continue; // of a request that was answered meanwhile
        }
        let id = request["id"].as_u64().ok_or("a request without id")?;
        let run = &request["run"];
        memory.set(run["memory"].as_u64().unwrap_or(0));
        let count = run["observe"].as_array().map_or(0, Vec::len);
        let answer = answer(&cases, id, run, count).unwrap_or_else(|reason| Answer {
            ends: json!({"unsupported": {"text": reason}}),
            observed: vec![json!({"not_reached": {}}); count],
        });
        let _ = std::io::stdout().flush();
        memory.set(0);
        channel::say(&format(id, &answer));
    }
    Ok(())
}

fn answer(
    cases: &HashMap<&str, &Case>,
    id: u64,
    run: &Value,
    count: usize,
) -> Result<Answer, String> {
    let name = run["case"].as_str().unwrap_or_default();
    let case = cases.get(name).ok_or("this worker was compiled without the case")?;
    if case.observations != count {
        let compiled = case.observations;
        return Err(format!("compiled with {compiled} observations, asked for {count}"));
    }
    let device = device(run["device"].as_str().unwrap_or("stated"))?;
    let data = run["data"].as_array().map_or(&[][..], Vec::as_slice);
    let data = data.iter().map(tensor).collect::<Result<Vec<_>, _>>()?;
    case::run(case, id, &device, &data).map_err(|error| format!("data: {error}"))
}

/// The device of a column. That of Metal is opened once: its kernels are compiled by then.
fn device(name: &str) -> Result<Device, String> {
    static METAL: OnceLock<Result<Device, String>> = OnceLock::new();
    match name {
        "cpu" => Ok(Device::Cpu),
        "metal" if cfg!(target_os = "macos") => METAL
            .get_or_init(|| Device::new_metal(0).map_err(|error| format!("no Metal: {error}")))
            .clone(),
        other => Err(format!("no device {other}")),
    }
}

fn tensor(json: &Value) -> Result<Data, String> {
    let text = |key: &str| json[key].as_str().ok_or(format!("data: {key} is no text"));
    let dtype = text("dtype")?;
    let dtype = DType::from_str(dtype).map_err(|_| format!("candle has no dtype {dtype}"))?;
    let shape = json["shape"].as_array().ok_or("data: shape is no list")?;
    let shape: Option<Vec<usize>> = shape.iter().map(|n| Some(n.as_u64()? as usize)).collect();
    let shape = shape.ok_or("data: a size is no number")?;
    let bits = base64::decode(text("bits")?).map_err(|e| format!("data: bits: {e}"))?;
    if shape.iter().product::<usize>() * dtype.size_in_bytes() != bits.len() {
        return Err(format!("data: {} bytes for shape {shape:?}", bits.len()));
    }
    Ok(Data { name: text("name")?.to_string(), dtype, shape, bits })
}

/// One line, bounded: what would be too long is unsupported, by itself.
fn format(id: u64, answer: &Answer) -> String {
    let mut total = 0;
    let observed: Vec<String> = answer
        .observed
        .iter()
        .map(|outcome| {
            let text = outcome.to_string();
            total += text.len();
            if text.len() <= OBSERVATION_LIMIT && total as u64 <= channel::LIMIT / 2 {
                return text;
            }
            json!({"unsupported": {"text": "too much to send; observe the tensor or less of it"}})
                .to_string()
        })
        .collect();
    format!("{{\"id\":{id},\"ends\":{},\"observed\":[{}]}}", answer.ends, observed.join(","))
}

/// The bound on the data segment, which each request sets.
struct MemoryLimit(libc::rlimit);

impl MemoryLimit {
    fn now() -> Self {
        unsafe {
            let mut limit: libc::rlimit = std::mem::zeroed();
            libc::getrlimit(libc::RLIMIT_DATA, &mut limit);
            MemoryLimit(limit)
        }
    }

    /// 0: what it was when the worker began.
    fn set(&self, bytes: u64) {
        let mut limit = self.0;
        if bytes > 0 {
            limit.rlim_cur = bytes.min(limit.rlim_max as u64) as libc::rlim_t;
        }
        unsafe {
            libc::setrlimit(libc::RLIMIT_DATA, &limit);
        }
    }
}
