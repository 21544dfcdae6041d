//! The bits of a tensor in logical order, whatever its layout.

use crate::places;
use base64::encode;
use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Layout, Storage};
use float8::F8E4M3;
use half::{bf16, f16};
use serde_json::{json, Map, Value};
use xxhash_rust::xxh3::Xxh3;

/// Tensors whose bits take more than this travel as hash, head and tail.
const LIMIT: usize = 1 << 20;
const EDGE: usize = 64;

/// A number as it lies in memory. Every target that candle knows is little-endian or swaps here.
trait Element: Copy {
    const SIZE: usize;
    fn put(self, out: &mut Vec<u8>);
}

macro_rules! elements {
    ($($type:ty),*) => {$(
        impl Element for $type {
            const SIZE: usize = std::mem::size_of::<$type>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
elements!(u8, u32, i16, i32, i64, bf16, f16, f32, f64);

impl Element for F8E4M3 {
    const SIZE: usize = 1;
    fn put(self, out: &mut Vec<u8>) {
        out.push(self.to_bits());
    }
}

/// The fields that say what the elements are: `bits`, or `hash`, `head` and `tail`. None for
/// storages that cannot be read and for candle's dummy dtypes.
pub fn of(storage: &Storage, layout: &Layout) -> Option<Map<String, Value>> {
    let download;
    let storage = match storage {
        Storage::Cpu(storage) => storage,
        Storage::Cuda(storage) => {
            download = storage.to_cpu_storage().ok()?;
            &download
        }
        Storage::Metal(storage) => {
            download = storage.to_cpu_storage().ok()?;
            &download
        }
    };
    Some(match storage {
        CpuStorage::U8(data) => fields(data, layout),
        CpuStorage::U32(data) => fields(data, layout),
        CpuStorage::I16(data) => fields(data, layout),
        CpuStorage::I32(data) => fields(data, layout),
        CpuStorage::I64(data) => fields(data, layout),
        CpuStorage::BF16(data) => fields(data, layout),
        CpuStorage::F16(data) => fields(data, layout),
        CpuStorage::F32(data) => fields(data, layout),
        CpuStorage::F64(data) => fields(data, layout),
        CpuStorage::F8E4M3(data) => fields(data, layout),
        _ => return None,
    })
}

/// Reads as `Tensor::to_vec1` does, so that a layout that leaves its storage panics with the same
/// words: a slice when it is contiguous, else index by index.
fn fields<T: Element>(data: &[T], layout: &Layout) -> Map<String, Value> {
    match layout.contiguous_offsets() {
        Some((start, end)) => {
            let elements = &data[start..end];
            collect(elements.len(), elements.iter().copied())
        }
        None => collect(layout.shape().elem_count(), places::of(layout).map(|index| data[index])),
    }
}

fn collect<T: Element>(count: usize, elements: impl Iterator<Item = T>) -> Map<String, Value> {
    let mut fields = Map::new();
    if count.saturating_mul(T::SIZE) <= LIMIT {
        let mut bits = Vec::with_capacity(count * T::SIZE);
        elements.for_each(|element| element.put(&mut bits));
        fields.insert("bits".into(), json!(encode(bits)));
        return fields;
    }
    let (mut hash, mut head, mut tail) = (Xxh3::new(), Vec::new(), Vec::new());
    let mut chunk = Vec::with_capacity(1 << 16);
    for (index, element) in elements.enumerate() {
        if index < EDGE {
            element.put(&mut head);
        }
        if index + EDGE >= count {
            element.put(&mut tail);
        }
        element.put(&mut chunk);
        if chunk.len() + 8 > 1 << 16 {
            hash.update(&chunk);
            chunk.clear();
        }
    }
    hash.update(&chunk);
    fields.insert("hash".into(), json!(format!("{:016x}", hash.digest())));
    fields.insert("head".into(), json!(encode(head)));
    fields.insert("tail".into(), json!(encode(tail)));
    fields
}
