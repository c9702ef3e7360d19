//! Interval arithmetic for all values that a quantity can take.

use crate::symbolic::Function;

/// All numbers from `low` to `high`, infinite ones included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// All numbers.
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Creates the interval from `low` to `high`; all numbers if a bound is NaN or the bounds are in the wrong order.
    pub fn new(low: f64, high: f64) -> Interval {
        if low.is_nan() || high.is_nan() || low > high { Interval::ALL } else { Interval { low, high } }
    }

    /// A single number.
    pub fn point(value: f64) -> Interval {
        Interval::new(value, value)
    }

    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    pub fn is_zero(self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    /// Returns the smallest interval that contains both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub fn negate(self) -> Interval {
        Interval::new(-self.high, -self.low)
    }

    pub fn add(self, other: Interval) -> Interval {
        Interval::rounded(self.low + other.low, self.high + other.high)
    }

    pub fn subtract(self, other: Interval) -> Interval {
        self.add(other.negate())
    }

    pub fn multiply(self, other: Interval) -> Interval {
        // 0 times infinity is 0, because an infinite bound is never reached.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        Interval::around([
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ])
    }

    pub fn divide(self, other: Interval) -> Interval {
        if other.contains(0.0) {
            return Interval::ALL;
        }
        Interval::around([self.low / other.low, self.low / other.high, self.high / other.low, self.high / other.high])
    }

    pub fn power_integer(self, n: i32) -> Interval {
        let power = |n: i32| {
            let [low, high] = [self.low.powi(n), self.high.powi(n)];
            match (n % 2 == 0, self.contains(0.0)) {
                (true, true) => Interval::rounded(0.0, low.max(high)).at_least_zero(),
                (true, false) => Interval::around([low, high, low, high]).at_least_zero(),
                (false, _) => Interval::rounded(low, high),
            }
        };
        if n >= 0 {
            return power(n);
        }
        let Some(opposite) = n.checked_neg() else { return Interval::ALL };
        let inverse = Interval::point(1.0).divide(power(opposite));
        if n % 2 == 0 { inverse.at_least_zero() } else { inverse }
    }

    /// Returns the range of any real power: not negative for a base that is not negative.
    pub fn real_power(self) -> Interval {
        if self.low >= 0.0 { Interval { low: 0.0, high: f64::INFINITY } } else { Interval::ALL }
    }

    pub fn function(self, function: Function) -> Interval {
        let Interval { low, high } = self;
        let rising = |f: fn(f64) -> f64| Interval::rounded(f(low), f(high));
        match function {
            Function::Sin | Function::Cos => Interval::new(-1.0, 1.0),
            Function::Tan => Interval::ALL,
            Function::Asin => Interval::rounded(low.max(-1.0).asin(), high.min(1.0).asin()),
            Function::Acos => Interval::rounded(high.min(1.0).acos(), low.max(-1.0).acos()),
            Function::Atan => rising(f64::atan),
            Function::Sinh => rising(f64::sinh),
            Function::Cosh => {
                let highest = low.abs().max(high.abs()).cosh();
                let lowest = if self.contains(0.0) { 1.0 } else { low.abs().min(high.abs()).cosh() };
                Interval::rounded(lowest, highest)
            }
            Function::Tanh => rising(f64::tanh),
            Function::SechSquared => Interval::rounded(0.0, 1.0).at_least_zero(),
            Function::Exp => rising(f64::exp).at_least_zero(),
            Function::Ln => Interval::rounded(low.max(0.0).ln(), high.ln()),
            Function::Log10 => Interval::rounded(low.max(0.0).log10(), high.log10()),
            Function::Sqrt => Interval::rounded(low.max(0.0).sqrt(), high.sqrt()).at_least_zero(),
            Function::Abs if self.contains(0.0) => Interval::new(0.0, low.abs().max(high.abs())),
            Function::Abs => Interval::new(low.abs().min(high.abs()), low.abs().max(high.abs())),
            Function::Sign => {
                let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
                Interval::new(sign(low), sign(high))
            }
        }
    }

    /// Widens rounded bounds by one number on each side.
    fn rounded(low: f64, high: f64) -> Interval {
        if low == high && low == 0.0 {
            Interval::new(low, high)
        } else {
            Interval::new(low.next_down(), high.next_up())
        }
    }

    fn around(bounds: [f64; 4]) -> Interval {
        if bounds.iter().any(|bound| bound.is_nan()) {
            return Interval::ALL;
        }
        let low = bounds.iter().copied().fold(f64::INFINITY, f64::min);
        let high = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Interval::rounded(low, high)
    }

    fn at_least_zero(self) -> Interval {
        Interval::new(self.low.max(0.0), self.high)
    }
}
