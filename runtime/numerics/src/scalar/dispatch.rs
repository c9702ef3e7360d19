//! Instructions of the processor at hand: a build for every processor still uses those of the one it runs on.

use pulp::{Arch, Simd, WithSimd};

/// A piece of work that is compiled once for every kind of processor; [`run`](Work::run) and its
/// time-consuming parts must be `#[inline(always)]`.
pub trait Work {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Does `work` with the best instructions of this processor. Results do not depend on the instructions:
/// operations are not regrouped, and fused only in builds for processors that can.
///
/// Never inlined: optimised builds share such instances between crates, so that a crate compiles no loop that one below
/// it has compiled already. The outermost functions of runs, gradients and checks have the same mark for the same
/// reason.
#[inline(never)]
pub(crate) fn with_best_instructions<W: Work>(work: W) -> W::Output {
    Arch::new().dispatch(Dispatched(work))
}

struct Dispatched<W>(W);

impl<W: Work> WithSimd for Dispatched<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> W::Output {
        self.0.run()
    }
}
