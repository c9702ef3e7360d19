//! Random calls with random arguments: none ends the process, and each that fails has a text.

use std::ffi::{CString, c_int};

use costate_c::cost::*;
use costate_c::memory::{In, Out, Text};
use costate_c::model::*;
use costate_c::run::*;
use costate_c::simulation::*;
use costate_c::stepper::*;
use costate_c::version::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::calls::{HOIST, MOUNT, Object, last_error, made, model, ok, text};

/// Sequences of calls, and calls of a sequence.
const SEQUENCES: u64 = 100_000;
const CALLS: usize = 8;

/// Length of all arrays; counts are at most that, or refused before an array is read.
const LENGTH: usize = 40;

/// Numbers that are met in practice, and others.
const NUMBERS: [f64; 16] =
    [0.0, 1.0, -1.0, 2.0, 1e-3, 5e-4, 0.02, 0.8, 1e-300, 1e300, 100e3, -0.1, 3.5, f64::NAN, f64::INFINITY, f64::MIN];

struct Source {
    random: SmallRng,
    objects: Vec<Object>,
    texts: Vec<CString>,
    arrays: [Vec<f64>; 3],
    indices: Vec<usize>,
    place: Vec<f64>,
}

impl Source {
    fn object(&mut self) -> Object {
        match self.random.random_range(0..40) {
            0 => std::ptr::null_mut(),
            1 => std::ptr::without_provenance_mut(self.random.random::<u64>() as usize),
            // near to one that exists
            2 => self.objects[0].map_addr(|address| address ^ (1 << self.random.random_range(0..48))),
            _ => self.objects[self.random.random_range(0..self.objects.len())],
        }
    }

    fn index(&mut self) -> usize {
        match self.random.random_range(0..20) {
            0 => usize::MAX,
            1 => self.random.random::<u64>() as usize,
            _ => self.random.random_range(0..5),
        }
    }

    /// Lengths that fit the models, and others.
    fn count(&mut self) -> usize {
        const FITTING: [usize; 10] = [0, 1, 2, 3, 4, 7, 9, 21, 12, LENGTH];
        FITTING[self.random.random_range(0..FITTING.len())]
    }

    fn number(&mut self) -> f64 {
        NUMBERS[self.random.random_range(0..NUMBERS.len())]
    }

    fn small(&mut self) -> c_int {
        self.random.random_range(-1..6)
    }

    /// Times, values, or anything.
    fn given(&mut self) -> In {
        match self.random.random_range(0..20) {
            0 => In::null(),
            _ => {
                if self.random.random_range(0..4) == 0 {
                    let (at, number) = (self.random.random_range(0..LENGTH), self.number());
                    self.arrays[2][at] = number;
                }
                In::of(&self.arrays[self.random.random_range(0..3)])
            }
        }
    }

    fn place(&mut self) -> Out {
        if self.random.random_range(0..20) == 0 { Out::null() } else { Out::of(&mut self.place) }
    }

    fn text(&mut self) -> Text {
        match self.random.random_range(0..8) {
            0 => Text::null(),
            _ => Text::of(&self.texts[self.random.random_range(0..self.texts.len())]),
        }
    }

    /// Keeps an object, or says that there is none.
    fn keep(&mut self, object: Object) -> bool {
        let made = !object.is_null();
        if made {
            self.objects.push(object);
        }
        made
    }

    /// Makes a call; returns false for one that has failed.
    #[allow(clippy::too_many_lines)]
    fn call(&mut self) -> bool {
        let s = self;
        // arguments in the order in which they are written here
        macro_rules! call {
            ($name:ident $($kind:ident)*) => {{
                #[allow(unused_parens)]
                unsafe { $name($(s.$kind()),*) }
            }};
        }
        macro_rules! status {
            ($name:ident $($kind:ident)*) => { call!($name $($kind)*) == 0 };
        }
        macro_rules! object {
            ($name:ident $($kind:ident)*) => {{
                let object = call!($name $($kind)*);
                s.keep(object)
            }};
        }
        match s.random.random_range(0..58) {
            0 => !call!(costate_model_name object).is_null(),
            1 => !call!(costate_model_description object).is_null(),
            2 => call!(costate_model_count object small) >= 0,
            3 => call!(costate_model_index object small text) >= 0,
            4 => !call!(costate_model_quantity_name object small index).is_null(),
            5 => !call!(costate_model_quantity_unit object small index).is_null(),
            6 => !call!(costate_model_quantity_description object small index).is_null(),
            7 => status!(costate_model_defaults object place count),
            8..12 => object!(costate_simulation_new object),
            12 => object!(costate_simulation_copy object),
            13 => status!(costate_simulation_free object),
            14 => status!(costate_simulation_set_parameter object index number),
            15 => status!(costate_simulation_set_parameters object given count),
            16 => status!(costate_simulation_parameters object place count),
            17 => status!(costate_simulation_set_input object index number),
            18..20 => status!(costate_simulation_set_input_samples object index given given count small),
            20 => status!(costate_simulation_set_curve object index given given count),
            21 => status!(costate_simulation_set_surface object index given count given count given count),
            22 => status!(costate_simulation_set_table_file object index text),
            23 => status!(costate_simulation_set_scheme object small number small),
            24 => status!(costate_simulation_set_adaptive object number),
            25 => status!(costate_simulation_set_error_limit object number),
            26 => status!(costate_simulation_set_start object given given count),
            27 => status!(costate_simulation_start_derivatives object place count count),
            28..31 => object!(costate_simulation_run object),
            31 => status!(costate_run_free object),
            32 => call!(costate_run_samples object) >= 0,
            33 => status!(costate_run_times object place count),
            34 => status!(costate_run_output object index place count),
            35 => status!(costate_run_output_at object index given place count),
            36 => status!(costate_run_state object index place count),
            37 => status!(costate_run_accuracy object number place place place),
            38..40 => object!(costate_cost_new object small),
            40 => status!(costate_cost_free object),
            41 => status!(costate_cost_measure object index given given count number),
            42 => {
                let (cost, count) = (s.object(), s.random.random_range(0..4));
                unsafe { costate_cost_set_unknowns(cost, In::of(&s.indices), count) == 0 }
            }
            43 => status!(costate_cost_evaluate object given count place place count),
            44 => status!(costate_cost_residuals object given count place count),
            45 => status!(costate_cost_jacobian object given count place count count),
            46..48 => object!(costate_stepper_new object),
            48 => status!(costate_stepper_free object),
            49 => status!(costate_stepper_set_inputs object given count),
            50 => status!(costate_stepper_step object),
            51 => status!(costate_stepper_advance object given count place count),
            52 => status!(costate_stepper_set_state object given count),
            53 => status!(costate_stepper_set_parameter object index number),
            54 => object!(costate_stepper_save object),
            55 => status!(costate_stepper_restore object object),
            56 => status!(costate_stepper_vjp object given count place count place count place count place count),
            _ => status!(costate_stepper_jvp object given count given count given count given count place count),
        }
    }
}

#[test]
fn no_order_of_calls_ends_the_process() {
    let models = [model(MOUNT), model(HOIST)];
    let texts = ["m", "drive", "c_3", "", "/no/such/file", "x\u{fc}"].map(text);
    let steps: Vec<f64> = (0..LENGTH).map(|k| 1e-3 * k as f64).collect();
    let (mut done, mut failed) = (0_usize, 0_usize);
    for seed in 0..SEQUENCES {
        let mut random = SmallRng::seed_from_u64(seed);
        let values = (0..LENGTH).map(|_| random.random_range(-1.0..1.0)).collect();
        let parameters = [20.0, 100e3, 3e9, 40.0].iter().copied().cycle().take(LENGTH).collect();
        let mut source = Source {
            random,
            objects: models.to_vec(),
            texts: texts.to_vec(),
            arrays: [steps.clone(), parameters, values],
            indices: vec![0, 2, 1, 9],
            place: vec![0.0; LENGTH * LENGTH],
        };
        // a simulation that goes, so that calls get beyond settings
        let which = source.random.random_range(0..2);
        let simulation = made(unsafe { costate_simulation_new(models[which]) });
        for input in 0..=which {
            ok(unsafe { costate_simulation_set_input(simulation, input, 1.0) });
        }
        ok(unsafe { costate_simulation_set_time(simulation, 1e-3, 0.02) });
        source.objects.push(simulation);
        let stepper = unsafe { costate_stepper_new(simulation) };
        if seed % 4 == 0 {
            source.objects.push(stepper);
        }
        for _ in 0..source.random.random_range(1..=CALLS) {
            if source.call() {
                done += 1;
            } else {
                failed += 1;
                assert!((1..8).contains(&costate_last_status()), "seed {seed}: {}", last_error());
                assert!(!last_error().is_empty());
            }
        }
        unsafe {
            costate_stepper_free(stepper);
            for object in source.objects.split_off(2) {
                // those that a call has freed are refused
                let _ = costate_simulation_free(object) == 0
                    || costate_run_free(object) == 0
                    || costate_cost_free(object) == 0
                    || costate_stepper_free(object) == 0
                    || costate_state_free(object) == 0;
            }
        }
    }
    println!("{done} calls done, {failed} refused");
    assert!(done > 50_000 && failed > 50_000, "{done} {failed}");
    models.iter().for_each(|model| ok(unsafe { costate_model_free(*model) }));
}
