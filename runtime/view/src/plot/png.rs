//! Pictures of points, rendered from the figure's SVG.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

use crate::plot::error::PlotError;

/// The fonts of this machine, which are looked for once.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let is_found =
        |fonts: &Database| fonts.query(&Query { families: &[Family::SansSerif], ..Query::default() }).is_some();
    // text in a family that is missing would be left out without a word
    for name in ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Helvetica"] {
        if !is_found(&fonts) {
            fonts.set_sans_serif_family(name);
        }
    }
    if !is_found(&fonts) {
        let any = fonts.faces().find_map(|face| Some(face.families.first()?.0.clone()));
        any.into_iter().for_each(|name| fonts.set_sans_serif_family(name));
    }
    Arc::new(fonts)
});

/// The picture as a PNG file.
pub fn rendered(svg: &str, points_per_pixel: f32) -> Result<Vec<u8>, PlotError> {
    /// Largest width and height of a picture in points.
    const MAX_POINTS: f32 = 20_000.0;
    let fonts = Arc::clone(&FONTS);
    if fonts.is_empty() {
        return Err(PlotError::NoFont);
    }
    let options = Options { fontdb: fonts, ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(PlotError::drawing)?;
    let scaled = |size: f32| (size * points_per_pixel).ceil();
    let (width, height) = (scaled(tree.size().width()), scaled(tree.size().height()));
    let too_large = PlotError::TooLarge { width: width as u32, height: height as u32 };
    if ![width, height].iter().all(|size| (1.0..=MAX_POINTS).contains(size)) {
        return Err(too_large);
    }
    let Some(mut picture) = Pixmap::new(width as u32, height as u32) else { return Err(too_large) };
    resvg::render(&tree, Transform::from_scale(points_per_pixel, points_per_pixel), &mut picture.as_mut());
    picture.encode_png().map_err(PlotError::drawing)
}
