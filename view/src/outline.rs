//! Outlines of any form, cut into triangles.

/// The corners of an outline counterclockwise, and its triangles by the positions of their corners; one triangle in name for an
/// outline that is convex.
pub fn triangles_of(outline: &[[f64; 2]]) -> (Vec<[f64; 2]>, Vec<[u32; 3]>) {
    let mut corners = outline.to_vec();
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let next = |i: usize| (i + 1) % corners.len();
    let area: f64 = (0..corners.len()).map(|i| turn([0.0; 2], corners[i], corners[next(i)])).sum();
    if area < 0.0 {
        corners.reverse();
    }
    let n = corners.len();
    let convex = (0..n).all(|i| turn(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) >= 0.0);
    if convex || n < 3 {
        return (corners, vec![[0, 1, 2]]);
    }
    let triangles = clipped(&corners);
    (corners, triangles)
}

/// Cuts off ears: corners whose triangle with their neighbours contains no other corner.
fn clipped(corners: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let triangle = |k: usize| [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
        let is_ear = |k: &usize| {
            let [a, b, c] = triangle(*k);
            let [p, q, r] = [a, b, c].map(|i| corners[i]);
            let inside = |i: &&usize| {
                let s = corners[**i];
                turn(p, q, s) >= 0.0 && turn(q, r, s) >= 0.0 && turn(r, p, s) >= 0.0
            };
            let others = left.iter().filter(|i| ![a, b, c].contains(i));
            turn(p, q, r) > 0.0 && !others.into_iter().any(|i| inside(&i))
        };
        // an outline that crosses itself has no ears
        let ear = (0..n).find(is_ear).unwrap_or(0);
        triangles.push(triangle(ear).map(|i| i as u32));
        left.remove(ear);
    }
    triangles.extend(<[usize; 3]>::try_from(left).ok().map(|last| last.map(|i| i as u32)));
    triangles
}

/// Twice the area of a triangle, positive if it is counterclockwise.
fn turn(o: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
}
