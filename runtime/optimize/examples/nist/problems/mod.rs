//! Reference problems of least squares: residuals, starts, and what is known of their minima.

pub mod deviations;
pub mod dual;
pub mod mgh;
pub mod models;
pub mod nist;
pub mod residuals;
pub mod run;
pub mod strd;
