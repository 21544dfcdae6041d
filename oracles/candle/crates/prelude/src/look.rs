//! Observing: any value a program leaves, by reference, to the JSON of `docs/protocol.md`.
//! It consumes no identifier and takes read locks only.

use crate::case;
use crate::host::{self, Host};
use crate::memory::Mib;
use candle_core::{DType, Device, DeviceLocation, Layout, Shape, Tensor, TensorId, Var};
use float8::F8E4M3;
use half::{bf16, f16};
use serde_json::{json, Value};
use std::fmt::{Debug, Display};

/// A value that an expression of a row may have.
pub trait Observe {
    fn observe(&self) -> Value;
}

impl Observe for Tensor {
    fn observe(&self) -> Value {
        case::keep(self);
        let mut fields = host::describe(self);
        if !fields.contains_key("bits") && !fields.contains_key("hash") || self.rank() > 32 {
            let about = format!("{:?} {:?} on {:?}", self.dtype(), self.shape(), self.device());
            return json!({"other": {"type": "Tensor", "text": about}});
        }
        fields.insert("strides".into(), json!(self.stride()));
        fields.insert("offset".into(), json!(self.layout().start_offset()));
        fields.insert("storage".into(), json!(format!("{:x}", host::memory(self))));
        fields.insert("handle".into(), json!(raw_id(self.id()).to_string()));
        let facts = json!({
            "variable": self.is_variable().to_string(),
            "tracked": self.track_op().to_string(),
        });
        fields.insert("facts".into(), facts);
        json!({ "tensor": fields })
    }
}

impl Observe for Var {
    fn observe(&self) -> Value {
        self.as_tensor().observe()
    }
}

impl Observe for Host {
    fn observe(&self) -> Value {
        self.json()
    }
}

impl Observe for Mib {
    fn observe(&self) -> Value {
        json!({ "mib": self.0 })
    }
}

impl Observe for TensorId {
    fn observe(&self) -> Value {
        json!({ "id": raw_id(*self) - case::first_id() })
    }
}

/// The number in an id, which candle shows in its Debug text only.
pub(crate) fn raw_id(id: TensorId) -> i64 {
    let text = format!("{id:?}");
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("TensorId prints a number")
}

impl Observe for () {
    fn observe(&self) -> Value {
        json!({ "unit": null })
    }
}

impl Observe for bool {
    fn observe(&self) -> Value {
        json!({ "bool": self })
    }
}

macro_rules! observe_as {
    ($key:literal: $($type:ty),*) => {$(
        impl Observe for $type {
            fn observe(&self) -> Value {
                json!({ $key: self.to_string() })
            }
        }
    )*};
}
observe_as!("int": u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
observe_as!("text": str, String, char);

fn float(bytes: &[u8], dtype: &str) -> Value {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({"float": {"bits": hex, "dtype": dtype}})
}

impl Observe for f32 {
    fn observe(&self) -> Value {
        float(&self.to_le_bytes(), "f32")
    }
}

impl Observe for f64 {
    fn observe(&self) -> Value {
        float(&self.to_le_bytes(), "f64")
    }
}

macro_rules! observe_widened {
    ($($type:ty),*) => {$(
        impl Observe for $type {
            fn observe(&self) -> Value {
                self.to_f32().observe()
            }
        }
    )*};
}
observe_widened!(f16, bf16, F8E4M3);

fn other<T: Debug + ?Sized>(value: &T) -> Value {
    json!({"other": {"type": short_type_name::<T>(), "text": format!("{value:?}")}})
}

/// `alloc::vec::Vec<candle_core::shape::Shape>` is `Vec<Shape>`.
fn short_type_name<T: ?Sized>() -> String {
    let mut short = String::new();
    for part in
        std::any::type_name::<T>().split_inclusive(|c: char| !c.is_alphanumeric() && c != '_')
    {
        if part.ends_with(':') {
            continue;
        }
        short.push_str(part);
    }
    short
}

macro_rules! observe_debug {
    ($($type:ty),*) => {$(
        impl Observe for $type {
            fn observe(&self) -> Value {
                other(self)
            }
        }
    )*};
}
observe_debug!(DType, Device, DeviceLocation, Layout, Shape);

impl<T: Observe> Observe for Option<T> {
    fn observe(&self) -> Value {
        match self {
            Some(value) => json!({ "some": value.observe() }),
            None => json!({ "none": null }),
        }
    }
}

impl<T: Observe, E: Display> Observe for Result<T, E> {
    fn observe(&self) -> Value {
        match self {
            Ok(value) => json!({ "ok": value.observe() }),
            Err(error) => json!({ "err": error.to_string() }),
        }
    }
}

impl<T: Observe> Observe for [T] {
    fn observe(&self) -> Value {
        let items: Vec<Value> = self.iter().map(Observe::observe).collect();
        json!({ "list": items })
    }
}

impl<T: Observe> Observe for Vec<T> {
    fn observe(&self) -> Value {
        self.as_slice().observe()
    }
}

impl<T: Observe, const N: usize> Observe for [T; N] {
    fn observe(&self) -> Value {
        self.as_slice().observe()
    }
}

macro_rules! observe_tuple {
    ($($name:ident)+) => {
        impl<$($name: Observe),+> Observe for ($($name,)+) {
            #[allow(non_snake_case)]
            fn observe(&self) -> Value {
                let ($($name,)+) = self;
                json!({ "list": [$($name.observe()),+] })
            }
        }
    };
}
observe_tuple!(A);
observe_tuple!(A B);
observe_tuple!(A B C);
observe_tuple!(A B C D);
observe_tuple!(A B C D E);
observe_tuple!(A B C D E F);
observe_tuple!(A B C D E F G);
observe_tuple!(A B C D E F G H);

macro_rules! observe_through {
    ($($type:ty),*) => {$(
        impl<T: Observe + ?Sized> Observe for $type {
            fn observe(&self) -> Value {
                (**self).observe()
            }
        }
    )*};
}
observe_through!(&T, &mut T, Box<T>, std::rc::Rc<T>, std::sync::Arc<T>);

/// An expression to look at. `(&Look(&x)).look()` observes what it can and shows the Debug text of
/// the rest: method look-up tries `ByObserve` first, because it needs one reference less.
pub struct Look<'a, T: ?Sized>(pub &'a T);

pub trait ByObserve {
    fn look(&self) -> Value;
}

impl<T: Observe + ?Sized> ByObserve for Look<'_, T> {
    fn look(&self) -> Value {
        self.0.observe()
    }
}

pub trait ByDebug {
    fn look(&self) -> Value;
}

impl<T: Debug + ?Sized> ByDebug for &Look<'_, T> {
    fn look(&self) -> Value {
        other(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_are_short() {
        assert_eq!(short_type_name::<Vec<Shape>>(), "Vec<Shape>");
        assert_eq!(short_type_name::<(DType, &[u8])>(), "(DType, &[u8])");
    }

    #[test]
    fn what_cannot_be_observed_shows_its_debug_text() {
        #[derive(Debug)]
        struct Point(#[allow(dead_code)] u8);
        let point = (&Look(&Point(3))).look();
        assert_eq!(point, json!({"other": {"type": "Point", "text": "Point(3)"}}));
        assert_eq!((&Look(&Some(3u8))).look(), json!({"some": {"int": "3"}}));
    }

    #[test]
    fn numbers_keep_their_bits() {
        assert_eq!(1f32.observe(), json!({"float": {"bits": "0000803f", "dtype": "f32"}}));
        assert_eq!(u64::MAX.observe(), json!({"int": "18446744073709551615"}));
        assert_eq!(f16::from_f32(0.5).observe(), 0.5f32.observe());
    }
}
