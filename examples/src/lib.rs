//! Common parts of the examples: the harness of a program with its options, report and files; noise, series of samples,
//! measured columns; results, tables and panels.

mod arguments;
mod columns;
mod moving_base;
mod noise;
mod panels;
mod processor_time;
mod program;
mod series;
mod summary;
mod table;

pub use arguments::{fraction, positive};
pub use columns::{interpolated, interval, read_columns, require_channel, whole_channel};
pub use moving_base::MovingBase;
pub use noise::{add_noise, rms, scale_by_noise};
pub use panels::{
    Shown, acceleration_panel, banded_curve, convergence_panel, cost_panel, curve_panel, parameter_panels, plane_panel,
    refined_panel, surface_panel,
};
pub use processor_time::processor_time;
pub use program::{Outputs, Program, create_folder_of, interrupted, say, stop_on_ctrl_c, write_json, write_text};
pub use series::{
    COMPARED_PLACES, all_curves, channel, compared, completed, curve_error, curve_points, curve_rows, differences,
    extent, is_inside, known_nodes, noisy_rows, over_time, relative_error, sampled_law, spaced,
};
pub use summary::{FoundParameter, Summary, comparison, true_value};
pub use table::Table;
