//! Chains as tasks.

use std::fs;

use costate_ensemble::{Ensemble, Interrupt};
use costate_posterior::{Chain, Fault, LogDensity, Sampler, SamplingError};

use crate::densities::{Normal, SKEWED};

fn short() -> Sampler<'static> {
    Sampler::new().warmup(100).draws(50).seed(7)
}

fn bits(chains: &[Chain]) -> Vec<Vec<u64>> {
    chains.iter().map(|chain| chain.draws.iter().flatten().map(|draw| draw.to_bits()).collect()).collect()
}

#[test]
fn chains_do_not_depend_on_threads_shards_and_each_other() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| short().sample(&SKEWED)).unwrap()
    };
    let one = bits(on(1).chains());
    assert_eq!(one, bits(on(2).chains()));
    assert_eq!(one[..2], bits(short().chains(2).sample(&SKEWED).unwrap().chains()));
    assert_ne!(one[0], one[1]);
    assert_ne!(one, bits(short().seed(8).sample(&SKEWED).unwrap().chains()));

    let folder = tempfile::tempdir().unwrap();
    let shard = |shard: &str| {
        let ensemble = Ensemble::new().folder(folder.path()).shard(shard.parse().unwrap());
        short().ensemble(ensemble).sample(&SKEWED)
    };
    // the other shard is not there yet
    assert!(matches!(shard("1/2"), Err(SamplingError::Ensemble(_))));
    assert_eq!(one, bits(shard("2/2").unwrap().chains()));
}

#[test]
fn what_was_interrupted_goes_on_with_the_same_bits() {
    let whole = bits(short().sample(&SKEWED).unwrap().chains());
    let folder = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::new();
    let flag = interrupt.clone();
    let kept = || Ensemble::new().folder(folder.path());
    let stopped = short().ensemble(kept()).interrupt(interrupt).observer(move |progress| {
        assert_eq!((progress.draws, progress.is_warmup), (150, progress.drawn <= 100));
        if progress.chain == 2 && progress.drawn == 120 {
            flag.trigger();
        }
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let error = pool.install(|| stopped.sample(&SKEWED)).unwrap_err();
    let SamplingError::Interrupted { done, chains: 4, .. } = error else { panic!("{error}") };
    assert!(done < 4);
    // killed while it wrote: a line that was cut short
    let log = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let log = log.filter(|path| path.extension().is_none_or(|extension| extension != "progress"));
    for path in log.filter(|path| path.is_file()) {
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len().saturating_sub(20)]).unwrap();
    }
    assert_eq!(whole, bits(short().ensemble(kept()).sample(&SKEWED).unwrap().chains()));
    // and a log of another density is refused
    let other = Normal { mean: [0.0; 3], ..SKEWED };
    let error = short().ensemble(kept()).sample(&other).unwrap_err();
    assert!(error.to_string().contains("density") || format!("{error:?}").contains("density"), "{error:?}");
    assert!(short().draws(60).ensemble(kept()).sample(&SKEWED).is_err());
}

/// Every other chain does not work.
struct Moody;

impl LogDensity for Moody {
    fn names(&self) -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
        let mut fails = None;
        move |point, gradient| {
            gradient[0] = -point[0];
            // by where the chain begins
            match *fails.get_or_insert(point[0] < 0.0) {
                true => Err(Fault::Stop("not on this side".to_owned())),
                false => Ok(-0.5 * point[0] * point[0]),
            }
        }
    }
}

#[test]
fn chains_that_fail_are_told_beside_the_others() {
    let samples = short().chains(6).sample(&Moody).unwrap();
    let failed = samples.failed_chains();
    assert!(!failed.is_empty() && samples.chains().len() + failed.len() == 6);
    assert!(samples.to_string().contains("chains failed; the error of the first one: not on this side"), "{samples}");
}

#[test]
fn the_file_has_the_groups_of_arviz() {
    let samples = short().sample(&SKEWED).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("posterior.json");
    samples.write(&path).unwrap();
    let file: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let draws: Vec<Vec<f64>> = serde_json::from_value(file["posterior"]["b"].clone()).unwrap();
    assert_eq!(draws, samples.of("b").unwrap());
    for name in ["lp", "energy", "acceptance_rate", "step_size", "tree_depth", "n_steps", "diverging"] {
        let of_chains = file["sample_stats"][name].as_array().unwrap();
        assert_eq!(of_chains.len(), 4, "{name}");
        assert!(of_chains.iter().all(|chain| chain.as_array().unwrap().len() == 50), "{name}");
    }
    let error = samples.write(folder.path().join("no/such/folder.json")).unwrap_err();
    assert!(matches!(error, SamplingError::Write { .. }));
}
