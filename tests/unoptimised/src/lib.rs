//! Tests of emitted code that do not need its speed: optimising large models takes longer than all these tests do. See
//! `[profile.release.package.costate-unoptimised-tests]` of the workspace.
