//! Where the elements of a layout lie in the storage, in logical (row-major) order. candle's own
//! iterator is private to its crate.

use candle_core::Layout;

pub struct Places<'a> {
    dims: &'a [usize],
    strides: &'a [usize],
    index: Vec<usize>,
    next: Option<usize>,
}

pub fn of(layout: &Layout) -> Places<'_> {
    let (dims, strides) = (layout.dims(), layout.stride());
    let next = (!dims.contains(&0)).then_some(layout.start_offset());
    Places { dims, strides, index: vec![0; dims.len()], next }
}

impl Iterator for Places<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = self.next?;
        self.next = None;
        let mut after = place;
        for dim in (0..self.dims.len()).rev() {
            if self.index[dim] + 1 < self.dims[dim] {
                self.index[dim] += 1;
                self.next = Some(after + self.strides[dim]);
                break;
            }
            after -= self.index[dim] * self.strides[dim];
            self.index[dim] = 0;
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Shape;

    fn places(dims: &[usize], strides: &[usize], offset: usize) -> Vec<usize> {
        of(&Layout::new(Shape::from(dims), strides.to_vec(), offset)).collect()
    }

    #[test]
    fn logical_order_through_any_strides() {
        assert_eq!(places(&[2, 3], &[1, 2], 4), [4, 6, 8, 5, 7, 9]);
        assert_eq!(places(&[2, 2], &[0, 1], 0), [0, 1, 0, 1]);
        assert_eq!(places(&[], &[], 7), [7]);
        assert_eq!(places(&[2, 0], &[3, 1], 0), [0usize; 0]);
    }
}
