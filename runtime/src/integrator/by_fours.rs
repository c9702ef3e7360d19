//! Loops over the entries of a state.

/// Runs `$body` for every index below `$length`, four side by side and then the rest. A loop whose length is known, but
/// no multiple of a vector's, would become one with masked loads and stores, which wait for the stores before them.
macro_rules! by_fours {
    ($index:ident in $length:expr => $body:block) => {{
        let length: usize = $length;
        let whole = length - length % 4;
        let mut first = 0;
        while first < whole {
            for lane in 0..4 {
                let $index = first + lane;
                $body
            }
            first += 4;
        }
        for $index in whole..length $body
    }};
}

pub(super) use by_fours;
