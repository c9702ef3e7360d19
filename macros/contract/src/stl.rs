//! Triangles of STL files, binary and text.

/// Three corners.
pub type Triangle = [[f32; 3]; 3];

/// The reason why a file is not a valid STL file.
///
/// `line` and `triangle` are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum StlError {
    /// Neither of the two forms.
    #[error(
        "it has {bytes} bytes, which fit neither a binary STL file nor a text that begins with `solid`; export it as \
             STL"
    )]
    Form { bytes: usize },
    /// A corner in a text.
    #[error("line {line} is not a vertex; write `vertex x y z` with three numbers")]
    Vertex { line: usize },
    /// A text that is no number, or an infinite number.
    #[error("a vertex of triangle {triangle} has a coordinate that is not finite")]
    Number { triangle: usize },
    /// A text whose corners are no triangles, or a file without any.
    #[error("it has {corners} vertices, which is no positive multiple of 3; export the surface as triangles")]
    Corners { corners: usize },
}

/// The triangles of a file.
///
/// # Errors
/// [`StlError`] says what is wrong with the file.
pub fn triangles(bytes: &[u8]) -> Result<Vec<Triangle>, StlError> {
    let triangles = match binary(bytes) {
        Some(triangles) => triangles,
        None => text(bytes)?,
    };
    let finite = |triangle: &Triangle| triangle.iter().flatten().all(|x| x.is_finite());
    match triangles.iter().position(|triangle| !finite(triangle)) {
        Some(wrong) => Err(StlError::Number { triangle: wrong + 1 }),
        None if triangles.is_empty() => Err(StlError::Corners { corners: 0 }),
        None => Ok(triangles),
    }
}

/// The triangles of a binary file, which is one if its length says so.
fn binary(bytes: &[u8]) -> Option<Vec<Triangle>> {
    /// Bytes in front of the triangles of a binary file: a comment and their number.
    const HEADER_BYTES: usize = 84;
    /// Bytes of a triangle of a binary file: its normal, three corners, two bytes without a meaning.
    const TRIANGLE_BYTES: usize = 50;
    let number = |at: usize| <[u8; 4]>::try_from(bytes.get(at..at + 4)?).ok();
    let count = u32::from_le_bytes(number(HEADER_BYTES - 4)?) as usize;
    if count.checked_mul(TRIANGLE_BYTES)?.checked_add(HEADER_BYTES)? != bytes.len() {
        return None;
    }
    let corner = |at: usize| {
        let mut corner = [0.0; 3];
        for (i, x) in corner.iter_mut().enumerate() {
            *x = f32::from_le_bytes(number(at + 4 * i)?);
        }
        Some(corner)
    };
    let triangle = |i: usize| {
        let first = HEADER_BYTES + TRIANGLE_BYTES * i + 12;
        Some([corner(first)?, corner(first + 12)?, corner(first + 24)?])
    };
    (0..count).map(triangle).collect()
}

fn text(bytes: &[u8]) -> Result<Vec<Triangle>, StlError> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.trim_start().starts_with("solid"));
    let text = text.ok_or(StlError::Form { bytes: bytes.len() })?;
    let mut corners = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next() != Some("vertex") {
            continue;
        }
        let numbers: Result<Vec<f32>, _> = words.map(str::parse).collect();
        let corner = numbers.ok().and_then(|numbers| <[f32; 3]>::try_from(numbers).ok());
        corners.push(corner.ok_or(StlError::Vertex { line: i + 1 })?);
    }
    if corners.len() % 3 != 0 {
        return Err(StlError::Corners { corners: corners.len() });
    }
    Ok(corners.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_binary_have_the_triangles_that_are_written() {
        let text = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2e0 \
             0\nendloop\nendfacet\nendsolid";
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        assert_eq!(triangles(text.as_bytes()), Ok(vec![triangle]));
        let mut binary = vec![0; 80];
        binary.extend(1u32.to_le_bytes());
        binary.extend([0.0f32; 3].into_iter().chain(triangle.into_iter().flatten()).flat_map(f32::to_le_bytes));
        binary.extend([0; 2]);
        assert_eq!(triangles(&binary), Ok(vec![triangle]));
        // the first coordinate of the first corner, after the normal
        binary[98] = 0xff;
        binary[99] = 0xff;
        assert_eq!(triangles(&binary), Err(StlError::Number { triangle: 1 }));
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        assert_eq!(triangles(b"# Wavefront"), Err(StlError::Form { bytes: 11 }));
        assert_eq!(triangles(b"solid\nvertex 1 2\n"), Err(StlError::Vertex { line: 2 }));
        assert_eq!(triangles(b"solid\nvertex 1 x 2 3\n"), Err(StlError::Vertex { line: 2 }));
        assert_eq!(triangles(b"solid\nvertex 1 2 3 4\n"), Err(StlError::Vertex { line: 2 }));
        assert_eq!(triangles(b"solid\nvertex 1 2 3\n"), Err(StlError::Corners { corners: 1 }));
        assert_eq!(triangles(b"solid\nendsolid"), Err(StlError::Corners { corners: 0 }));
    }
}
