//! Output formats of animations.

use std::path::Path;

use crate::animation::Animation;
use crate::error::AnimationError;
use crate::{gltf, html, svg};

impl Animation {
    /// Writes the page.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// Writes the first run as glTF 2.0, with everything in one text.
    pub fn gltf(&self) -> String {
        gltf::text(self)
    }

    /// Writes the first run as binary glTF 2.0.
    pub fn glb(&self) -> Vec<u8> {
        gltf::binary(self)
    }

    /// Draws the first run at a time, in s; after its end, draws its last picture.
    pub fn still(&self, time: f64) -> String {
        svg::still(self, time)
    }

    /// Writes the first run at a time, in s, as [`still`](Self::still) draws it, to an SVG file.
    ///
    /// # Errors
    /// [`AnimationError`]: a model without bodies, a file that cannot be written.
    pub fn write_still(&self, path: impl AsRef<Path>, time: f64) -> Result<(), AnimationError> {
        let path = path.as_ref();
        if self.has_no_bodies() {
            return Err(AnimationError::NoBodies(path.to_owned()));
        }
        written(path, self.still(time).as_bytes())
    }

    fn has_no_bodies(&self) -> bool {
        self.runs.iter().all(|run| run.mechanism.bodies.is_empty())
    }

    /// Writes a file: `.html` for a page, `.gltf` and `.glb` for other programs, `.svg` for a still of the start.
    ///
    /// # Errors
    /// [`AnimationError`]: another ending, a model without bodies where there is nothing else to show, a file that
    /// cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), AnimationError> {
        let path = path.as_ref();
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let empty = self.has_no_bodies();
        let content = match ending.as_deref() {
            Some("html" | "htm") => self.html().into_bytes(),
            Some("gltf" | "glb" | "svg") if empty => return Err(AnimationError::NoBodies(path.to_owned())),
            Some("gltf") => self.gltf().into_bytes(),
            Some("glb") => self.glb(),
            Some("svg") => self.still(0.0).into_bytes(),
            _ => return Err(AnimationError::Ending(path.to_owned())),
        };
        written(path, &content)
    }
}

fn written(path: &Path, content: &[u8]) -> Result<(), AnimationError> {
    costate_contract::files::write(path, content)
        .map_err(|source| AnimationError::Write { path: path.to_owned(), source })
}
