//! The processes of a job as the executor of ensembles.

use std::time::Instant;

use costate_ensemble::{Executor, ExecutorError, Job};

use crate::dealing::{deal, help};
use crate::message::{Message, send, wait};
use crate::world::World;

impl Executor for World {
    fn process(&self) -> usize {
        self.rank()
    }

    fn processes(&self) -> usize {
        Self::processes(self)
    }

    fn at_once(&self) -> usize {
        World::threads(self)
    }

    fn execute(&self, job: &Job<'_>) -> Result<(), ExecutorError> {
        self.check_thread()?;
        if World::is_root(self) {
            deal(self, job)?
        } else {
            help(self, job)?
        }
        // no process asks for groups of the next job while the root still deals those of this job
        self.share(Vec::new())?;
        Ok(())
    }

    fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError> {
        self.check_thread()?;
        let (mut shared, begun) = (of_root, Instant::now());
        if !World::is_root(self) {
            let parent = World::parent(self);
            shared = loop {
                match self.poll() {
                    Some((_, Message::Shared(bytes))) => break bytes,
                    Some(_) => {}
                    None => {
                        self.check(parent)?;
                        wait(begun);
                    }
                }
            };
        }
        for child in self.children() {
            self.check(child)?;
            send(child, &Message::Shared(shared.clone()));
        }
        Ok(shared)
    }

    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError> {
        self.check_thread()?;
        if !World::is_root(self) {
            self.check(0)?;
            send(0, &Message::Part(own));
            return Ok(split(&self.share(Vec::new())?));
        }
        let mut parts: Vec<Option<Vec<u8>>> = vec![None; self.processes()];
        let (mut missing, begun) = (self.processes() - 1, Instant::now());
        parts[0] = Some(own);
        while missing > 0 {
            match self.poll() {
                Some((rank, Message::Part(bytes))) => {
                    parts[rank.unsigned_abs() as usize] = Some(bytes);
                    missing -= 1;
                }
                Some(_) => {}
                None => {
                    self.check_all()?;
                    wait(begun);
                }
            }
        }
        let parts: Vec<Vec<u8>> = parts.into_iter().flatten().collect();
        self.share(joined(&parts))?;
        Ok(parts)
    }
}

/// Joins parts, each after its length.
fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    bytes
}

/// Splits bytes that were [`joined`].
fn split(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (part, rest) = rest.split_at(rest.len().min(u64::from_le_bytes(*length) as usize));
        parts.push(part.to_vec());
        bytes = rest;
    }
    parts
}
