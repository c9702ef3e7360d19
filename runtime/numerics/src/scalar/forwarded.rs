//! Implementations that several kinds of numbers share.

/// `+=` and `-=` by the sum and the difference.
macro_rules! assigning_operators {
    ($inline:meta, $numbers:ty $(, $number:ident)?) => {
        impl $(<$number: $crate::scalar::Scalar>)? std::ops::AddAssign for $numbers {
            #[$inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl $(<$number: $crate::scalar::Scalar>)? std::ops::SubAssign for $numbers {
            #[$inline]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
    };
}

/// Masks of [`Scalar`](super::Scalar) that are one truth value.
macro_rules! masks_of_one {
    () => {
        #[inline]
        fn and(a: bool, b: bool) -> bool {
            a && b
        }
        #[inline]
        fn or(a: bool, b: bool) -> bool {
            a || b
        }
        #[inline]
        fn not(mask: bool) -> bool {
            !mask
        }
        #[inline]
        fn select(mask: bool, yes: Self, no: Self) -> Self {
            if mask { yes } else { no }
        }
    };
}

/// Functions of [`Scalar`](super::Scalar) that go through the lanes one by one.
macro_rules! functions_of_lanes {
    ($($function:ident),*) => {
        // the component of the first lane stands for all; `lane` returns that of each
        #[inline(always)]
        fn component(self, _index: usize) -> f64 {
            self.lane(0)
        }
        #[inline(always)]
        fn set_component(&mut self, _index: usize, value: f64) {
            *self = self.with([value; LANES]);
        }
        #[inline(always)]
        fn branching<F: Branching<A, N>, const A: usize, const N: usize>(
            function: &F,
            arguments: [Self; A],
        ) -> [Self; N] {
            let mut values = [Self::default(); N];
            for lane in 0..LANES {
                let of_lane = function.at(arguments.map(|argument| argument.lane(lane)));
                for (value, of_lane) in values.iter_mut().zip(of_lane) {
                    value.set_lane(lane, of_lane);
                }
            }
            values
        }
        $(
            #[inline(always)]
            fn $function(self) -> Self {
                self.map(Scalar::$function)
            }
        )*
        #[inline(always)]
        fn atan2(self, x: Self) -> Self {
            self.zip(x, f64::atan2)
        }
        #[inline(always)]
        fn powi(self, exponent: i32) -> Self {
            self.map(|value| value.powi(exponent))
        }
        #[inline(always)]
        fn powf(self, exponent: Self) -> Self {
            self.zip(exponent, f64::powf)
        }
    };
}

pub(super) use {assigning_operators, functions_of_lanes, masks_of_one};
