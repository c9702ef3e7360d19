//! Joint fits that are interrupted, and go on.

use std::path::Path;

use costate::Simulation;
use costate::ensemble::Threads;
use costate::identify::{ExperimentShare, IdentificationError};
use costate::optimize::{Iteration, Method, OptimizerSettings};
use costate::simulate::{Interrupt, Interrupted, InterruptedWork};

use super::{bits, each, joint, joint_of, known_campaign, with_causes};
use crate::campaign::{BENCHES, Isolator, Tested, common, least_squares, records};
use crate::file;

/// A joint fit that was interrupted, by whichever process, goes on from its file to the same bits, with any number of
/// processes.
#[test]
fn joint_fits_continue() -> Tested {
    let records = &records(1.0, 5)?;
    for (method, name, cases) in
        [(Method::Bfgs, "bfgs", [(0, 1, 3), (1, 3, 2)]), (least_squares().method, "residuals", [(0, 2, 1), (1, 2, 3)])]
    {
        let optimizer = &OptimizerSettings::default().with_method(method);
        let whole = bits(&joint(records, &Threads, |id| id.optimizer(optimizer.clone()))?.minimize()?);
        for (stopping, before, after) in cases {
            let path = &file(&format!("joint_{name}_{stopping}_{before}.json"));
            let interrupted = each(before, |on| {
                let interrupt = Interrupt::new();
                let flag = interrupt.clone();
                // one of them is told to stop
                let observer = move |iteration: &Iteration| {
                    if iteration.number == 2 && on.process() == stopping {
                        flag.trigger();
                    }
                };
                let share = ExperimentShare::new(on, BENCHES.len())?;
                let common = common().interrupt(interrupt);
                let id = known_campaign(&common, records, share.own()).optimizer(optimizer.clone());
                id.state_file(path).distributed(share)?.minimize_observed(observer)
            });
            for result in interrupted {
                let Err(IdentificationError::Interrupted(Interrupted { work, state_file, .. })) = result else {
                    return Err(format!("{result:?}").into());
                };
                assert_eq!(work, InterruptedWork::Identification { iterations: 2 });
                assert_eq!(state_file.as_ref(), Some(path));
            }
            // the rest, and once more where nothing is left to do
            for count in [after, 1] {
                let continued = each(count, |on| {
                    joint(records, on, |id| id.optimizer(optimizer.clone()).state_file(path))?
                        .minimize()
                        .map(|fit| bits(&fit))
                });
                let continued = continued.into_iter().collect::<Result<Vec<_>, _>>()?;
                assert_eq!(continued, vec![whole.clone(); count], "{method} on {before}, then on {count}");
            }
        }
    }
    Ok(())
}

/// A file of another problem is refused, and says by what; so is one that cannot be written, in all processes.
#[test]
fn joint_files_of_other_problems() -> Tested {
    let (two, mut three) = (&records(1.0, 5)?, records(1.0, 6)?);
    three[..2].clone_from_slice(&two[..2]);
    let three = &three;
    let path = &file("joint_other.json");
    let few = OptimizerSettings::default().with_maximum_iterations(2);
    joint(two, &Threads, |id| id.optimizer(few.clone()).state_file(path))?.minimize()?;
    let other = |records, common: Simulation<Isolator>, path: &Path| {
        let told = each(2, |on| {
            let fit = joint_of(&common, records, on, |id| id.state_file(path))?.minimize();
            fit.map(|fit| bits(&fit))
        });
        told.into_iter().map(|result| result.err().map(|error| with_causes(&error)).unwrap_or_default())
    };
    // another record, an experiment of the second process; and another step
    for (records, common, what) in [
        (
            three,
            common(),
            "the values of measurement 1 (output `position`) of `both`: 1001 values from -0.03230626046072084 to",
        ),
        (two, common().step(4e-3), "`step` of the simulation of `slow`: 0.002 in the file, now 0.004"),
    ] {
        let told: Vec<String> = other(records, common, path).collect();
        let text = format!("the state file `{}` was written with other settings or data: {what}", path.display());
        assert!(told[0].starts_with(&text), "{told:?}");
        assert!(told[1].starts_with(&format!("process 0 has failed: {text}")), "{told:?}");
    }
    let of_one = known_campaign(&common(), two, 0..BENCHES.len()).state_file(path).run();
    let text = of_one.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.ends_with("belongs to a joint identification, not to an identification: choose another file"));
    let nowhere = other(two, common(), Path::new("/no/such/folder/joint.json"));
    let nowhere: Vec<String> = nowhere.collect();
    assert!(nowhere[0].starts_with("cannot write the state file `/no/such/folder/joint.json`"), "{nowhere:?}");
    assert!(nowhere[1].starts_with("process 0 has failed: cannot write the state file"), "{nowhere:?}");
    // one of them alone wants a file
    let alone = each(2, |on| {
        joint(two, on, |id| if on.is_root() { id.state_file(path) } else { id }).err().map(|e| e.to_string())
    });
    assert!(alone.iter().flatten().all(|text| text.starts_with("whether a state file is kept is false in")));
    assert_eq!(alone.iter().flatten().count(), 2);
    Ok(())
}
