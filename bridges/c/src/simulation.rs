//! The description of a run.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use costate::Simulation;
use costate::command::AnyTable;
use costate::interpreted::LoadedModel;
use costate::model::UnknownName;
use costate::simulate::{GivenStart, InputSignal, Problem, Sampled, Scheme};
use costate::table::{Curve, Extension, Interpolation, Surface};

use crate::boundary::{Failure, Status, exported};
use crate::handles::{Handle, Kept, free, keep, with};
use crate::memory::{In, Out, Text};
use crate::model::{model_of, no_index};

/// The settings of runs, each of which the caller may change.
#[derive(Debug, Clone)]
pub struct SimulationObject {
    /// The model.
    pub model: LoadedModel,
    /// The values of all parameters, NaN for one that has none yet.
    pub values: Vec<f64>,
    inputs: Vec<Option<InputSignal>>,
    tables: Vec<Option<Data>>,
    step: Option<f64>,
    end: Option<f64>,
    scheme: Scheme,
    order: u32,
    tolerance: Option<f64>,
    error_limit: Option<Option<f64>>,
    start: Option<GivenStart>,
}

impl Kept for SimulationObject {
    const KIND: usize = 2;
}

/// The data of a table in place of those of the model.
#[derive(Debug, Clone)]
enum Data {
    Curve(Arc<Curve>),
    Surface(Arc<Surface>),
}

impl SimulationObject {
    fn new(model: LoadedModel) -> Self {
        let described = model.description();
        Self {
            model,
            values: model.defaults().iter().map(|default| default.unwrap_or(f64::NAN)).collect(),
            inputs: vec![None; described.inputs.len()],
            tables: vec![None; described.tables.len()],
            step: None,
            end: None,
            scheme: Scheme::default(),
            order: 2,
            tolerance: None,
            error_limit: None,
            start: None,
        }
    }

    /// Returns the simulation in Rust.
    pub fn simulation(&self) -> Result<Simulation, Failure> {
        let described = self.model.description();
        let missing = described.parameters.iter().zip(&self.values).find(|(_, value)| value.is_nan());
        if let Some((parameter, _)) = missing {
            let text = format!(
                "the parameter `{}` of `{}` has no value; give it by costate_simulation_set_parameter",
                parameter.name, described.name
            );
            return Err(Failure::data(text));
        }
        let mut simulation = Simulation::of(self.model.system(), self.values.clone());
        simulation = simulation.scheme(self.scheme).order(self.order);
        if let Some(step) = self.step {
            simulation = simulation.step(step);
        }
        if let Some(end) = self.end {
            simulation = simulation.until(end);
        }
        if let Some(tolerance) = self.tolerance {
            simulation = simulation.adaptive(tolerance);
        }
        if let Some(limit) = self.error_limit {
            simulation = simulation.error_limit(limit);
        }
        for (input, signal) in described.inputs.iter().zip(&self.inputs) {
            if let Some(signal) = signal {
                simulation = simulation.input(self.model.input(input.name)?, signal.clone());
            }
        }
        for (table, data) in described.tables.iter().zip(&self.tables) {
            let (system, name) = (self.model.system(), table.quantity.name);
            match data {
                Some(Data::Curve(curve)) => simulation = simulation.table(system.curve(name)?, Arc::clone(curve)),
                Some(Data::Surface(surface)) => {
                    simulation = simulation.table(system.surface(name)?, Arc::clone(surface))
                }
                None => (),
            }
        }
        Ok(simulation)
    }

    /// Returns the positions and velocities that are given in place of the model's.
    pub fn start(&self) -> Option<&GivenStart> {
        self.start.as_ref()
    }

    /// Returns the problem of runs with these settings.
    pub fn problem(&self) -> Result<Problem, Failure> {
        if self.start.is_some() && self.tolerance.is_some() {
            let text = "a run with adaptive steps begins with the initial values of the model; choose constant steps, \
                        or write the initial values in the model as parameters";
            return Err(Failure::data(text));
        }
        self.started(self.simulation()?.problem()?)
    }

    /// Returns the problem of a stepper, which has no end.
    pub fn problem_of_stepper(&self) -> Result<Problem, Failure> {
        if self.tolerance.is_some() {
            let text = "a stepper has constant steps; leave out costate_simulation_set_adaptive, and change the length \
                        of steps by costate_stepper_set_step";
            return Err(Failure::data(text));
        }
        let simulation = self.simulation()?;
        let step = self.step.unwrap_or(f64::NAN);
        let simulation = if self.step.is_some() { simulation.until(step) } else { simulation };
        self.started(simulation.problem()?)
    }

    fn started(&self, problem: Problem) -> Result<Problem, Failure> {
        Ok(match &self.start {
            Some(start) => problem.with_start(start.clone()),
            None => problem,
        })
    }

    fn extension(&self, table: usize) -> Option<AnyTable> {
        self.model.system().tables().at(table).cloned()
    }

    fn name_of_table(&self, table: usize) -> Result<&'static str, Failure> {
        let tables = self.model.description().tables;
        let described = tables.get(table).ok_or_else(|| no_index("table", table, tables.len()))?;
        Ok(described.quantity.name)
    }

    /// Returns how a curve continues and what is between its knots.
    fn kind_of_curve(&self, table: usize) -> Result<(Extension, Interpolation), Failure> {
        let name = self.name_of_table(table)?;
        self.model.system().curve(name).map_err(|_: UnknownName| {
            Failure::argument(format!("table `{name}` is a surface; give it by costate_simulation_set_surface"))
        })?;
        Ok(match self.extension(table) {
            Some(AnyTable::Curve(own)) => (own.extension(), own.interpolation()),
            _ => Default::default(),
        })
    }

    fn kind_of_surface(&self, table: usize) -> Result<([Extension; 2], [Interpolation; 2]), Failure> {
        let name = self.name_of_table(table)?;
        self.model.system().surface(name).map_err(|_: UnknownName| {
            Failure::argument(format!("table `{name}` is a curve; give it by costate_simulation_set_curve"))
        })?;
        Ok(match self.extension(table) {
            Some(AnyTable::Surface(own)) => (own.extensions(), own.interpolations()),
            _ => Default::default(),
        })
    }

    fn input(&mut self, index: usize) -> Result<&mut Option<InputSignal>, Failure> {
        let count = self.inputs.len();
        self.inputs.get_mut(index).ok_or_else(|| no_index("input", index, count))
    }
}

fn finite(what: &str, numbers: &[f64]) -> Result<(), Failure> {
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(at) => Err(Failure::data(format!("number {at} of {what} is {}; give finite numbers", numbers[at]))),
        None => Ok(()),
    }
}

fn change(
    simulation: *mut c_void,
    work: impl FnOnce(&mut SimulationObject) -> Result<(), Failure>,
) -> Result<(), Failure> {
    with(Handle::given(simulation), work)
}

/// Returns a copy of the settings of a simulation.
pub fn settings_of(simulation: *mut c_void) -> Result<SimulationObject, Failure> {
    with(Handle::given(simulation), |simulation: &mut SimulationObject| Ok(simulation.clone()))
}

exported! {
    /// Makes the simulation of a model with the defaults of its parameters.
    fn costate_simulation_new(model: *mut c_void) -> *mut c_void {
        keep(SimulationObject::new(model_of(model)?.model))
    }

    /// Copies a simulation.
    fn costate_simulation_copy(simulation: *mut c_void) -> *mut c_void {
        keep(settings_of(simulation)?)
    }

    /// Frees a simulation.
    fn costate_simulation_free(simulation: *mut c_void) -> c_int {
        free::<SimulationObject>(Handle::given(simulation))
    }

    /// Sets a parameter.
    fn costate_simulation_set_parameter(simulation: *mut c_void, index: usize, value: f64) -> c_int {
        change(simulation, |own| {
            finite("the value of the parameter", &[value])?;
            let count = own.values.len();
            *own.values.get_mut(index).ok_or_else(|| no_index("parameter", index, count))? = value;
            Ok(())
        })
    }

    /// Sets all parameters.
    fn costate_simulation_set_parameters(simulation: *mut c_void, values: In, count: usize) -> c_int {
        change(simulation, |own| {
            let given = values.exactly("values", count, own.values.len())?;
            finite("the values", given)?;
            own.values.copy_from_slice(given);
            Ok(())
        })
    }

    /// Writes the values of all parameters.
    fn costate_simulation_parameters(simulation: *mut c_void, values: Out, count: usize) -> c_int {
        change(simulation, |own| values.write("values", count, &own.values))
    }

    /// Sets an input to one value.
    fn costate_simulation_set_input(simulation: *mut c_void, index: usize, value: f64) -> c_int {
        change(simulation, |own| {
            let place = own.input(index)?;
            finite("the value of the input", &[value])?;
            *place = Some(value.into());
            Ok(())
        })
    }

    /// Sets an input to samples over time.
    fn costate_simulation_set_input_samples(
        simulation: *mut c_void, index: usize, times: In, values: In, count: usize, interpolation: c_int,
    ) -> c_int {
        change(simulation, |own| {
            let place = own.input(index)?;
            let (times, values) = (times.read("times", count)?, values.read("values", count)?);
            finite("the values", values)?;
            let sampled = Sampled::new(times.to_vec(), values.to_vec())?;
            let sampled = match interpolation {
                0 => sampled.straight(),
                1 => sampled.held(),
                2 => sampled.cubic()?,
                _ => {
                    let text = format!("there is no interpolation {interpolation}; give 0, 1 or 2");
                    return Err(Failure::argument(text));
                }
            };
            *place = Some(sampled.into());
            Ok(())
        })
    }

    /// Gives the data of a table of one argument.
    fn costate_simulation_set_curve(simulation: *mut c_void, table: usize, x: In, values: In, count: usize) -> c_int {
        change(simulation, |own| {
            let (extension, between) = own.kind_of_curve(table)?;
            let (x, values) = (x.read("x", count)?, values.read("values", count)?);
            let curve = Curve::new(x.to_vec(), values.to_vec(), extension)?.interpolated(between);
            own.tables[table] = Some(Data::Curve(Arc::new(curve)));
            Ok(())
        })
    }

    /// Gives the data of a table of two arguments.
    fn costate_simulation_set_surface(
        simulation: *mut c_void, table: usize, x: In, x_count: usize, y: In, y_count: usize, values: In, count: usize,
    ) -> c_int {
        change(simulation, |own| {
            let (extensions, between) = own.kind_of_surface(table)?;
            let (x, y) = (x.read("x", x_count)?, y.read("y", y_count)?);
            let values = values.exactly("values", count, x_count.saturating_mul(y_count))?;
            let surface = Surface::new(x.to_vec(), y.to_vec(), values.to_vec(), extensions)?.interpolated(between);
            own.tables[table] = Some(Data::Surface(Arc::new(surface)));
            Ok(())
        })
    }

    /// Gives the data of a table by a file.
    fn costate_simulation_set_table_file(simulation: *mut c_void, table: usize, path: Text) -> c_int {
        change(simulation, |own| {
            let path = path.read("path")?;
            let data = if own.model.system().curve(own.name_of_table(table)?).is_ok() {
                let (extension, between) = own.kind_of_curve(table)?;
                Data::Curve(Arc::new(Curve::read_csv(path, extension)?.interpolated(between)))
            } else {
                let (extensions, between) = own.kind_of_surface(table)?;
                Data::Surface(Arc::new(Surface::read_csv(path, extensions)?.interpolated(between)))
            };
            own.tables[table] = Some(data);
            Ok(())
        })
    }

    /// Sets step and end in s.
    fn costate_simulation_set_time(simulation: *mut c_void, step: f64, end: f64) -> c_int {
        change(simulation, |own| {
            if !(step > 0.0 && step.is_finite() && end > 0.0 && end.is_finite()) {
                return Err(Failure::data(format!("step {step} s and end {end} s; give two positive numbers")));
            }
            (own.step, own.end) = (Some(step), Some(end));
            Ok(())
        })
    }

    /// Chooses the scheme of steps.
    fn costate_simulation_set_scheme(simulation: *mut c_void, scheme: c_int, number: f64, order: c_int) -> c_int {
        change(simulation, |own| {
            let chosen = match scheme {
                0 => Scheme::GeneralizedAlpha { rho_inf: number },
                1 => Scheme::Hht { alpha: number },
                2 => Scheme::Undamped,
                _ => return Err(Failure::argument(format!("there is no scheme {scheme}; give 0, 1 or 2"))),
            };
            let order = u32::try_from(order).map_err(|_| Failure::argument(format!("order {order}; give 2 to 6")))?;
            (own.scheme, own.order) = (chosen, order);
            Ok(())
        })
    }

    /// Chooses adaptive steps with this tolerance, or constant ones.
    fn costate_simulation_set_adaptive(simulation: *mut c_void, tolerance: f64) -> c_int {
        change(simulation, |own| {
            finite("the tolerance", &[tolerance])?;
            own.tolerance = (tolerance != 0.0).then_some(tolerance);
            Ok(())
        })
    }

    /// Sets the largest estimated error of a run relative to its scale, or none.
    fn costate_simulation_set_error_limit(simulation: *mut c_void, limit: f64) -> c_int {
        change(simulation, |own| {
            finite("the limit", &[limit])?;
            own.error_limit = Some((limit != 0.0).then_some(limit));
            Ok(())
        })
    }

    /// Gives positions and velocities at the start, or leaves them to the model.
    fn costate_simulation_set_start(simulation: *mut c_void, positions: In, velocities: In, count: usize) -> c_int {
        change(simulation, |own| {
            if count == 0 {
                own.start = None;
                return Ok(());
            }
            let n = own.model.description().coordinates.len();
            let coordinates = positions.exactly("positions", count, n)?;
            let velocities = velocities.exactly("velocities", count, n)?;
            finite("the positions", coordinates)?;
            finite("the velocities", velocities)?;
            let free = own.model.description().constraints.is_empty();
            own.start = Some(GivenStart {
                coordinates: coordinates.to_vec(),
                velocities: velocities.to_vec(),
                kept_coordinates: vec![free; n],
                kept_velocities: vec![free; n],
            });
            Ok(())
        })
    }

    /// Writes the derivatives of the state at the start by all parameters, by rows.
    fn costate_simulation_start_derivatives(
        simulation: *mut c_void, values: Out, rows: usize, columns: usize,
    ) -> c_int {
        let own = settings_of(simulation)?;
        let described = own.model.description();
        let expected = 3 * described.coordinates.len() + described.constraints.len();
        if (rows, columns) != (expected, own.values.len()) {
            let text = format!("values has {rows} rows of {columns}; give {expected} rows of {}", own.values.len());
            return Err(Failure::argument(text));
        }
        let all: Vec<usize> = (0..columns).collect();
        let problem = own.problem_of_stepper()?;
        let matrix = own.model.system().initial_derivatives(&problem, &own.values, &all)?;
        let by_rows: Vec<f64> = matrix.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()).collect();
        if by_rows.len() != rows * columns {
            return Err(Failure::new(Status::Defect, "the derivatives of the start have another size"));
        }
        values.write("values", rows * columns, &by_rows)
    }
}
