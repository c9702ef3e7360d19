//! Samples drawn again in blocks, which keep what neighbours have to do with each other.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::residuals::error::ResidualError;
use crate::residuals::sampling::Sampling;

/// Draws samples again, with replacement, in blocks of `block` neighbours (Politis and Romano's circular blocks): the
/// values at [`block_indices`].
///
/// Residuals that are drawn again and added to what a model has computed are data of another experiment as likely as
/// the one that was made, whatever their distribution and their colour; how estimates of such data scatter is how
/// uncertain they are. [`block_length()`](crate::residuals::block_length()) says what length of blocks is suitable.
///
/// # Errors
/// [`ResidualError`]: not one value per sample, blocks without samples.
pub fn block_resample(sampling: &Sampling, values: &[f64], block: usize, seed: u64) -> Result<Vec<f64>, ResidualError> {
    sampling.check("values", values)?;
    Ok(draw(sampling, block, seed)?.into_iter().map(|index| values[index]).collect())
}

/// Which samples stand in the place of those of a channel with this sampling: channels that are drawn by the same
/// indices keep what they have to do with each other.
///
/// Blocks lie inside of the parts between gaps, and so do the places they are put to; at the end of a part the last
/// block is cut. A block that comes to the end of a part goes on at its beginning, so that all samples are equally
/// likely everywhere. The same seed gives the same indices.
///
/// # Errors
/// [`ResidualError`]: parts that are not all samples in order of time, blocks without samples.
pub fn block_indices(sampling: &Sampling, block: usize, seed: u64) -> Result<Vec<usize>, ResidualError> {
    sampling.check_parts()?;
    draw(sampling, block, seed)
}

/// The indices for parts that have been checked.
fn draw(sampling: &Sampling, block: usize, seed: u64) -> Result<Vec<usize>, ResidualError> {
    if block == 0 {
        let field = "length of a block";
        return Err(ResidualError::OutOfRange { field, value: 0.0, limit: "at least 1 sample" });
    }
    let (samples, mut random) = (sampling.samples(), SmallRng::seed_from_u64(seed));
    let mut indices = Vec::with_capacity(samples);
    for place in &sampling.parts {
        while indices.len() < place.end {
            let start = random.random_range(0..samples);
            let source = &sampling.parts[sampling.parts.partition_point(|part| part.end <= start)];
            let length = block.min(place.end - indices.len());
            let next = |k| source.start + (start - source.start + k) % source.len();
            indices.extend((0..length).map(next));
        }
    }
    Ok(indices)
}
