//! Members of an archive (`.npz`), as its directory at the end lists them.

use crate::formats::FormatError;
use crate::formats::input::Input;
use crate::formats::numbers::bits;

/// A member of an archive.
#[derive(Debug)]
pub(super) struct Member {
    pub name: String,
    /// 0 for bytes as they are, 8 for deflated ones.
    pub method: u64,
    pub is_encrypted: bool,
    /// Bytes in the archive.
    pub packed: u64,
    /// Bytes of the member.
    pub size: u64,
    pub checksum: u32,
    /// Position of its header.
    header: u64,
}

const DIRECTORY_END: &[u8] = b"PK\x05\x06";
const LONG_END_PLACE: &[u8] = b"PK\x06\x07";
const LONG_END: &[u8] = b"PK\x06\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const HEADER: &[u8] = b"PK\x03\x04";

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bits(bytes.get(at..at + size).unwrap_or_default(), true)
}

/// Reads the directory.
pub(super) fn members(input: &mut Input) -> Result<Vec<Member>, FormatError> {
    /// Largest number of members of an archive: no recorder writes as many.
    const MAX_MEMBERS: u64 = 1 << 16;
    // a comment of up to 64 kB may follow the end
    let tail = input.length().min((1 << 16) + 22);
    input.go_to(input.length() - tail)?;
    let bytes = input.bytes(tail)?;
    let end = bytes.windows(4).rposition(|window| window == DIRECTORY_END);
    let end = end.ok_or_else(|| input.broken("the archive has no directory; the file may be cut"))?;
    let record = bytes.get(end..).unwrap_or_default();
    let (mut count, mut size, mut start) = (number(record, 10, 2), number(record, 12, 4), number(record, 16, 4));
    let place = end.checked_sub(20).and_then(|at| bytes.get(at..end)).filter(|place| place.starts_with(LONG_END_PLACE));
    if let Some(place) = place {
        input.go_to(number(place, 8, 8))?;
        let long: [u8; 56] = input.array()?;
        if !long.starts_with(LONG_END) {
            return Err(input.broken("the end of the directory is not where it should be"));
        }
        (count, size, start) = (number(&long, 32, 8), number(&long, 40, 8), number(&long, 48, 8));
    }
    if count > MAX_MEMBERS {
        return Err(input.broken(format!("{count} members are announced")));
    }
    input.go_to(start)?;
    let directory = input.bytes(size)?;
    let mut rest = directory.as_slice();
    let mut found = Vec::new();
    for _ in 0..count {
        let lengths = [28, 30, 32].map(|at| number(rest, at, 2) as usize);
        let total = 46 + lengths.iter().sum::<usize>();
        let (true, Some((entry, behind))) = (rest.starts_with(ENTRY), rest.split_at_checked(total)) else {
            return Err(input.broken("the directory of the archive is shorter than its members"));
        };
        rest = behind;
        let name = entry.get(46..46 + lengths[0]).unwrap_or_default();
        let extra = entry.get(46 + lengths[0]..46 + lengths[0] + lengths[1]).unwrap_or_default();
        let mut long = long_numbers(extra);
        // numbers that are too long for their place stand in a field of their own
        let mut given = |at| match number(entry, at, 4) {
            0xffff_ffff => long.next().unwrap_or(0xffff_ffff),
            value => value,
        };
        let (size, packed, header) = (given(24), given(20), given(42));
        found.push(Member {
            name: String::from_utf8_lossy(name).into_owned(),
            method: number(entry, 10, 2),
            is_encrypted: number(entry, 8, 2) & 1 != 0,
            packed,
            size,
            checksum: number(entry, 16, 4) as u32,
            header,
        });
    }
    Ok(found)
}

/// Numbers of the extra field for long ones.
fn long_numbers(extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut rest = extra;
    let mut found = Vec::new();
    while rest.len() >= 4 {
        let (kind, size) = (number(rest, 0, 2), number(rest, 2, 2) as usize);
        let Some(body) = rest.get(4..4 + size) else { break };
        if kind == 1 {
            found.extend(body.chunks_exact(8).map(|bytes| number(bytes, 0, 8)));
        }
        rest = rest.get(4 + size..).unwrap_or_default();
    }
    found.into_iter()
}

impl Member {
    /// Goes to the first byte of the member.
    pub fn go_to(&self, input: &mut Input) -> Result<(), FormatError> {
        input.go_to(self.header)?;
        let header: [u8; 30] = input.array()?;
        if !header.starts_with(HEADER) {
            return Err(input.broken(format!("`{}` is not where the directory has it", self.name)));
        }
        input.skip(number(&header, 26, 2) + number(&header, 28, 2))?;
        if self.packed > input.left() {
            return Err(input.broken(format!("`{}` is announced with {} bytes", self.name, self.packed)));
        }
        Ok(())
    }
}
