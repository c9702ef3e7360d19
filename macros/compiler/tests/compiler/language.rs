//! The models in the reference of the language.

use costate_compiler::compile_str;

/// Lists the listings of a page that are whole models.
fn models(page: &str) -> Vec<&str> {
    let listings = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    listings.filter(|listing| listing.starts_with("pub ") || listing.starts_with("///")).collect()
}

#[test]
fn listings_compile() {
    let pages = [
        include_str!("../../../language/blocks.md"),
        include_str!("../../../language/components.md"),
        include_str!("../../../language/bodies.md"),
    ];
    let models: Vec<&str> = pages.into_iter().flat_map(models).collect();
    assert_eq!(models.len(), 5);
    for model in models {
        if let Err(errors) = compile_str(model) {
            panic!("{model}\n{}", errors.iter().map(|error| format!("{error}\n")).collect::<String>());
        }
    }
}
