//! The book of costate. What reads it is mdBook (`cargo install mdbook`, `mdbook build book`, pages in `out/book`);
//! what is compiled here is its listings, every one of which is a test: `cargo test -p costate-book`.

/// The listings of a chapter.
macro_rules! chapter {
    ($name:ident, $file:literal) => {
        #[doc = include_str!(concat!("src/", $file))]
        pub mod $name {}
    };
}

chapter!(tutorial, "tutorial.md");
chapter!(modelling, "modelling.md");
chapter!(integrator, "integrator.md");
chapter!(vibration, "vibration.md");
chapter!(records, "records.md");
chapter!(files, "files.md");
chapter!(preparation, "preparation.md");
chapter!(spectra, "spectra.md");
chapter!(identification, "identification.md");
chapter!(campaign, "campaign.md");
chapter!(curves, "curves.md");
chapter!(inputs, "inputs.md");
chapter!(filters, "filters.md");
chapter!(experiments, "experiments.md");
chapter!(ensembles, "ensembles.md");
chapter!(seeing, "seeing.md");
chapter!(coming_from, "coming_from.md");
