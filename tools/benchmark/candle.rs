//! One engine of tools/bench: candle. Reads lines `OPERATION BYTES TIMES` and answers each with the
//! nanoseconds that one of TIMES operations took on f32 tensors of BYTES.
use candle_core::{DType, Device, Result, Tensor};
use std::io::{BufRead, Write};
use std::time::Instant;

struct Operands {
    x: Tensor,      // [rows, 4]
    y: Tensor,      // the same shape
    buffer: Tensor, // [2 * rows, 4]
    rows: usize,
}

impl Operands {
    fn new(bytes: usize) -> Result<Self> {
        let rows = bytes / 4 / 4;
        let ones = || Tensor::ones((rows, 4), DType::F32, &Device::Cpu);
        let buffer = Tensor::zeros((2 * rows, 4), DType::F32, &Device::Cpu)?;
        Ok(Self { x: ones()?, y: ones()?, buffer, rows })
    }
}

fn run(name: &str, on: &Operands) -> Result<()> {
    match name {
        "copy" => drop(on.x.copy()?),
        "affine" => drop(on.x.affine(2.0, 1.0)?),
        "add" => drop((&on.x + &on.y)?),
        "slice_set" => on.buffer.slice_set(&on.x, 0, on.rows / 2)?,
        _ => candle_core::bail!("there is no operation {name}"),
    }
    Ok(())
}

fn measure(name: &str, bytes: usize, times: u32) -> Result<f64> {
    let on = Operands::new(bytes)?;
    run(name, &on)?; // warm
    let start = Instant::now();
    for _ in 0..times {
        run(name, &on)?;
    }
    Ok(start.elapsed().as_nanos() as f64 / f64::from(times))
}

fn main() -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let (bytes, times) = (words[1].parse().unwrap(), words[2].parse().unwrap());
        println!("{:.1}", measure(words[0], bytes, times)?);
        std::io::stdout().flush()?;
    }
    Ok(())
}
