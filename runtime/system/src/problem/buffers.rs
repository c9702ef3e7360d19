//! Memory for the states of runs, kept from one run for the next ones of the same problem: memory that is new to a
//! process has to be cleared page by page by the system, which takes a tenth of the time of a run.

use std::any::Any;
use std::collections::TryReserveError;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use costate_numerics::scalar::Scalar;

/// Bytes that are kept at most.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Memory that runs have given back.
#[derive(Debug, Clone, Default)]
pub struct Buffers(Arc<Mutex<Vec<Vec<f64>>>>);

impl Buffers {
    /// A vector with room for this many `numbers`, and with no more than that of an earlier run in it.
    pub fn take<S: Scalar>(&self, numbers: usize) -> Result<Vec<S>, TryReserveError> {
        let mut vector = Vec::new();
        if let Some(plain) = (&mut vector as &mut dyn Any).downcast_mut::<Vec<f64>>() {
            *plain = self.kept(numbers).unwrap_or_default();
        }
        vector.truncate(numbers);
        vector.try_reserve_exact(numbers - vector.len())?;
        Ok(vector)
    }

    fn kept(&self, numbers: usize) -> Option<Vec<f64>> {
        let mut kept = self.0.lock().ok()?;
        let fits = kept.iter().position(|vector| vector.capacity() >= numbers)?;
        Some(kept.swap_remove(fits))
    }

    fn give_back(&self, vector: Vec<f64>) {
        let Ok(mut kept) = self.0.lock() else { return };
        let bytes: usize = kept.iter().chain([&vector]).map(|vector| vector.capacity() * size_of::<f64>()).sum();
        if vector.capacity() > 0 && bytes <= MAX_KEPT_BYTES {
            kept.push(vector);
        }
    }
}

/// Numbers whose memory goes back in the end, if they are plain ones.
#[derive(Debug, Clone)]
pub struct Buffer<S: Scalar> {
    numbers: Vec<S>,
    home: Buffers,
}

impl<S: Scalar> Buffer<S> {
    /// `numbers`, which were taken from `home`.
    pub fn new(numbers: Vec<S>, home: &Buffers) -> Self {
        Self { numbers, home: home.clone() }
    }
}

impl<S: Scalar> Deref for Buffer<S> {
    type Target = [S];

    #[inline]
    fn deref(&self) -> &[S] {
        &self.numbers
    }
}

impl<S: Scalar> Drop for Buffer<S> {
    fn drop(&mut self) {
        if let Some(plain) = (&mut self.numbers as &mut dyn Any).downcast_mut() {
            self.home.give_back(std::mem::take(plain));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_numerics::scalar::Dual;

    #[test]
    fn what_is_given_back_serves_again() {
        let buffers = Buffers::default();
        let mut numbers: Vec<f64> = buffers.take(100).unwrap();
        numbers.extend([1.0, 2.0]);
        let place = numbers.as_ptr();
        let buffer = Buffer::new(numbers, &buffers);
        assert_eq!(buffer[..], [1.0, 2.0]);
        let other: Vec<f64> = buffers.take(100).unwrap();
        assert_ne!(other.as_ptr(), place);
        drop(buffer);
        let larger: Vec<f64> = buffers.take(101).unwrap();
        assert_ne!(larger.as_ptr(), place);
        let dual: Vec<Dual> = buffers.take(10).unwrap();
        assert!(dual.is_empty());
        let again: Vec<f64> = buffers.take(100).unwrap();
        assert_eq!((again.as_ptr(), &again[..]), (place, &[1.0, 2.0][..]));
        drop(Buffer::new(again, &buffers));
        let shorter: Vec<f64> = buffers.take(1).unwrap();
        assert_eq!((shorter.as_ptr(), &shorter[..]), (place, &[1.0][..]));
    }

    #[test]
    fn no_more_is_kept_than_said() {
        let buffers = Buffers::default();
        let third = MAX_KEPT_BYTES / size_of::<f64>() / 3;
        let vectors: Vec<Vec<f64>> = (0..5).map(|_| buffers.take(third).unwrap()).collect();
        vectors.into_iter().for_each(|vector| drop(Buffer::new(vector, &buffers)));
        let kept: usize = buffers.0.lock().unwrap().iter().map(|vector| vector.capacity()).sum();
        assert!(kept <= MAX_KEPT_BYTES / size_of::<f64>() && kept >= 2 * third, "{kept}");
    }

    #[test]
    fn too_much_is_an_error() {
        assert!(Buffers::default().take::<f64>(usize::MAX).is_err());
    }
}
