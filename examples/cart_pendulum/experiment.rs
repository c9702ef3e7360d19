//! The four identifications.

use anyhow::Result;
use costate::cost::{FourierLine, SpectrumCost, SpectrumError, SpectrumForm, Window};
use costate::optimize::OptimizerSettings;
use costate::simulate::{Problem, SimulationError};
use costate::{Fit, Identification, Record, Simulation};
use costate_examples::add_noise;
use costate_models::cart_pendulum::{ALPHA, END, FD, OB, STEP, Variant};
use costate_models::{CartPendulum, cart_pendulum};

/// Part of the measured phi_1 that the model is fitted to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// The squared amplitudes of the lines k/T in this band in Hz.
    Band(f64, f64),
    /// The values at all times.
    Time,
}

/// An identification of c_f and d_f from phi_1.
pub struct Experiment {
    /// Name in files.
    pub key: &'static str,
    pub title: &'static str,
    pub variant: Variant,
    pub domain: Domain,
    /// Standard deviation of the noise on the measurement over its RMS.
    pub noise: f64,
    /// True if the damping of the model's cart differs from the measured one.
    pub wrong_cart: bool,
    /// Published c_f and d_f; `None` if not published.
    pub published: Option<[f64; 2]>,
}

/// The published identifications, and the first one in time for comparison.
pub const EXPERIMENTS: [Experiment; 4] = [
    Experiment {
        key: "frequency_fd",
        title: "FD 5.1: spectrum, wrong cart damping",
        variant: FD,
        domain: Domain::Band(1.25, 1.45),
        noise: 0.0,
        wrong_cart: true,
        published: Some([9.98, 0.019]),
    },
    Experiment {
        key: "frequency_ob",
        title: "OB 4.4.1: spectrum",
        variant: OB,
        domain: Domain::Band(1.4, 1.9),
        noise: 0.0,
        wrong_cart: false,
        published: Some([9.999_999_8, 0.02]),
    },
    Experiment {
        key: "time_ob",
        title: "OB 4.4.1: time, noise",
        variant: OB,
        domain: Domain::Time,
        noise: 0.02,
        wrong_cart: false,
        published: Some([9.9947, 0.020_025_7]),
    },
    Experiment {
        key: "time_fd",
        title: "FD 5.1 in time: wrong cart damping",
        variant: FD,
        domain: Domain::Time,
        noise: 0.0,
        wrong_cart: true,
        published: None,
    },
];

impl Experiment {
    /// Returns the measured pendulum.
    pub fn truth(&self) -> CartPendulum {
        self.variant.model()
    }

    /// Returns the model at the start.
    pub fn start(&self) -> CartPendulum {
        let start = self.variant.start();
        if self.wrong_cart { CartPendulum { d_c: 0.1, ..start } } else { start }
    }

    /// Simulates the measurement: phi_1 of the true pendulum, with noise if `noise` is positive.
    pub fn measure(&self, seed: u64) -> Result<Record> {
        let truth = self.truth();
        let run = self.simulation(&truth).run()?;
        let mut angle = run.output(CartPendulum::ANGLE);
        if self.noise > 0.0 {
            add_noise(&mut angle, self.noise, seed)?;
        }
        let record = Record::new(run.times())?.named("simulated measurement");
        Ok(record.with_channel(CartPendulum::ANGLE.name(), Some("rad"), angle)?)
    }

    /// Simulates phi_1 of a model.
    pub fn angle(&self, model: &CartPendulum) -> Result<Vec<f64>, SimulationError> {
        Ok(self.simulation(model).run()?.output(CartPendulum::ANGLE))
    }

    /// Sets up the run, for many evaluations.
    pub fn problem(&self) -> Result<Problem, SimulationError> {
        self.simulation(&self.truth()).problem()
    }

    /// Finds c_f and d_f.
    pub fn identify(&self, measured: &Record) -> Result<Fit<CartPendulum>> {
        let identification = Identification::new(&self.simulation(&self.start()))
            .unknown([CartPendulum::C_F, CartPendulum::D_F])
            .optimizer(optimizer());
        let identification = match self.domain {
            Domain::Time => identification.measured(CartPendulum::ANGLE, measured),
            Domain::Band(low, high) => identification.cost(1.0, spectrum_cost(measured, (low, high))?),
        };
        Ok(identification.run()?)
    }

    fn simulation(&self, model: &CartPendulum) -> Simulation<CartPendulum> {
        let variant = self.variant;
        Simulation::new(model)
            .input(CartPendulum::DRIVE, move |t: f64| variant.force(t))
            .step(STEP)
            .until(END)
            .alpha(ALPHA)
    }
}

/// Settings for a minimum in a narrow, curved valley, where closer line searches and a larger first step save
/// iterations.
fn optimizer() -> OptimizerSettings {
    let mut settings = OptimizerSettings::default().with_gradient_tolerance(1e-5).with_first_step(0.2);
    settings.curvature = 0.5;
    settings
}

/// Sets up the cost FD (5) on the lines of the band.
pub fn spectrum_cost(measured: &Record, band: (f64, f64)) -> Result<SpectrumCost, SpectrumError> {
    let lines = FourierLine::band(band, 0.0, cart_pendulum::END, Window::Rectangular)?;
    let values = angle_of(measured);
    SpectrumCost::new(STEP, values.len(), SpectrumForm::SquaredAmplitude).with_measured(
        CartPendulum::ANGLE,
        &lines,
        measured.times(),
        values,
        1.0,
    )
}

/// Returns the measured phi_1.
pub fn angle_of(measured: &Record) -> &[f64] {
    measured.channels().first().map_or(&[], |channel| channel.values())
}
