//! The reason why a picture is not written.

use std::path::PathBuf;

/// The reason why a picture is not written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum AnimationError {
    /// The ending of the file.
    #[error("`{}` has no ending of a picture; write `.html` for a page, `.gltf` or `.glb` for other programs, `.svg` \
         for a still", .0.display())]
    Ending(PathBuf),
    /// A model of equations alone has no bodies to draw.
    #[error("the model has no bodies, so that `{}` would be empty; write `.html`, which shows its outputs, or give \
         the model `bodies`", .0.display())]
    NoBodies(PathBuf),
    /// The file cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}
