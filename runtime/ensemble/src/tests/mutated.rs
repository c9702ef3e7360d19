//! Mutated logs: what is whole in them counts, or they are refused.

use std::fs;

use super::{iterate, tasks};
use crate::{Collection, Ensemble, Fingerprint};

#[test]
fn logs() {
    let folder = tempfile::tempdir().unwrap();
    Ensemble::new().folder(folder.path()).run(&tasks(4, 1.0), iterate, |_, _| ()).unwrap();
    let log = folder.path().join("tasks-all-0001.log");
    let whole = fs::read(&log).unwrap();
    // one without checksums, which get right ones before it is read: what is after them is read as well
    let text = String::from_utf8(whole.clone()).unwrap();
    let contents: String =
        text.lines().map(|line| format!("{}\n", line.split_once(' ').map_or("", |(_, content)| content))).collect();
    let expected = serde_json::to_string(&Collection::read(folder.path()).unwrap().results).unwrap();
    costate_fuzz::drive("logs", &[&whole, contents.as_bytes()], &["\"task\":", "\"failed\":null", "null"], |bytes| {
        let is_forged = bytes.first() == Some(&b'{');
        let written: Vec<u8> = match is_forged {
            false => bytes.to_vec(),
            true => {
                bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).fold(Vec::new(), |mut all, line| {
                    let mut checksum = Fingerprint::default();
                    checksum.add(line);
                    all.extend(format!("{} ", checksum.text()).bytes().chain(line.iter().copied()).chain([b'\n']));
                    all
                })
            }
        };
        fs::write(&log, written).unwrap();
        match Collection::read(folder.path()) {
            Err(error) => error.to_string(),
            Ok(collection) => {
                assert_eq!(collection.results.len(), collection.tasks);
                let results = serde_json::to_string(&collection.results).unwrap();
                if !is_forged && collection.done == 4 && collection.tasks == 4 {
                    assert_eq!(results, expected);
                }
                format!("read, {}", if collection.damaged > 0 { "damaged" } else { "whole" })
            }
        }
    });
}
