//! Experiments that are distributed over processes: each process simulates its own, and all get the results of all.

use costate_system::interrupt::{Interrupted, InterruptedWork};
use costate_system::problem::SimulationError;

use super::peers::Peers;

/// Codes for the results of experiments, in messages between processes.
struct Code;

impl Code {
    const FOUND: u64 = 0;
    const FAILS_HERE: u64 = 1;
    const FAILS_ANYWHERE: u64 = 2;
    const INTERRUPTED: u64 = 3;
}

/// Conversion of results to numbers and back, for messages between processes; the numbers keep their bits.
pub(crate) struct Packing<T> {
    pub pack: fn(T) -> Vec<f64>,
    pub unpack: fn(Vec<f64>, usize) -> T,
}

/// Exchange of the results of experiments. All processes evaluate the same sequence of unknowns.
pub(crate) struct Processes<'a> {
    peers: &'a Peers<'a>,
    /// Number of simulations by other processes.
    pub simulations_elsewhere: usize,
}

impl<'a> Processes<'a> {
    /// Creates the exchange between these processes.
    pub fn new(peers: &'a Peers<'a>) -> Self {
        Self { peers, simulations_elsewhere: 0 }
    }

    /// Returns the name of one of all experiments.
    pub fn name(&self, number: usize) -> Option<&'a String> {
        self.peers.names.get(number)
    }

    /// Exchanges results: takes those of this process, `own`, and the number of its simulations so far, and returns
    /// the results of all experiments.
    pub fn exchange<T>(
        &mut self,
        own: Vec<Result<T, SimulationError>>,
        simulations: usize,
        packing: &Packing<T>,
        unknowns: usize,
    ) -> Vec<Result<T, SimulationError>> {
        let lost = |message: &str| SimulationError::Elsewhere { message: message.to_owned(), anywhere: true };
        let mut found: Vec<Option<Result<T, SimulationError>>> = self.peers.names.iter().map(|_| None).collect();
        let executor = self.peers.executor;
        match executor.gather(encode((self.peers.first..).zip(own), simulations, packing)) {
            Ok(parts) => {
                self.simulations_elsewhere = 0;
                for (process, part) in parts.iter().enumerate() {
                    let mut words = Words(part);
                    let count = words.next().unwrap_or(0) as usize;
                    if process != executor.process() {
                        self.simulations_elsewhere += count;
                    }
                    while let Some((number, result)) = decode(&mut words, packing, unknowns) {
                        if let Some(place) = found.get_mut(number) {
                            *place = Some(result);
                        }
                    }
                }
            }
            Err(error) => found[0] = Some(Err(lost(&error.to_string()))),
        }
        let missing = || Err(lost("no process has simulated it: all must be given the same experiments"));
        found.into_iter().map(|result| result.unwrap_or_else(missing)).collect()
    }
}

/// Encodes results with their numbers among all experiments.
fn encode<T>(
    own: impl Iterator<Item = (usize, Result<T, SimulationError>)>,
    simulations: usize,
    packing: &Packing<T>,
) -> Vec<u8> {
    let mut bytes = (simulations as u64).to_le_bytes().to_vec();
    let mut add = |word: u64| bytes.extend(word.to_le_bytes());
    for (number, result) in own {
        add(number as u64);
        match result {
            Ok(result) => {
                let numbers = (packing.pack)(result);
                add(Code::FOUND);
                add(numbers.len() as u64);
                numbers.iter().for_each(|number| add(number.to_bits()));
            }
            Err(error) => {
                let text = costate_system::causes::with_causes(&error);
                add(match error {
                    SimulationError::Interrupted(_) => Code::INTERRUPTED,
                    error if error.fails_anywhere() => Code::FAILS_ANYWHERE,
                    _ => Code::FAILS_HERE,
                });
                add(text.chars().count() as u64);
                text.chars().for_each(|character| add(u64::from(u32::from(character))));
            }
        }
    }
    bytes
}

/// Decodes one result; `None` at the end.
fn decode<T>(
    words: &mut Words<'_>,
    packing: &Packing<T>,
    unknowns: usize,
) -> Option<(usize, Result<T, SimulationError>)> {
    let (number, kind, length) = (words.next()? as usize, words.next()?, words.next()? as usize);
    let content: Vec<u64> = words.by_ref().take(length).collect();
    let result = match kind {
        Code::FOUND => Ok((packing.unpack)(content.into_iter().map(f64::from_bits).collect(), unknowns)),
        // the details are lost: callers report the state of the whole work instead
        Code::INTERRUPTED => Err(Interrupted::without_trace(InterruptedWork::Run { time: f64::NAN }).into()),
        _ => {
            let characters = content.into_iter().filter_map(|word| char::from_u32(u32::try_from(word).ok()?));
            Err(SimulationError::Elsewhere { message: characters.collect(), anywhere: kind == Code::FAILS_ANYWHERE })
        }
    };
    Some((number, result))
}

/// Bytes as words of eight bytes.
struct Words<'b>(&'b [u8]);

impl Iterator for Words<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_system::ensemble::{Executor, ExecutorError, Job};

    /// Two processes, of which the other one has sent its part before.
    struct Two {
        process: usize,
        other: Vec<u8>,
    }

    impl Executor for Two {
        fn process(&self) -> usize {
            self.process
        }

        fn processes(&self) -> usize {
            2
        }

        fn at_once(&self) -> usize {
            1
        }

        fn execute(&self, _: &Job<'_>) -> Result<(), ExecutorError> {
            Ok(())
        }

        fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError> {
            Ok(of_root)
        }

        fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError> {
            let mut parts = vec![own, self.other.clone()];
            if self.process == 1 {
                parts.reverse();
            }
            Ok(parts)
        }
    }

    fn peers(executor: &Two, first: usize) -> Peers<'_> {
        Peers {
            executor,
            names: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            first,
            own_channels: 0..0,
            channels: 0,
            samples: 0,
            are_estimated: false,
            have_degrees: false,
        }
    }

    const PACKING: Packing<Vec<f64>> = Packing { pack: |values| values, unpack: |values, _| values };

    #[test]
    fn every_process_has_all_results() {
        let failed = SimulationError::Elsewhere { message: "größer".to_owned(), anywhere: false };
        let results = |number: usize| match number {
            1 => Err(failed.clone()),
            number => Ok(vec![0.1 * number as f64, f64::NAN, -0.0]),
        };
        let mut all = Vec::new();
        for process in [0, 1] {
            let own = |process: usize| [0, 1].map(|number| (2 * process + number, results(2 * process + number)));
            let other = encode(own(1 - process).into_iter(), 5, &PACKING);
            let two = Two { process, other };
            let peers = peers(&two, 2 * process);
            let mut shared = Processes::new(&peers);
            let found = shared.exchange(own(process).map(|(_, result)| result).into(), 3, &PACKING, 1);
            assert_eq!(shared.simulations_elsewhere, 5);
            all.push(format!("{found:?}"));
            let message = failed.to_string();
            assert_eq!(found[1], Err(SimulationError::Elsewhere { message, anywhere: false }));
            assert_eq!(found[3].as_ref().unwrap()[0].to_bits(), (0.1_f64 * 3.0).to_bits());
            assert!(found[2].as_ref().unwrap()[2].is_sign_negative());
        }
        assert_eq!(all[0], all[1]);
        let nothing = Two { process: 0, other: Vec::new() };
        let found = Processes::new(&peers(&nothing, 0)).exchange(Vec::new(), 0, &PACKING, 1);
        assert!(found.iter().all(|result| result.as_ref().is_err_and(SimulationError::fails_anywhere)));
    }
}
