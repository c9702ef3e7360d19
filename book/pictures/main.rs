//! Draws the pictures of the book into `book/src/pictures`.

mod accuracy;
mod crane;
mod curve;
mod minima;
mod noise;
mod tutorial;

use std::path::Path;

use anyhow::Result;

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pictures");
    tutorial::figure()?.write(folder.join("tutorial.svg"))?;
    minima::figure()?.write(folder.join("minima.svg"))?;
    accuracy::figure()?.write(folder.join("accuracy.svg"))?;
    curve::figure()?.write(folder.join("curve.svg"))?;
    costate_contract::files::write(folder.join("crane.svg"), crane::still()?)?;
    Ok(())
}
