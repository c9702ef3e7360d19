//! Figures as SVG text and as PNG pictures.

use costate_view::plot::{Axis, Band, Bars, Figure, Line, Map, Matrix, Panel, PlotError, color};

/// Returns a figure with every kind of content.
fn everything() -> Figure {
    let time = || Axis::new("time").unit("s");
    let wave = |i: i32| (0.01 * f64::from(i), (0.05 * f64::from(i)).sin());
    let measured = (0..400).map(wave).map(|(t, y)| (t, if (1.0..1.5).contains(&t) { f64::NAN } else { y }));
    let signals = Panel::new("Signals <1>", time(), Axis::new("displacement").unit("mm"))
        .no_data((1.0, 1.5))
        .shaded((3.0, 3.5))
        .band(Band::new("95 %", color::BLUE, (0..400).map(wave).map(|(t, y)| (t, y - 0.3, y + 0.3))))
        .line(Line::new("measured", color::GREY, measured).width(2.0))
        .line(Line::new("fitted", color::BLUE, (0..400).map(wave)));
    let peak = (1..2000).map(|i| 0.1 * f64::from(i)).map(|f| (f, 1.0 / ((25.0 - f * f).powi(2) + f * f)));
    let spectrum = Panel::new(
        "Spectrum",
        Axis::new("frequency").unit("Hz").logarithmic(),
        Axis::new("density").unit("mm²/Hz").logarithmic(),
    )
    .line(Line::new("", color::BLUE, peak));
    let names = ["stiffness of the mount", "damping", "mass"];
    let first = Bars::new("up", color::series(0), [(0.0, 0.2), (1.0, 0.5), (2.0, 0.7)]);
    let second = Bars::new("down", color::series(1), [(0.0, 0.8), (1.0, 0.5), (2.0, 0.3)]).on(&first);
    let bars = Panel::new("Shares", Axis::new("").named(names), Axis::new("part").range((0.0, 1.0)));
    let rows = vec![vec![1.0, -0.95, 0.1], vec![-0.95, 1.0, f64::NAN], vec![0.1, f64::NAN, 1.0]];
    let axis: Vec<f64> = (0..30).map(f64::from).collect();
    let hill = axis.iter().flat_map(|y| axis.iter().map(move |x| -(x - 12.0).powi(2) - (y - 15.0).powi(2)));
    let map = Map::new("height", axis.clone(), axis.clone(), hill.collect(), 50.0);
    Figure::new(2, (520, 320))
        .panel(signals)
        .panel(spectrum)
        .panel(bars.bars(first).bars(second))
        .panel(Panel::of_matrix("Correlation", Matrix::correlation(names, rows)))
        .panel(Panel::new("Map", Axis::new("x"), Axis::new("y")).map(map))
        .panel(
            Panel::new("Cut at the frame", time(), Axis::new("y").range((-0.5, 0.5)))
                .line(Line::new("wave", color::GREEN, (0..400).map(wave)).marked()),
        )
}

#[test]
fn names_and_marks_are_in_the_text() {
    let svg = everything().svg().unwrap();
    for text in ["Signals &lt;1&gt;", "95 %", "stiffness of the mount", "−0.95", "density [mm²/Hz]", "10⁻⁴"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.starts_with("<svg") && svg.len() < 1_000_000, "{}", svg.len());
    let elsewhere = svg.replace("http://www.w3.org/2000/svg", "");
    assert!(!svg.contains("NaN") && !elsewhere.contains("http"));
}

#[test]
fn a_line_with_a_gap_is_drawn_in_two_pieces() {
    let lines = |points: &[(f64, f64)]| {
        let panel = Panel::new("", Axis::new("x"), Axis::new("y"));
        let line = Line::new("", color::PINK, points.to_vec());
        let svg = Figure::new(1, (400, 300)).panel(panel.line(line)).svg().unwrap();
        svg.lines().filter(|line| line.contains("#FF6EB9")).count()
    };
    assert_eq!(lines(&[(0.0, 1.0), (1.0, 2.0), (2.0, 1.0), (3.0, 2.0), (4.0, 1.0)]), 1);
    assert_eq!(lines(&[(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 2.0), (4.0, 1.0)]), 2);
}

#[test]
fn odd_numbers_do_no_harm() {
    for y in [0.0, 1e16, -1e-300, f64::MAX, f64::INFINITY, f64::NAN] {
        for logarithmic in [false, true] {
            let axis = if logarithmic { Axis::new("y").logarithmic() } else { Axis::new("y") };
            let points = [(0.0, y), (1.0, y), (f64::MIN, 1.0)];
            let panel = Panel::new("", Axis::new("x"), axis)
                .line(Line::new("", color::BLUE, points).marked())
                .band(Band::new("", color::BLUE, [(0.0, y, -y), (1.0, y, -y)]))
                .bars(Bars::new("", color::BLUE, points))
                .no_data((y, 1.0));
            let svg = Figure::new(1, (400, 300)).panel(panel).svg().unwrap();
            assert!(!svg.contains("NaN"), "{y}");
        }
    }
    let none = Panel::of_matrix("", Matrix::correlation(Vec::<String>::new(), Vec::new()));
    let empty = Map::new("", Vec::new(), Vec::new(), Vec::new(), 0.0);
    let figure = Figure::new(0, (300, 300)).panel(none);
    figure.panel(Panel::new("", Axis::new(""), Axis::new("")).map(empty)).svg().unwrap();
}

#[test]
fn sizes_and_endings_are_looked_at() {
    let small = Figure::new(1, (20, 300)).svg().unwrap_err().to_string();
    assert_eq!(small, "a panel of 20 x 300 pixels: both must be from 160 to 4000");
    let ending = everything().write("figure.jpg").unwrap_err();
    assert!(matches!(ending, PlotError::Ending(_)), "{ending}");
}

#[test]
fn files_are_written_with_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/everything.svg");
    everything().write(&file).unwrap();
    assert_eq!(std::fs::read_to_string(file).unwrap(), everything().svg().unwrap());
}

#[cfg(feature = "png")]
#[test]
fn pictures_of_points_have_text() {
    // of the size that the figure has in points, and not only white
    let picture = everything().png(1.0).unwrap();
    let size = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (1040, 960));
    let titled = |title: &str| {
        let panel = Panel::new(title, Axis::new("x"), Axis::new("y"));
        Figure::new(1, (300, 200)).panel(panel).png(1.0).unwrap()
    };
    assert_ne!(titled("one"), titled("two"));
}

/// Checks that a hard link to the old file keeps the old content: the new one is another file with the same name.
#[test]
fn files_are_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [path, second] = ["a.svg", "b.svg"].map(|name| folder.path().join(name));
    std::fs::write(&path, "old").unwrap();
    std::fs::hard_link(&path, &second).unwrap();
    everything().write(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), everything().svg().unwrap());
    assert_eq!(std::fs::read_to_string(&second).unwrap(), "old");
}

/// Any finite numbers are drawn in bounded time, and points outside of the axes are clipped.
mod extremes {
    #![allow(clippy::unwrap_used)]

    use std::time::{Duration, Instant};

    use costate_view::plot::{Axis, Band, Bars, Figure, Line, Map, Panel, color};
    use proptest::prelude::*;

    /// Makes a panel whose axes are fixed, or fitted to the numbers.
    fn panel(is_fixed: bool) -> Panel {
        let axis = |name| match is_fixed {
            true => Axis::new(name).range((0.0, 1.0)),
            false => Axis::new(name),
        };
        Panel::new("t", axis("x"), axis("y"))
    }

    fn drawn(panel: Panel) {
        let begin = Instant::now();
        let text = Figure::new(1, (640, 300)).panel(panel).svg().unwrap();
        assert!(text.ends_with("</svg>\n") || text.ends_with("</svg>"), "{}", &text[text.len() - 20..]);
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    fn all(a: [f64; 3], b: [f64; 3], is_fixed: bool) {
        let points = || a.into_iter().zip(b);
        drawn(panel(is_fixed).line(Line::new("l", color::GREY, points()).marked()));
        drawn(panel(is_fixed).bars(Bars::new("b", color::BLUE, points())));
        let mut sorted = a;
        sorted.sort_by(f64::total_cmp);
        for x in [a, sorted] {
            let band = x.into_iter().zip(b).map(|(x, y)| (x, y.min(-y), y.max(-y)));
            drawn(panel(is_fixed).band(Band::new("b", color::BLUE, band)).shaded((a[0], a[1])).no_data((b[0], b[1])));
        }
        let values = vec![a[0], b[0], a[1], b[1], a[2], b[2], 0.0, 1.0, 2.0];
        drawn(panel(is_fixed).map(Map::new("m", sorted.to_vec(), vec![0.0, 1.0, 2.0], values, 1.0)));
    }

    #[test]
    fn numbers_that_are_very_large_or_small() {
        for value in [1e-307, 1e-306, 5e-324, 1e6, 1e12, 1e289, 1e290, 1e300, 1.7e308] {
            for is_fixed in [true, false] {
                for sign in [1.0, -1.0] {
                    all([0.0, 0.5, sign * value], [0.1, sign * value, 0.2], is_fixed);
                    all([-value, 0.5, value], [value, -value, value], is_fixed);
                }
            }
        }
        drawn(Panel::new("t", Axis::new("x").range((0.0, 1e-307)), Axis::new("y").range((-5e-324, 5e-324))));
    }

    #[test]
    fn names_with_control_characters_are_well_formed() {
        let text = Figure::new(1, (640, 300))
            .panel(Panel::new("t\u{0}\u{1}", Axis::new("x\u{1b}").unit("\u{202e}m"), Axis::new("y")))
            .svg()
            .unwrap();
        assert!(text.chars().all(|c| !c.is_control() || c == '\n' || c == '\t') && !text.contains('\u{202e}'));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_finite_numbers(a in any::<[f64; 3]>(), b in any::<[f64; 3]>(), is_fixed in any::<bool>()) {
            prop_assume!(a.iter().chain(&b).all(|x| x.is_finite()));
            all(a, b, is_fixed);
        }
    }
}

#[test]
fn steps_of_a_map_keep_narrow_peaks() {
    // one point of 2000 x 1000 is high
    let (x, y): (Vec<f64>, Vec<f64>) = ((0..2000).map(f64::from).collect(), (0..1000).map(f64::from).collect());
    let mut values: Vec<f64> = vec![0.0; 2_000_000];
    values[500 * 2000 + 700] = 1.0;
    values[10] = f64::NAN;
    let map = || Map::new("level", x.clone(), y.clone(), values.clone(), 0.1).stepped();
    let panel = |map| Panel::new("Steps", Axis::new("t").unit("s"), Axis::new("f").unit("Hz")).map(map);
    let svg = Figure::new(1, (640, 400)).panel(panel(map())).svg().unwrap();
    // yellow, for one step of at least two pixels, which are eight units
    let path = svg.split("<path fill=\"#FDE725\" d=\"M").nth(1).unwrap();
    let size =
        |letter: char| path.split(letter).nth(1).unwrap().split(['h', 'v', 'z', '-']).next().unwrap().parse::<i32>();
    for size in [size('h').unwrap(), size('v').unwrap()] {
        assert!((8..=16).contains(&size), "{size}");
    }
    assert!(svg.contains("crispEdges") && !svg.contains("#010203") && svg.len() < 100_000, "{}", svg.len());
    // with limits, all values above have the highest colour
    let limited = Figure::new(1, (640, 400)).panel(panel(map().limits((-2.0, -1.0)))).svg().unwrap();
    assert!(limited.contains("<path fill=\"#FDE725\"") && !limited.contains("<path fill=\"#440154\""));
    assert_eq!(Figure::new(1, (640, 400)).panel(panel(map().limits((1.0, 1.0)))).svg().unwrap(), svg);
    // axes of one point, without points, and logarithms of 0
    let log = Panel::new("", Axis::new("x").logarithmic(), Axis::new("y").logarithmic());
    for count in [0, 1, 2] {
        let map = Map::new("", x[..count].to_vec(), y[..count].to_vec(), vec![1.0; count * count], 0.0).stepped();
        for panel in [panel(map.clone()), log.clone().map(map)] {
            assert!(!Figure::new(1, (640, 400)).panel(panel).svg().unwrap().contains("NaN"));
        }
    }
}
