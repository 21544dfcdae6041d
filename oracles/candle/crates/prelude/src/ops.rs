//! Kernels for `inplace_op1..3` and `apply_op1..3`, for programs that need one without writing it.
//! backends/core has the same in C. They work on F32 and F64, in the element's own type.
//!
//! | constructor    | tensors | an element of the first (x) becomes  | gradients |
//! |----------------|---------|--------------------------------------|-----------|
//! | `fill(v)`      | 1       | v                                    | none      |
//! | `scale(k)`     | 1       | x·k                                  | g·k       |
//! | `square()`     | 1       | x·x                                  | (x·g)·2   |
//! | `assign()`     | 2       | y                                    | none      |
//! | `add_assign()` | 2       | x + y                                | g, g      |
//! | `axpy(k)`      | 2       | x + y·k, rounded twice               | none      |
//! | `add_mul()`    | 3       | x + y·z, rounded twice               | none      |
//! | `fail()`       | 1       | panics, holding the write lock       | none      |
//!
//! In place, elements are written one after the other in logical order. Checks, in order: dtype of the
//! first; of each other one its dtype, then its shape. `none`: backward says
//! "backward is not supported for NAME".

use crate::places;
use candle_core::{
    CpuStorage, CustomOp1, CustomOp2, CustomOp3, Error, InplaceOp1, InplaceOp2, InplaceOp3, Layout,
    Result, Shape, Tensor, WithDType,
};

/// F32 or F64.
trait Real: WithDType + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> {}
impl Real for f32 {}
impl Real for f64 {}

#[derive(Clone, Copy)]
enum Step1 {
    Fill(f64),
    Scale(f64),
    Square,
    Fail,
}

#[derive(Clone, Copy)]
enum Step2 {
    Assign,
    AddAssign,
    Axpy(f64),
}

/// A kernel over one tensor.
#[derive(Clone, Copy)]
pub struct Kernel1(Step1);

/// A kernel over two tensors.
#[derive(Clone, Copy)]
pub struct Kernel2(Step2);

/// A kernel over three tensors.
#[derive(Clone, Copy)]
pub struct Kernel3(());

pub fn fill(v: f64) -> Kernel1 {
    Kernel1(Step1::Fill(v))
}

pub fn scale(k: f64) -> Kernel1 {
    Kernel1(Step1::Scale(k))
}

pub fn square() -> Kernel1 {
    Kernel1(Step1::Square)
}

pub fn fail() -> Kernel1 {
    Kernel1(Step1::Fail)
}

pub fn assign() -> Kernel2 {
    Kernel2(Step2::Assign)
}

pub fn add_assign() -> Kernel2 {
    Kernel2(Step2::AddAssign)
}

pub fn axpy(k: f64) -> Kernel2 {
    Kernel2(Step2::Axpy(k))
}

pub fn add_mul() -> Kernel3 {
    Kernel3(())
}

impl Kernel1 {
    fn step<T: Real>(self, x: T) -> T {
        match self.0 {
            Step1::Fill(v) => T::from_f64(v),
            Step1::Scale(k) => x * T::from_f64(k),
            Step1::Square => x * x,
            Step1::Fail => panic!("parity::ops::fail"),
        }
    }
}

impl Kernel2 {
    fn step<T: Real>(self, x: T, y: T) -> T {
        match self.0 {
            Step2::Assign => y,
            Step2::AddAssign => x + y,
            Step2::Axpy(k) => x + y * T::from_f64(k),
        }
    }
}

fn unsupported(storage: &CpuStorage, op: &'static str) -> Error {
    use candle_core::backend::BackendStorage;
    Error::UnsupportedDTypeForOp(storage.dtype(), op).bt()
}

/// The data of a further operand, which must fit the first.
fn operand<'a, T: Real>(
    storage: &'a CpuStorage,
    layout: &Layout,
    first: &Layout,
    op: &'static str,
) -> Result<&'a [T]> {
    use candle_core::backend::BackendStorage;
    if storage.dtype() != T::DTYPE {
        let (lhs, rhs) = (T::DTYPE, storage.dtype());
        return Err(Error::DTypeMismatchBinaryOp { lhs, rhs, op }.bt());
    }
    if layout.dims() != first.dims() {
        let (lhs, rhs) = (first.shape().clone(), layout.shape().clone());
        return Err(Error::ShapeMismatchBinaryOp { lhs, rhs, op }.bt());
    }
    storage.as_slice()
}

/// One expression for both dtypes: `$data` is the Vec of the first storage.
macro_rules! by_dtype {
    ($storage:expr, $op:expr, $data:ident => $body:expr) => {
        match $storage {
            CpuStorage::F32($data) => $body,
            CpuStorage::F64($data) => $body,
            other => Err(unsupported(other, $op)),
        }
    };
}

fn output<T: WithDType>(values: Vec<T>, layout: &Layout) -> Result<(CpuStorage, Shape)> {
    Ok((T::to_cpu_storage_owned(values), layout.shape().clone()))
}

impl InplaceOp1 for Kernel1 {
    fn name(&self) -> &'static str {
        match self.0 {
            Step1::Fill(_) => "fill",
            Step1::Scale(_) => "scale",
            Step1::Square => "square",
            Step1::Fail => "fail",
        }
    }

    fn cpu_fwd(&self, s: &mut CpuStorage, l: &Layout) -> Result<()> {
        by_dtype!(s, InplaceOp1::name(self), x => {
            places::of(l).for_each(|i| x[i] = self.step(x[i]));
            Ok(())
        })
    }
}

impl CustomOp1 for Kernel1 {
    fn name(&self) -> &'static str {
        InplaceOp1::name(self)
    }

    fn cpu_fwd(&self, s: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        by_dtype!(s, InplaceOp1::name(self), x => {
            output(places::of(l).map(|i| self.step(x[i])).collect(), l)
        })
    }

    fn bwd(&self, arg: &Tensor, _res: &Tensor, grad_res: &Tensor) -> Result<Option<Tensor>> {
        match self.0 {
            Step1::Scale(k) => Ok(Some((grad_res * k)?)),
            Step1::Square => Ok(Some(((arg * grad_res)? * 2.0)?)),
            _ => Err(Error::BackwardNotSupported { op: InplaceOp1::name(self) }),
        }
    }
}

impl Kernel2 {
    fn each<T: Real>(self, x: &[T], l1: &Layout, s2: &CpuStorage, l2: &Layout) -> Result<Vec<T>> {
        let y = operand::<T>(s2, l2, l1, InplaceOp2::name(&self))?;
        let places = places::of(l1).zip(places::of(l2));
        Ok(places.map(|(i, j)| self.step(x[i], y[j])).collect())
    }
}

impl InplaceOp2 for Kernel2 {
    fn name(&self) -> &'static str {
        match self.0 {
            Step2::Assign => "assign",
            Step2::AddAssign => "add_assign",
            Step2::Axpy(_) => "axpy",
        }
    }

    fn cpu_fwd(
        &self,
        s1: &mut CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<()> {
        by_dtype!(s1, InplaceOp2::name(self), x => {
            let y = operand(s2, l2, l1, InplaceOp2::name(self))?;
            let places = places::of(l1).zip(places::of(l2));
            places.for_each(|(i, j)| x[i] = self.step(x[i], y[j]));
            Ok(())
        })
    }
}

impl CustomOp2 for Kernel2 {
    fn name(&self) -> &'static str {
        InplaceOp2::name(self)
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        by_dtype!(s1, InplaceOp2::name(self), x => output(self.each(x, l1, s2, l2)?, l1))
    }

    fn bwd(
        &self,
        _arg1: &Tensor,
        _arg2: &Tensor,
        _res: &Tensor,
        grad_res: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        match self.0 {
            Step2::AddAssign => Ok((Some(grad_res.clone()), Some(grad_res.clone()))),
            _ => Err(Error::BackwardNotSupported { op: InplaceOp2::name(self) }),
        }
    }
}

impl Kernel3 {
    fn step<T: Real>(self, x: T, y: T, z: T) -> T {
        x + y * z
    }

    fn each<T: Real>(
        self,
        x: &[T],
        l1: &Layout,
        (s2, l2): (&CpuStorage, &Layout),
        (s3, l3): (&CpuStorage, &Layout),
    ) -> Result<Vec<T>> {
        let y = operand::<T>(s2, l2, l1, InplaceOp3::name(&self))?;
        let z = operand::<T>(s3, l3, l1, InplaceOp3::name(&self))?;
        let places = places::of(l1).zip(places::of(l2)).zip(places::of(l3));
        Ok(places.map(|((i, j), k)| self.step(x[i], y[j], z[k])).collect())
    }
}

impl InplaceOp3 for Kernel3 {
    fn name(&self) -> &'static str {
        "add_mul"
    }

    fn cpu_fwd(
        &self,
        s1: &mut CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<()> {
        by_dtype!(s1, InplaceOp3::name(self), x => {
            let y = operand(s2, l2, l1, InplaceOp3::name(self))?;
            let z = operand(s3, l3, l1, InplaceOp3::name(self))?;
            let places = places::of(l1).zip(places::of(l2)).zip(places::of(l3));
            places.for_each(|((i, j), k)| x[i] = self.step(x[i], y[j], z[k]));
            Ok(())
        })
    }
}

impl CustomOp3 for Kernel3 {
    fn name(&self) -> &'static str {
        InplaceOp3::name(self)
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        by_dtype!(s1, InplaceOp3::name(self), x => output(self.each(x, l1, (s2, l2), (s3, l3))?, l1))
    }
}
