//! A random walk that adapts its steps to the covariance of what it has drawn (Haario, Saksman, Tamminen: An adaptive
//! Metropolis algorithm, Bernoulli 7, 2001), and to an acceptance of 0.234 while it warms up. It needs values of the
//! density alone.

use costate::identify::JointDensity;
use nalgebra::{Cholesky, DMatrix, DVector};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Draws of so many chains, of which the first fifth is left out, side by side. Unknowns are positive; the walk is one
/// of their logarithms.
pub fn chains(density: &JointDensity, chains: usize, draws: usize) -> anyhow::Result<Vec<Vec<Vec<f64>>>> {
    std::thread::scope(|scope| {
        let walks: Vec<_> =
            (0..chains).map(|number| scope.spawn(move || walk(density, number as u64, draws))).collect();
        let ended = walks.into_iter().map(|walk| walk.join().map_err(|_| anyhow::anyhow!("a chain panicked")));
        ended.collect()
    })
}

fn walk(density: &JointDensity, seed: u64, draws: usize) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut evaluator = density.evaluator();
    let mut value = |logarithms: &DVector<f64>| {
        let unknowns: Vec<f64> = logarithms.iter().map(|y| y.exp()).collect();
        // a density of the logarithms
        evaluator.value(&unknowns).map_or(f64::NEG_INFINITY, |value| value + logarithms.sum())
    };
    let count = density.unknowns().len();
    let mut point = DVector::from_iterator(count, density.unknowns().iter().map(|unknown| unknown.start.ln()));
    let mut current = value(&point);
    let (mut mean, mut covariance) = (point.clone(), DMatrix::identity(count, count) * 1e-3);
    let mut factor = covariance.clone();
    let (mut scale, warmup) = (2.4 / (count as f64).sqrt(), draws / 5);
    let mut found = Vec::with_capacity(draws - warmup);
    for number in 0..draws {
        if number % 100 == 0
            && let Some(cholesky) = Cholesky::new(covariance.clone())
        {
            factor = cholesky.unpack();
        }
        let normal = DVector::from_fn(count, |_, _| StandardNormal.sample(&mut random));
        let trial = &point + &factor * normal * scale;
        let at_trial = value(&trial);
        let acceptance = (at_trial - current).exp().min(1.0);
        if random.random::<f64>() < acceptance {
            (point, current) = (trial, at_trial);
        }
        let apart = &point - &mean;
        if number < warmup {
            scale *= ((acceptance - 0.234) / (1.0 + number as f64).sqrt()).exp();
        } else {
            found.push(point.iter().map(|y| y.exp()).collect());
        }
        let part = 1.0 / (number as f64 + 100.0);
        mean += &apart * part;
        covariance = covariance * (1.0 - part) + &apart * apart.transpose() * part;
    }
    found
}
