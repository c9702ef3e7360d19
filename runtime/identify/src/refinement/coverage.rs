//! Runs of a model, beside the measured values.

use std::borrow::Cow;

use costate_system::problem::SimulationError;

use crate::definition::Definition;
use crate::definition::error::IdentificationError;
use crate::estimation::deferred::distance;

/// Measured and fitted values of one channel.
pub(super) struct Channel {
    pub values: Vec<f64>,
    pub fitted: Vec<f64>,
}

/// The run of one experiment: its channels, and the arguments of all lookups of every table of the model.
pub(super) struct Course {
    pub channels: Vec<Channel>,
    pub touched: Vec<Vec<[f64; 2]>>,
}

/// Returns the lookup arguments of every table of the model, from all experiments.
pub(super) fn touched_of(courses: &[Course]) -> Vec<Vec<[f64; 2]>> {
    let count = courses.first().map_or(0, |course| course.touched.len());
    let of_table = |table: usize| courses.iter().flat_map(|course| course.touched[table].iter().copied()).collect();
    (0..count).map(of_table).collect()
}

/// Returns the root mean square of the residuals, in percent of that of the measured values without their mean.
pub(super) fn percent(channel: &Channel) -> f64 {
    let mean = channel.values.iter().sum::<f64>() / channel.values.len().max(1) as f64;
    let level = vec![mean; channel.values.len()];
    100.0 * distance(&channel.fitted, &channel.values) / distance(&level, &channel.values)
}

/// Returns the largest residuals of a channel, in percent as `percent`; infinite where a number is NaN.
pub(super) fn worst(courses: &[Course]) -> f64 {
    let left = courses.iter().flat_map(|course| &course.channels).map(percent);
    left.fold(0.0, |most, left| if left.is_nan() { f64::INFINITY } else { f64::max(most, left) })
}

/// Runs all experiments with the present values, with the steps of the residuals divided into `parts`.
pub(super) fn courses(identification: &Definition, parts: usize) -> Result<Vec<Course>, IdentificationError> {
    let estimation = identification.prepare_in((parts * identification.finer) as f64)?;
    let unknowns = estimation.state.parameters();
    let mut courses = Vec::new();
    for prepared in &estimation.experiments {
        let course = || -> Result<Course, SimulationError> {
            let problem: Cow<'_, _> = prepared.problem_at(&unknowns)?;
            let mut run = problem.run(&prepared.parameters(&unknowns))?;
            let channels = prepared.comparison.channels.iter().map(|channel| Channel {
                values: channel.values.clone(),
                fitted: channel.fitted(run.outputs(), &unknowns),
            });
            let channels = channels.collect();
            Ok(Course { channels, touched: prepared.model.lookup_arguments(&problem, (&mut run).into())? })
        };
        let named = |error: SimulationError| estimation.in_experiment(prepared.number, error.into());
        courses.push(course().map_err(named)?);
    }
    Ok(courses)
}

/// Returns `None` for a simulation that fails at these values alone; passes on other errors.
pub(super) fn or_nothing<T>(result: Result<T, IdentificationError>) -> Result<Option<T>, IdentificationError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(IdentificationError::Simulation(error)) if !error.fails_anywhere() => Ok(None),
        Err(IdentificationError::Experiment { source, .. })
            if matches!(&*source,
        IdentificationError::Simulation(error) if !error.fails_anywhere()) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
