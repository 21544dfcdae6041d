//! Functions that programs have at hand in both languages.

use crate::bits;
use candle_core::{Error, Result, Storage, Tensor};
use serde_json::{json, Map, Value};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A copy of a tensor's values on the host, out of the reach of later writes.
#[derive(Clone, Debug)]
pub struct Host {
    fields: Map<String, Value>,
}

impl Host {
    pub(crate) fn json(&self) -> Value {
        json!({ "tensor": self.fields })
    }
}

/// The values of `tensor` now. Consumes no identifier.
pub fn value(tensor: &Tensor) -> Host {
    let mut fields = describe(tensor);
    fields.insert("host".into(), json!(true));
    Host { fields }
}

/// Dtype, shape and bits.
pub(crate) fn describe(tensor: &Tensor) -> Map<String, Value> {
    let (storage, layout) = tensor.storage_and_layout();
    let mut fields = bits::of(&storage, layout).unwrap_or_default();
    fields.insert("dtype".into(), json!(tensor.dtype().as_str()));
    fields.insert("shape".into(), json!(layout.dims()));
    fields
}

/// Where the memory of a tensor begins. On the CPU a storage and its memory live and die together,
/// so the address of the storage serves, also for tensors without elements. On Metal several
/// storages may have one buffer.
pub(crate) fn memory(tensor: &Tensor) -> usize {
    let (storage, _) = tensor.storage_and_layout();
    #[cfg(target_os = "macos")]
    if let Storage::Metal(metal) = &*storage {
        return std::ptr::from_ref(metal.buffer()).addr();
    }
    &*storage as *const Storage as usize
}

/// Whether two tensors lie in the same memory.
pub fn shares(a: &Tensor, b: &Tensor) -> bool {
    memory(a) == memory(b)
}

/// The result of `work`; a panic in it becomes an error with the panic's message.
pub fn attempt<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(Error::Msg(crate::panics::take(payload).text)))
}
