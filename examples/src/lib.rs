//! Common parts of the examples: noise, files, structures, measured columns, results, panels, Ctrl-C and the end
//! of a program.

mod arguments;
mod columns;
mod files;
mod interrupt;
mod moving_base;
mod noise;
mod outcome;
mod panels;
pub mod structure;
mod summary;

pub use arguments::{fraction, positive};
pub use columns::{interpolated, interval, read_columns, require_channel, whole_channel};
pub use files::{create_folder_of, write_json, write_text};
pub use interrupt::{interrupted, stop_on_ctrl_c};
pub use moving_base::MovingBase;
pub use noise::{add_noise, rms, scale_by_noise};
pub use outcome::{INTERRUPTED, say};
pub use panels::{convergence_panel, curve_panel, refined_panel};
pub use summary::{Summary, true_value};
