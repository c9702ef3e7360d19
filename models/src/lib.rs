//! Ready-made models.
