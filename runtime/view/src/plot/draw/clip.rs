//! Cutting lines at the frame of a diagram.

type Point = (f64, f64);

/// The pieces of the line through these finite points that lie within both ranges.
pub(super) fn clipped(points: &[Point], x: (f64, f64), y: (f64, f64)) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    if let [only] = points
        && (x.0..=x.1).contains(&only.0)
        && (y.0..=y.1).contains(&only.1)
    {
        return vec![vec![*only]];
    }
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let Some((a, b)) = parts((from, to), x, y) else { continue };
        // of points far away rounding is larger than the frame
        let inside = |point: Point| (point.0.clamp(x.0, x.1), point.1.clamp(y.0, y.1));
        let at = |part: f64| match part {
            0.0 => inside(from),
            1.0 => inside(to),
            part => inside((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))),
        };
        match pieces.last_mut().filter(|piece| a == 0.0 && piece.last() == Some(&inside(from))) {
            Some(piece) => piece.push(at(b)),
            None => pieces.push(vec![at(a), at(b)]),
        }
    }
    pieces
}

/// Which part of a segment lies within both ranges, from 0 to 1 (Liang and Barsky).
fn parts((from, to): (Point, Point), x: (f64, f64), y: (f64, f64)) -> Option<(f64, f64)> {
    let (mut a, mut b) = (0.0_f64, 1.0_f64);
    for (start, end, (lo, hi)) in [(from.0, to.0, x), (from.1, to.1, y)] {
        let change = end - start;
        if change == 0.0 {
            if !(lo..=hi).contains(&start) {
                return None;
            }
            continue;
        }
        let (enters, leaves) = ((lo - start) / change, (hi - start) / change);
        (a, b) = (a.max(enters.min(leaves)), b.min(enters.max(leaves)));
    }
    (a <= b).then_some((a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_frame_and_come_back() {
        let zigzag = [(0.0, 0.5), (1.0, 1.5), (2.0, 0.5), (3.0, -0.5)];
        let pieces = clipped(&zigzag, (0.0, 3.0), (0.0, 1.0));
        assert_eq!(pieces, [vec![(0.0, 0.5), (0.5, 1.0)], vec![(1.5, 1.0), (2.0, 0.5), (2.5, 0.0)]]);
        assert_eq!(clipped(&zigzag, (0.0, 3.0), (-1.0, 2.0)), [zigzag.to_vec()]);
        assert!(clipped(&zigzag, (5.0, 6.0), (-1.0, 2.0)).is_empty());
        assert_eq!(clipped(&zigzag[..1], (0.0, 1.0), (0.0, 1.0)), [vec![(0.0, 0.5)]]);
    }
}
