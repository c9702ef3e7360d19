//! Links of a file to what is no data of its own: soft links, links to other files, groups that contain themselves.
//!
//! `hdf5-pure` takes every entry of an older group for an object, so that one link makes the whole group unreadable.
//! The groups are therefore walked here first: links are found, and entries that have no object refer to an empty one
//! that is added at the end.

use std::collections::{HashMap, HashSet};

use super::{MAX_DEPTH, MAX_ITEMS};
use crate::formats::numbers::bits;

/// The header of an object without contents.
const EMPTY: [u8; 24] = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// An object that is no data of the file.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Paths, and the reasons.
    pub left_out: Vec<(String, String)>,
    /// Paths of groups that are read under another name.
    pub again: HashSet<String>,
}

/// Finds the links of a file, and makes those harmless that cannot be read over. A file of another structure than is
/// known here stays as it is.
pub(super) fn find(bytes: &mut Vec<u8>) -> Links {
    let mut walk =
        Walk { bytes: &*bytes, base: 0, links: Links::default(), seen: 0, groups: HashMap::new(), broken: Vec::new() };
    if let Some(root) = walk.root() {
        walk.groups.insert(root, String::new());
        let _ = walk.group(root, "", 0);
    }
    let Walk { base, links, broken, .. } = walk;
    if !broken.is_empty() {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let empty = (bytes.len() as u64).saturating_sub(base).to_le_bytes();
        bytes.extend(EMPTY);
        for at in broken {
            if let Some(address) = bytes.get_mut(at..at + 8) {
                address.copy_from_slice(&empty);
            }
        }
    }
    links
}

struct Walk<'a> {
    bytes: &'a [u8],
    /// Position from which addresses count.
    base: u64,
    links: Links,
    seen: usize,
    /// Names of the groups that were found, by address.
    groups: HashMap<u64, String>,
    /// Positions of addresses that name no object.
    broken: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn at(&self, address: u64) -> Option<usize> {
        usize::try_from(address.checked_add(self.base)?).ok()
    }

    fn number(&self, at: usize, bytes: usize) -> Option<u64> {
        let bytes = self.bytes.get(at..at.checked_add(bytes)?)?;
        Some(bits(bytes, true))
    }

    fn text(&self, at: usize) -> Option<String> {
        let rest = self.bytes.get(at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(rest.get(..end)?).into_owned())
    }

    /// Address of the root group of a file whose addresses and lengths have 8 bytes.
    fn root(&mut self) -> Option<u64> {
        const MARK: &[u8] = b"\x89HDF\r\n\x1a\n";
        let places = std::iter::once(0).chain((9..20).map(|power| 1 << power));
        let begin = places.into_iter().find(|at| self.bytes.get(*at..).is_some_and(|rest| rest.starts_with(MARK)))?;
        let version = self.number(begin + 8, 1)?;
        let (sizes, base, root) = match version {
            0 => (13, 24, 64),
            1 => (13, 28, 68),
            2 | 3 => (9, 12, 36),
            _ => return None,
        };
        if self.number(begin + sizes, 2)? != 0x0808 {
            return None;
        }
        self.base = self.number(begin + base, 8)?;
        self.number(begin + root, 8)
    }

    /// Messages of an object: kind, position and size.
    fn messages(&self, address: u64) -> Option<Vec<(u64, usize, usize)>> {
        let begin = self.at(address)?;
        let is_new = self.bytes.get(begin..)?.starts_with(b"OHDR");
        let (mut blocks, has_order) = if is_new {
            let flags = self.number(begin + 5, 1)?;
            let at = begin + 6 + if flags & 0x20 != 0 { 16 } else { 0 } + if flags & 0x10 != 0 { 4 } else { 0 };
            let width = 1 << (flags & 3);
            let size = usize::try_from(self.number(at, width)?).ok()?;
            (vec![(at + width, size)], flags & 4 != 0)
        } else {
            if self.number(begin, 2)? != 1 {
                return None;
            }
            (vec![(begin + 16, usize::try_from(self.number(begin + 8, 4)?).ok()?)], false)
        };
        let mut found = Vec::new();
        let mut next = 0;
        while let Some((start, size)) = blocks.get(next).copied() {
            next += 1;
            let end = start.checked_add(size).filter(|end| *end <= self.bytes.len())?;
            let mut at = start;
            let head = if is_new { 4 + 2 * usize::from(has_order) } else { 8 };
            while at + head <= end && found.len() < MAX_ITEMS {
                let (kind, length) = match is_new {
                    true => (self.number(at, 1)?, self.number(at + 1, 2)? as usize),
                    false => (self.number(at, 2)?, self.number(at + 2, 2)? as usize),
                };
                let body = at + head;
                if body + length > end {
                    break;
                }
                const CONTINUATION: u64 = 0x10;
                if kind == CONTINUATION && blocks.len() < MAX_ITEMS {
                    let block = self.at(self.number(body, 8)?)?;
                    let size = usize::try_from(self.number(body + 8, 8)?).ok()?;
                    // blocks of the new kind have a mark and a checksum
                    blocks.push(if is_new { (block.checked_add(4)?, size.checked_sub(8)?) } else { (block, size) });
                }
                found.push((kind, body, length));
                at = body + length;
            }
        }
        Some(found)
    }

    /// Walks a group; `None` where it has an unknown structure.
    fn group(&mut self, address: u64, path: &str, depth: usize) -> Option<()> {
        const LINK: u64 = 0x06;
        const TABLE: u64 = 0x11;
        for (kind, at, length) in self.messages(address)? {
            match kind {
                TABLE => {
                    let tree = self.number(at, 8)?;
                    let heap = self.at(self.number(at + 8, 8)?)?;
                    let names = self.at(self.number(heap + 24, 8)?)?;
                    self.tree(tree, names, path, depth, 0)?;
                }
                LINK => self.link(at, length, path, depth)?,
                _ => {}
            }
        }
        Some(())
    }

    /// Walks the tree of an older group.
    fn tree(&mut self, address: u64, names: usize, path: &str, depth: usize, level: usize) -> Option<()> {
        /// Position of an object that does not exist.
        const UNDEFINED_POSITION: u64 = u64::MAX;
        let at = self.at(address)?;
        let node = self.bytes.get(at..)?;
        if node.starts_with(b"TREE") && level < MAX_DEPTH {
            for index in 0..self.number(at + 6, 2)? as usize {
                let child = self.number(at + 32 + 16 * index, 8)?;
                self.tree(child, names, path, depth, level + 1)?;
            }
        } else if node.starts_with(b"SNOD") {
            for index in 0..self.number(at + 6, 2)? as usize {
                let entry = at + 8 + 40 * index;
                let name = self.text(names.checked_add(usize::try_from(self.number(entry, 8)?).ok()?)?)?;
                let object = self.number(entry + 8, 8)?;
                const SOFT: u64 = 2;
                let reason = if self.number(entry + 16, 4)? == SOFT {
                    let target = names.checked_add(self.number(entry + 24, 4)? as usize);
                    Some(soft(&target.and_then(|at| self.text(at)).unwrap_or_default()))
                } else if object == UNDEFINED_POSITION || self.messages(object).is_none() {
                    Some("its header is not there, or damaged".to_owned())
                } else {
                    None
                };
                match reason {
                    Some(reason) => {
                        self.leave_out(path, &name, reason);
                        self.broken.push(entry + 8);
                    }
                    None => self.member(object, path, &name, depth)?,
                }
            }
        }
        Some(())
    }

    /// Takes a link of a newer group.
    fn link(&mut self, at: usize, length: usize, path: &str, depth: usize) -> Option<()> {
        let flags = self.number(at + 1, 1)?;
        let mut here = at + 2;
        let kind = if flags & 8 != 0 { self.number(here, 1)? } else { 0 };
        here += usize::from(flags & 8 != 0) + if flags & 4 != 0 { 8 } else { 0 } + usize::from(flags & 0x10 != 0);
        let width = 1 << (flags & 3);
        let size = usize::try_from(self.number(here, width)?).ok()?;
        here += width;
        let begin = here;
        here = here.checked_add(size).filter(|end| *end <= at + length)?;
        let name = String::from_utf8_lossy(self.bytes.get(begin..here)?).into_owned();
        match kind {
            0 => self.member(self.number(here, 8)?, path, &name, depth)?,
            1 => {
                let size = self.number(here, 2)? as usize;
                let target = self.bytes.get(here + 2..(here + 2).checked_add(size)?)?;
                let target = String::from_utf8_lossy(target).into_owned();
                self.leave_out(path, &name, soft(&target));
            }
            _ => {
                let file = self.text(here + 3).unwrap_or_default();
                self.leave_out(path, &name, format!("it is a link to another file, `{file}`, which is not opened"));
            }
        }
        Some(())
    }

    /// Takes an object of a group, and walks it if it is a group that was not found before.
    fn member(&mut self, object: u64, path: &str, name: &str, depth: usize) -> Option<()> {
        self.seen += 1;
        if self.seen > MAX_ITEMS {
            return None;
        }
        let messages = self.messages(object).unwrap_or_default();
        if !messages.iter().any(|(kind, ..)| matches!(kind, 0x02 | 0x11)) {
            return Some(());
        }
        let full = joined(path, name);
        if let Some(first) = self.groups.get(&object) {
            let first = if first.is_empty() { "the whole file".to_owned() } else { format!("the group `{first}`") };
            self.links.left_out.push((full.clone(), format!("it is {first} under another name")));
            self.links.again.insert(full);
            return Some(());
        }
        self.groups.insert(object, full.clone());
        if depth < MAX_DEPTH {
            // what is not known of a group is said when it is read
            let _ = self.group(object, &full, depth + 1);
        }
        Some(())
    }

    fn leave_out(&mut self, path: &str, name: &str, reason: String) {
        if self.links.left_out.len() < MAX_ITEMS {
            self.links.left_out.push((joined(path, name), reason));
        }
    }
}

fn soft(target: &str) -> String {
    format!("it is a link to `{target}`; data are read where they stand")
}

/// A name with those of the groups around it.
pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
