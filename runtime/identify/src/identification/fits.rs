//! Fits, densities and checks of an identification that is described.

use costate_optimize::Iteration;
use costate_system::check_gradient::GradientReport;
use costate_system::ensemble::Ensemble;
use costate_system::model::Model;
use costate_system::problem::Problem;
use costate_system::state_file::Description;
use costate_system::system::DualEquations;

use crate::check::IdentificationCheck;
use crate::definition::error::IdentificationError;
use crate::density::JointDensity;
use crate::distributed::{DistributedCost, ExperimentShare};
use crate::prediction_error::{PredictionErrorFit, ProcessNoise};
use crate::result::fit::Fit;

use super::Identification;

/// Fits, checks and evaluations.
impl<M> Identification<M> {
    /// Describes everything that the result depends on, by preparing the identification for this alone.
    #[doc(hidden)]
    pub fn described(self) -> Result<Description, IdentificationError> {
        self.definition.described()
    }

    /// Identifies. Adaptive steps are those of the start, so that the cost is a smooth function; if their error is
    /// too large at the found parameters, the steps are chosen again there and the minimisation continues. The
    /// minimisation is likewise repeated where residuals are weighed by their own standard deviations, until these
    /// have settled.
    ///
    /// # Errors
    /// [`IdentificationError`]. A simulation that fails at trial parameters is not an error, the line search steps
    /// back from there; one that fails at the start values is.
    pub fn run(self) -> Result<Fit<M>, IdentificationError> {
        Ok(self.definition.fit(None)?.tagged())
    }

    /// Identifies as [`run`](Self::run) does, and calls `observer` after every iteration, first with the start.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_observed(self, mut observer: impl FnMut(&Iteration) + Send) -> Result<Fit<M>, IdentificationError> {
        Ok(self.definition.fit(Some(&mut observer))?.tagged())
    }

    /// Reports before the fit which unknowns the data determine at the start values, and how well; which only as
    /// combinations, and which not at all; which channels are constant or clipped; and whether the steps are short
    /// enough compared with the noise. Predicted deviations are those of a model that explains the data, with the
    /// given noise or the noise that the samples themselves show. Where a deviation exceeds the start value, a remark
    /// states how much more data would suffice, and whether the unknown begins to act only at the end of the records.
    ///
    /// [`run`](Self::run) makes the same check, and refuses unknowns that cannot be found unless [told
    /// otherwise](Self::ignore_check).
    ///
    /// # Errors
    /// As [`run`](Self::run), except for errors of the check itself.
    pub fn check(&self) -> Result<IdentificationCheck, IdentificationError> {
        self.definition.check()
    }

    /// Identifies from `starts` points within the bounds, which every unknown needs, on all cores, and returns the best
    /// fit with the [ends](Fit::starts) of all starts: a way out of the minimum that happens to be next to the start
    /// values.
    ///
    /// The first start is that of the model, the others are a Latin hypercube drawn with `seed`; see
    /// [`multistart`](costate_optimize::multistart). Nothing depends on the number of threads in rayon's pool but the
    /// time. Where the best end leaves more than noise, a fit in [pieces](Self::pieces) of the records
    /// follows from the model's values, and the better one of both is the result.
    ///
    /// With more starts than threads, up to four starts share a thread, and the simulations and gradients that they
    /// need at the same time run in lanes, see [`Problem::run_each`](costate_system::problem::Problem::run_each).
    /// Methods that need sensitivities, gradients by other methods than the discrete adjoint, and simulations with
    /// checkpoints run by themselves. Every start that goes on at the same time has the memory of its simulation.
    ///
    /// # Errors
    /// [`SpecificationError::Multistart`](crate::SpecificationError::Multistart) for an unknown without bounds,
    /// [`SpecificationError::NotInMultistart`](crate::SpecificationError::NotInMultistart) for a state file,
    /// [`IdentificationError::EveryStart`] if no start leads to a result, [`IdentificationError::Interrupted`],
    /// [`IdentificationError::Ensemble`], and those of [`run`](Self::run) before anything runs. A start that fails is
    /// part of the result.
    pub fn multistart(self, starts: usize, seed: u64) -> Result<Fit<M>, IdentificationError> {
        self.multistart_in(&Ensemble::new(), starts, seed)
    }

    /// Does as [`multistart`](Self::multistart), in shards or by several processes, with logs in a folder from which
    /// the work continues, with a time limit, which is checked between iterations. The times of the fit are then those
    /// of this process.
    ///
    /// # Errors
    /// As [`multistart`](Self::multistart).
    pub fn multistart_in(
        self,
        ensemble: &Ensemble<'_>,
        starts: usize,
        seed: u64,
    ) -> Result<Fit<M>, IdentificationError> {
        Ok(self.definition.multistart(starts, seed, ensemble)?.tagged())
    }

    /// Identifies by prediction errors: minimises -2 log L of the innovations of an extended Kalman filter over the
    /// whole record (KE 1.4.1), with its exact gradient, by BFGS. For models that noise drives, whose motion is
    /// unstable, or whose inputs were measured with errors; a simulation from one start loses such records. Unknown are
    /// what the identification says, initial values and gains, offsets and delays of measurements included, and the
    /// deviations that `noise` leaves open. An unknown delay adds to the states of the filter the outputs at the steps
    /// between its bounds: give narrow ones.
    ///
    /// The filter predicts q and v by steps of the length of the simulation's, to which samples belong: it needs a mass
    /// for each coordinate, and steps that resolve the fastest motion. Weights of measurements are not used; priors
    /// are. The check before other fits is not made.
    ///
    /// # Errors
    /// [`PredictionErrorFault`](crate::PredictionErrorFault), and those of [`run`](Self::run) before anything runs.
    pub fn prediction_error(self, noise: &ProcessNoise<M>) -> Result<PredictionErrorFit, IdentificationError>
    where
        M: Model,
    {
        self.definition.prediction_error(&noise.settings, M::dual_equations())
    }

    /// Identifies as [`prediction_error`](Self::prediction_error) does, with the functions of the same model in dual
    /// numbers, for a model that was loaded.
    ///
    /// # Errors
    /// As [`prediction_error`](Self::prediction_error).
    pub fn prediction_error_by(
        self,
        noise: &ProcessNoise<M>,
        dual: &dyn DualEquations,
    ) -> Result<PredictionErrorFit, IdentificationError> {
        self.definition.prediction_error(&noise.settings, dual)
    }

    /// Returns the posterior of the unknowns, for samplers: residuals are weighed by their likelihood. Adaptive steps
    /// are those of the start.
    ///
    /// # Errors
    /// [`SpecificationError::NoPosterior`](crate::SpecificationError::NoPosterior) for settings without a likelihood,
    /// such as given weights, further costs and losses other than squares, and those of [`run`](Self::run) before
    /// anything is minimised.
    pub fn density(self) -> Result<JointDensity, IdentificationError> {
        self.definition.density(None)
    }

    /// Returns the joint cost of the experiments of all processes of `share`. The identification has the experiments
    /// of [`share.own()`](ExperimentShare::own), in their order, and no others: other records need not be read. Every
    /// process has to call it.
    ///
    /// ```no_run
    /// # costate::model! {
    /// #     pub Oscillator {
    /// #         parameters { m: kg = 1, c: N/m = 400, d: N*s/m = 0.4 }
    /// #         coordinates { x: m }
    /// #         mass { x: m }
    /// #         forces { x: -c*x - d*dot(x) }
    /// #         initial { x = 0.1[m], dot(x) = 0[m/s] }
    /// #         outputs { position: m = x }
    /// #     }
    /// # }
    /// use costate::ensemble::Executor;
    /// use costate::identify::{Experiment, ExperimentShare};
    /// use costate::{Identification, Record, Simulation};
    ///
    /// fn fit(world: &dyn Executor, files: &[&str]) -> anyhow::Result<()> {
    ///     let share = ExperimentShare::new(world, files.len())?;
    ///     let own = &files[share.own()];
    ///     let records = own.iter().map(Record::read_csv).collect::<Result<Vec<_>, _>>()?;
    ///     let simulation = Simulation::new(&Oscillator::default());
    ///     let mut identification = Identification::new(&simulation).unknown([Oscillator::C, Oscillator::D]);
    ///     for (file, record) in own.iter().zip(&records) {
    ///         let experiment = Experiment::new(*file).measured(Oscillator::POSITION, record);
    ///         identification = identification.experiment(experiment);
    ///     }
    ///     let joint = identification.distributed(share)?;
    ///     for of_process in joint.memory() {
    ///         println!("{of_process}");
    ///     }
    ///     println!("{}", joint.minimize()?);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// Settings that need the data of all experiments in one process are refused: coloured noise, unknown tables,
    /// adaptive steps, and further costs together with standard deviations that are estimated from the residuals.
    ///
    /// # Errors
    /// [`DistributedError::NotDistributed`](crate::DistributedError::NotDistributed) for refused settings, and those of
    /// [`run`](Self::run) before anything is minimised; in every process where one has failed.
    pub fn distributed(self, share: ExperimentShare<'_>) -> Result<DistributedCost<'_, M>, IdentificationError> {
        Ok(DistributedCost::of(self.definition.distributed(share)?))
    }

    /// Returns the simulation that the identification runs, with the step size, end time and inputs that it has taken
    /// from the records.
    ///
    /// # Errors
    /// As [`run`](Self::run), before anything runs;
    /// [`RequestError::SeveralExperiments`](crate::RequestError::SeveralExperiments).
    pub fn problem(&self) -> Result<Problem, IdentificationError> {
        self.definition.problem()
    }

    /// Compares the gradient of the identification's own cost at the start values, by its
    /// [`gradient_method`](Self::gradient_method), with dual numbers, for every unknown: parameters of all experiments
    /// or of one, gains, offsets, delays, and values of unknown inputs and tables; see `verify::check_gradient`.
    ///
    /// A prediction has plain numbers alone: eigenvalues and balances of harmonics end iterations and choose pivots,
    /// and a `Prediction` may come from anywhere. Its part is compared with central differences in two widths, which
    /// know derivatives to 1e-10 of the terms of the cost; the report counts this as rounding.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn check_gradient(&self) -> Result<GradientReport, IdentificationError>
    where
        M: Model,
    {
        self.definition.check_gradient(M::second_order())
    }
}
