//! Runs, records, matrices and spectra that no machine can hold.

use costate::cost::{FourierLine, RunUp, SpectralValue, SpectrumCost, SpectrumError, SpectrumForm, Window};
use costate::filter::{
    CovarianceFault, FilterError, Gaussian, KalmanFilter, KalmanMethod, ModelFailure, ParticleFilter, RungeKuttaModel,
    Sample, SigmaPoints, StateSpace, Step, Transformation, VectorFunction, globally_iterated,
};
use costate::identify::{IdentificationError, SpecificationError, UnknownParameter};
use costate::optimize::{Method, MultistartError, OptimizerSettings, OptimizerState, StartError, Variable};
use costate::simulate::{MatrixFault, OutOfMemory, SimulationError};
use costate::{Identification, Record, Simulation};
use nalgebra::{DMatrix, DVector};

use super::{Driven, Oscillator};

fn out_of_memory(error: SimulationError) -> OutOfMemory {
    match error {
        SimulationError::OutOfMemory(error) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_that_no_machine_can_store_are_refused() {
    let model = Oscillator::default();
    let long = Simulation::new(&model).step(1e-4).until(1e8);
    let error = out_of_memory(long.run().unwrap_err());
    assert_eq!((error.count, error.counted), (1_000_000_000_000, "steps"));
    assert!(error.needed >= 8_000_000_000_000, "{error}");
    assert!(error.to_string().contains("take a larger step or an earlier end"), "{error}");
    // a run with inputs whose steps take more than 2^64 bytes in all
    let driven = Driven::default();
    let longest = Simulation::new(&driven).input(Driven::DRIVE, 0.0).step(1.0).until(9e15);
    out_of_memory(longest.problem().unwrap_err());
    out_of_memory(longest.memory_limit(u64::MAX).problem().unwrap_err());
    // a limit set by the user comes first
    match Simulation::new(&model).step(1e-4).until(1e8).memory_limit(1 << 20).run().unwrap_err() {
        SimulationError::Memory { steps, limit, .. } => {
            assert_eq!((steps, limit), (1_000_000_000_000, 1 << 20))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_record_with_one_garbled_time_is_refused() {
    let record = Record::new(vec![0.0, 0.01, 1e13]).unwrap();
    let record = record.with_channel("position", Some("m"), vec![0.0; 3]).unwrap();
    let identification =
        Identification::new(&Simulation::new(&Oscillator::default()).step(0.01)).unknown([Oscillator::C]);
    match identification.measured(Oscillator::POSITION, &record).run() {
        Err(IdentificationError::Simulation(error)) => {
            assert_eq!(out_of_memory(error).count, 1_000_000_000_000_000);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_that_somebody_chose_too_large_are_refused() {
    let record = Record::new(vec![0.0, 0.01]).unwrap();
    let record = record.with_channel("position", Some("m"), vec![0.1; 2]).unwrap();
    let bounded = UnknownParameter::from(Oscillator::C).within(50.0, 200.0);
    let starts = Identification::new(&Simulation::new(&Oscillator::default()))
        .unknown([bounded])
        .measured(Oscillator::POSITION, &record)
        .multistart(usize::MAX, 0);
    match starts {
        Err(IdentificationError::Specification(SpecificationError::Multistart(MultistartError::OutOfMemory(
            error,
        )))) => {
            assert_eq!((error.count, error.counted), (usize::MAX, "starts"));
        }
        other => panic!("{other:?}"),
    }

    let model = Oscillator::default();
    let problem = Simulation::new(&model).step(0.01).until(0.1).problem().unwrap();
    let process = RungeKuttaModel::new(&problem, &model).unwrap();
    let initial = Gaussian::independent(&[0.1, 0.0], &[0.1, 0.1]).unwrap();
    let (q, r) = (DMatrix::zeros(2, 2), DMatrix::identity(1, 1));
    match ParticleFilter::new(process, usize::MAX / 2, 0.01, &initial, &q, &r, 0) {
        Err(FilterError::OutOfMemory(error)) => assert_eq!(error.counted, "particles"),
        other => panic!("{:?}", other.err()),
    }

    let variables: Vec<_> = (0..1_000_000).map(|_| Variable::new("u", 1.0)).collect();
    match OptimizerState::new(variables, OptimizerSettings::default().with_method(Method::Bfgs)) {
        Err(StartError::OutOfMemory(error)) => {
            assert!(error.to_string().ends_with("take `Method::limited_memory_bfgs()`"), "{error}");
        }
        other => panic!("{:?}", other.err()),
    }
}

/// A system that claims to have many states.
struct Large(usize);

impl StateSpace for Large {
    fn states(&self) -> usize {
        self.0
    }
    fn inputs(&self) -> usize {
        0
    }
    fn measurements(&self) -> usize {
        self.0
    }
    fn state_name(&self, state: usize) -> String {
        state.to_string()
    }
    fn advance(&mut self, _: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        next.copy_from_slice(x);
        Ok(())
    }
    fn transition(
        &mut self,
        _: &Step<'_>,
        _: &[f64],
        _: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        matrix.fill_with_identity();
        Ok(())
    }
    fn measure(&mut self, _: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
    }
    fn measurement_matrix(&mut self, _: &Sample<'_>, _: &[f64], matrix: &mut DMatrix<f64>) {
        matrix.fill_with_identity();
    }
}

/// A function that claims to have many values.
struct Long(usize);

impl VectorFunction for Long {
    fn length(&self) -> usize {
        self.0
    }
    fn value(&self, _: &[f64], y: &mut [f64]) {
        y.fill(0.0);
    }
    fn jacobian(&self, _: &[f64], matrix: &mut DMatrix<f64>) {
        matrix.fill(0.0);
    }
}

#[test]
fn matrices_that_no_machine_can_hold_are_refused() {
    let refused = |error: FilterError, count: usize, counted: &str| match error {
        FilterError::OutOfMemory(error) => {
            assert_eq!((error.count, error.counted), (count, counted));
            assert!(error.needed as f64 >= 8.0 * (count as f64).powi(2).min(2e18), "{error}");
        }
        other => panic!("{other:?}"),
    };
    let many = vec![0.0; 10_000_000];
    refused(Gaussian::independent(&many, &many).unwrap_err(), many.len(), "components");

    let one = Gaussian::independent(&[0.0], &[1.0]).unwrap();
    for transformation in [
        Transformation::Linearized,
        Transformation::Unscented(SigmaPoints::default()),
        Transformation::MonteCarlo { samples: 2, seed: 0 },
    ] {
        refused(transformation.transform(&one, &Long(usize::MAX)).unwrap_err(), usize::MAX, "components");
    }

    // a covariance of another size, and a mean that is too long for any covariance
    let small = DMatrix::identity(1, 1);
    let filter = |initial: &Gaussian, states| {
        KalmanFilter::new(Large(states), KalmanMethod::Extended, 0.1, initial, &small, &small).err().unwrap()
    };
    assert!(matches!(filter(&one, usize::MAX), FilterError::Length { given: 1, expected: usize::MAX, .. }));
    let initial = Gaussian { mean: DVector::zeros(many.len()), covariance: small.clone() };
    refused(filter(&initial, many.len()), many.len(), "states");
    let unlike = Gaussian::new(initial.mean, small.clone()).unwrap_err();
    assert!(
        matches!(unlike, FilterError::Covariance { fault: CovarianceFault::Matrix(MatrixFault::Size { .. }), .. }),
        "{unlike:?}"
    );

    let mut filter = KalmanFilter::new(Large(1), KalmanMethod::Extended, 0.1, &one, &small, &small).unwrap();
    for iterations in [usize::MAX, usize::MAX / 1024] {
        let found = globally_iterated(&mut filter, &one, &[], &[0.0; 3], &[], iterations);
        let Err(FilterError::OutOfMemory(error)) = found else { panic!("{found:?}") };
        assert_eq!((error.count, error.counted), (iterations, "iterations"));
    }
}

#[test]
fn spectra_that_no_machine_can_hold_are_refused() {
    let refused = |error: SpectrumError, count: usize, counted: &str| match error {
        SpectrumError::OutOfMemory(error) => assert_eq!((error.count, error.counted), (count, counted)),
        other => panic!("{other:?}"),
    };
    let cost = SpectrumCost::new(1e-6, 1_000_000_000_000_001, SpectrumForm::SquaredAmplitude);
    let line = FourierLine::new(1.0, 0.0, 1e9, Window::Hann);
    let amplitude = SpectralValue::Amplitude(1.0);
    refused(
        cost.clone().with_line(Oscillator::POSITION, line, amplitude, 1.0).unwrap_err(),
        999_999_999_999_999,
        "samples",
    );
    let short = FourierLine { to: 10.0, ..line };
    assert_eq!(cost.with_line(Oscillator::POSITION, short, amplitude, 1.0).map(|cost| cost.lines()), Ok(1));

    let run_up = RunUp::new(25.0..=100.0, 0.0..=10.0).unwrap();
    let speeds = std::iter::repeat_n(50.0, usize::MAX);
    refused(run_up.lines(2.0, speeds, Window::Hann).unwrap_err(), usize::MAX, "lines");
    assert_eq!(run_up.lines(2.0, [30.0, 50.0], Window::Hann).map(|lines| lines.len()), Ok(2));
}
