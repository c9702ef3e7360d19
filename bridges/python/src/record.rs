//! Measured records.

use std::path::PathBuf;

use costate::measure::Record as Measured;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::numbers::Numbers;

/// Measured signals over time: named channels with units.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Record {
    /// The record.
    pub record: Measured,
}

/// A record that is given, also one of the library of another model.
#[derive(Debug)]
pub struct GivenRecord(Py<Record>);

impl GivenRecord {
    /// Returns the record.
    pub fn record(&self) -> &Measured {
        &self.0.get().record
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for GivenRecord {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(own) = given.cast::<Record>() {
            return Ok(Self(own.to_owned().unbind()));
        }
        let py = given.py();
        let names: Vec<(String, Option<String>)> = given.call_method0("channels")?.extract()?;
        let channel = |(name, unit): (String, Option<String>)| {
            let values = given.call_method1("values", (&name,))?.extract()?;
            Ok((name, unit, values))
        };
        let channels = names.into_iter().map(channel).collect::<PyResult<Vec<_>>>()?;
        let name: String = given.getattr("name")?.extract()?;
        let record = Record::new(py, given.call_method0("times")?.extract()?, channels, Some(&name))?;
        Ok(Self(Py::new(py, record)?))
    }
}

#[pymethods]
impl Record {
    /// Makes a record of times in s and of channels: name, unit, values.
    #[new]
    #[pyo3(signature = (times, channels, name=None))]
    fn new(
        py: Python<'_>,
        times: Numbers,
        channels: Vec<(String, Option<String>, Numbers)>,
        name: Option<&str>,
    ) -> PyResult<Self> {
        let mut record = Measured::new(times.0).map_err(|error| error.raised(py))?;
        if let Some(name) = name {
            record = record.named(name);
        }
        for (channel, unit, values) in channels {
            record = record.with_channel(channel, unit.as_deref(), values.0).map_err(|error| error.raised(py))?;
        }
        Ok(Self { record })
    }

    /// Reads the records of a file of any format.
    #[staticmethod]
    #[pyo3(signature = (path, group=None, channels=None, time=None, every=None))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        group: Option<String>,
        channels: Option<String>,
        time: Option<String>,
        every: Option<f64>,
    ) -> PyResult<Vec<Self>> {
        let records = crate::work::interruptible(py, |_| {
            let mut reader = Measured::reader();
            if let Some(group) = group {
                reader = reader.group(group);
            }
            if let Some(channels) = channels {
                reader = reader.channels(channels);
            }
            if let Some(time) = time {
                reader = reader.time_column(time);
            }
            match every {
                Some(every) => reader.every(every).open(path)?.record().map(|record| vec![record]),
                None => reader.open(path)?.records(),
            }
        })?;
        Ok(records.into_iter().map(|record| Self { record }).collect())
    }

    /// Name of the record.
    #[getter]
    fn name(&self) -> &str {
        self.record.name()
    }

    /// Times in s.
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.record.times())
    }

    /// Names and units of the channels.
    fn channels(&self) -> Vec<(&str, Option<&str>)> {
        self.record.channels().iter().map(|channel| (channel.name(), channel.unit())).collect()
    }

    /// The values of a channel, in its unit; NaN where samples are missing.
    fn values<'py>(&self, py: Python<'py>, channel: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.record.channel(channel).map_err(|error| error.raised(py))?;
        Ok(PyArray1::from_slice(py, found.values()))
    }

    /// The record with times that count from its first sample.
    fn starting_at_zero(&self) -> Self {
        Self { record: self.record.clone().starting_at_zero() }
    }

    /// The samples up to a time in s.
    fn until(&self, py: Python<'_>, end: f64) -> PyResult<Self> {
        let record = self.record.clone().until(end).map_err(|error| error.raised(py))?;
        Ok(Self { record })
    }

    /// The samples from a time in s on.
    fn since(&self, py: Python<'_>, start: f64) -> PyResult<Self> {
        let record = self.record.clone().since(start).map_err(|error| error.raised(py))?;
        Ok(Self { record })
    }

    /// The record at a constant interval in s.
    fn resampled(&self, py: Python<'_>, interval: f64) -> PyResult<Self> {
        let record = self.record.resampled(interval).map_err(|error| error.raised(py))?;
        Ok(Self { record })
    }

    /// Doubts about the data, as texts.
    fn doubts(&self) -> Vec<String> {
        self.record.doubts().iter().map(ToString::to_string).collect()
    }

    /// Writes a CSV file.
    fn write_csv(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.record.write_csv(path).map_err(|error| error.raised(py))
    }
}
