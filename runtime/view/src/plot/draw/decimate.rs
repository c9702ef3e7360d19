//! Thinning out long signals without a visible difference.

/// The points with lo <= x <= hi; where more than four share one of `columns` equal parts of the range, the first,
/// the lowest, the highest and the last of them. The points must be sorted by x.
pub(super) fn decimate(points: &[(f64, f64)], (lo, hi): (f64, f64), columns: usize) -> Vec<(f64, f64)> {
    let inside: Vec<_> = points.iter().copied().filter(|(x, _)| (lo..=hi).contains(x)).collect();
    let column = |&(x, _): &(f64, f64)| ((x - lo) / (hi - lo) * columns as f64) as usize;
    let mut kept = Vec::new();
    for group in inside.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= 4 {
            kept.extend_from_slice(group);
            continue;
        }
        let by_height = |&a: &usize, &b: &usize| group[a].1.total_cmp(&group[b].1);
        let lowest = (0..group.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut chosen = [0, lowest, highest, group.len() - 1];
        chosen.sort_unstable();
        kept.extend(chosen.map(|i| group[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_survive() {
        let points: Vec<_> = (0..10_000).map(|i| (f64::from(i), (0.37 * f64::from(i)).sin())).collect();
        let kept = decimate(&points, (1000.0, 9000.0), 100);
        assert!(kept.len() <= 404);
        assert!(kept.iter().all(|point| points.contains(point)));
        assert!(kept.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        let highest = |points: &[(f64, f64)]| points.iter().fold(0.0_f64, |most, point| most.max(point.1));
        assert_eq!(highest(&kept), highest(&points[1000..=9000]));
        assert_eq!(decimate(&points, (0.0, 9.0), 100), points[..10]);
    }
}
