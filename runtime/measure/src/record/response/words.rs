//! Words of identification lines of UFF58 about a response: its added decay, and the averages from which variances
//! follow.

use super::FrequencyResponse;

const DECAY: (&str, &str) = ("added decay ", " 1/s");
const AVERAGES: (&str, &str) = ("averages ", "");

impl FrequencyResponse {
    /// Returns the words for the added decay and, if variances follow from them, the averages.
    #[cfg(feature = "uff")]
    pub(crate) fn words(&self, with_averages: bool) -> Vec<String> {
        use costate_contract::shown::Exact;
        let averages = self.averages.filter(|_| with_averages).map(|averages| (AVERAGES, averages));
        let decay = (self.added_decay != 0.0).then_some((DECAY, self.added_decay));
        let words = [decay, averages].into_iter().flatten();
        words.map(|((before, behind), value)| format!("{before}{}{behind}", Exact(value))).collect()
    }

    /// Takes the words out of the comment, with the variances that follow.
    pub(crate) fn told_by_comment(mut self) -> Self {
        let Some(comment) = self.comment.take() else { return self };
        let mut rest = Vec::new();
        for word in comment.split("; ") {
            let number = |(before, behind): (&str, &str)| {
                let text = word.strip_prefix(before)?.strip_suffix(behind)?;
                text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
            };
            match (number(DECAY), number(AVERAGES)) {
                (Some(decay), _) => self.added_decay = decay,
                (None, Some(averages)) => self.averages = Some(averages),
                (None, None) => rest.push(word),
            }
        }
        self.comment = (!rest.is_empty()).then(|| rest.join("; "));
        self.with_variances_of_coherence()
    }

    /// Adds the variances |H|^2 (1 - gamma^2)/(2 gamma^2 (n - 1)) of a coherence gamma^2 of n averages, if both are
    /// known.
    pub(crate) fn with_variances_of_coherence(mut self) -> Self {
        let (Some(coherence), Some(averages)) = (&self.coherence, self.averages) else { return self };
        let each = coherence.iter().zip(self.real.iter().zip(&self.imaginary));
        let variances: Vec<f64> = each
            .map(|(coherence, (re, im))| (re * re + im * im) * (1.0 - coherence) / (2.0 * coherence * (averages - 1.0)))
            .collect();
        if variances.iter().all(|variance| variance.is_finite() && *variance >= 0.0) {
            self.variances = Some(variances);
        }
        self
    }
}
