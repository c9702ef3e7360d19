//! Exported FMUs, unpacked, and instances of them.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::sync::Mutex;

use costate::command::{Arguments, ModelFile};
use costate::interpreted::LoadedModel;
use costate_fmi::Status;
use costate_fmi::exports::*;
use tempfile::TempDir;

/// A free oscillator with an input.
pub const MOUNT: &str = "
/// A machine on a mount.
pub Mount {
    parameters {
        /// Mass of the machine.
        m: kg = 20,
        c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40, q_0: mm = 1,
    }
    inputs { drive: N }
    coordinates { x: m }
    mass { x: m }
    forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
    initial { x = q_0 }
    outputs { acceleration: m/s^2 = ddot(x), position: m = x }
}";

/// A crank that moves a slider: three dependent coordinates, a mass that depends on the position.
pub const CRANK: &str = "
pub Crank {
    parameters { m: kg = 2, inertia: kg*m^2 = 0.05, r: m = 0.1, l: m = 0.35, c: N/m = 800, d: N*s/m = 3,
        g: m/s^2 = 9.81 }
    inputs { torque: N*m }
    coordinates { phi: rad, psi: rad, x: m, w: m }
    mass { phi: inertia, x: m }
    forces { phi: torque - 0.1[N*m*s]*dot(phi), x: -c*(x - 0.3[m]) - d*dot(x) + m*g,
        w: 500[N/m]*(x - w) - 20[N*s/m]*dot(w) }
    constraints { along: r*cos(phi) + l*cos(psi) - x, across: r*sin(phi) - l*sin(psi) }
    initial { phi = 0.7[rad], dot(phi) = 3[rad/s] }
    outputs { position: m = x, push: N = multiplier(along), pull: N = 500[N/m]*(x - w), acceleration: m/s^2 = ddot(x) }
}";

/// An unpacked FMU.
pub struct Fmu {
    /// The folder, removed in the end.
    pub folder: TempDir,
    /// The model in Rust.
    pub model: LoadedModel,
    /// `modelDescription.xml`.
    pub description: String,
    /// The token.
    pub token: CString,
    /// The folder with the resources.
    pub resources: CString,
}

/// The command that the workspace has built, beside the tests.
fn command() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    let command = folder.join(format!("costate{}", std::env::consts::EXE_SUFFIX));
    assert!(command.is_file(), "build `{}` before, with `cargo build --release -p costate-cli`", command.display());
    command
}

/// The library, which cargo builds with the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let name = format!("{}costate_fmi{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let own = test.parent().unwrap();
    [own.join(&name), own.parent().unwrap().join(&name)].into_iter().find(|path| path.is_file()).unwrap()
}

/// Exports a model with these arguments and returns what the command says, with the path of the FMU.
pub fn export(folder: &Path, model: &Path, arguments: &[&str]) -> (String, PathBuf) {
    let fmu = folder.join("model.fmu");
    let mut command = Command::new(command());
    command.arg("fmu").arg(model).args(arguments).arg("-o").arg(&fmu).arg("--library").arg(library());
    let said = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success(), "{arguments:?}: {text}");
    (text, fmu)
}

/// Unpacks an archive; entries are deflated, and the directory is at the end.
pub fn unpack(archive: &Path, to: &Path) {
    let bytes = fs::read(archive).unwrap();
    let short = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let long = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = bytes.len() - 22;
    let mut line = long(end + 16);
    for _ in 0..short(end + 10) {
        let (size, unpacked, name, at) = (long(line + 20), long(line + 24), short(line + 28), long(line + 42));
        let path = to.join(std::str::from_utf8(&bytes[line + 46..line + 46 + name]).unwrap());
        let data = at + 30 + short(at + 26) + short(at + 28);
        let mut contents = Vec::new();
        flate2::read::DeflateDecoder::new(&bytes[data..data + size]).read_to_end(&mut contents).unwrap();
        assert_eq!(contents.len(), unpacked);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
        line += 46 + name + short(line + 30) + short(line + 32);
    }
}

impl Fmu {
    /// Exports a text with these arguments.
    pub fn of_text(text: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("costate fmü ").tempdir().unwrap();
        let model = folder.path().join("given.model");
        fs::write(&model, text).unwrap();
        Self::of(folder, &model, arguments)
    }

    /// Exports a model of a file.
    pub fn of(folder: TempDir, model: &Path, arguments: &[&str]) -> Self {
        let (_, fmu) = export(folder.path(), model, arguments);
        let unpacked = folder.path().join("unpacked");
        unpack(&fmu, &unpacked);
        let description = fs::read_to_string(unpacked.join("modelDescription.xml")).unwrap();
        let name = value(&description, "modelName");
        let set: Arguments = arguments
            .windows(2)
            .filter(|pair| pair[0] == "--set")
            .map(|pair| pair[1].split_once('=').unwrap())
            .map(|(name, value)| (name.to_owned(), value.parse::<costate::command::ArgumentValue>().unwrap()))
            .collect();
        let file = ModelFile::read(model).unwrap();
        let model = LoadedModel::of_file(&file, Some(&name), &set).unwrap();
        let token = CString::new(value(&description, "instantiationToken")).unwrap();
        let resources = CString::new(format!("{}/", unpacked.join("resources").display())).unwrap();
        Self { folder, model, description, token, resources }
    }

    /// Returns the value references of the variables with this part in their element.
    pub fn references(&self, part: &str) -> Vec<u32> {
        let of = self.description.lines().filter(|line| line.contains("<Float64 ") && line.contains(part));
        of.map(|line| value(line, "valueReference").parse().unwrap()).collect()
    }

    /// Instantiates for Co-Simulation.
    pub fn co_simulation(&self) -> Instance {
        // SAFETY: all texts live beyond the call.
        let number = unsafe {
            fmi3InstantiateCoSimulation(
                c"test".as_ptr(),
                self.token.as_ptr(),
                self.resources.as_ptr(),
                false,
                false,
                false,
                false,
                ptr::null(),
                0,
                ptr::null_mut(),
                Some(log),
                ptr::null_mut(),
            )
        };
        Instance(number.addr())
    }

    /// Instantiates for Model Exchange.
    pub fn model_exchange(&self) -> Instance {
        // SAFETY: all texts live beyond the call.
        let number = unsafe {
            fmi3InstantiateModelExchange(
                c"test".as_ptr(),
                self.token.as_ptr(),
                self.resources.as_ptr(),
                false,
                false,
                ptr::null_mut(),
                Some(log),
            )
        };
        Instance(number.addr())
    }
}

/// Returns the value of an attribute.
pub fn value(text: &str, attribute: &str) -> String {
    let begin = text.find(&format!("{attribute}=\"")).unwrap() + attribute.len() + 2;
    text[begin..].split('"').next().unwrap().to_owned()
}

/// The messages of this thread's calls.
pub static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

unsafe extern "C" fn log(_: *mut c_void, _: c_int, category: *const c_char, message: *const c_char) {
    // SAFETY: the library hands over texts that end with a zero.
    let (category, message) = unsafe { (CStr::from_ptr(category), CStr::from_ptr(message)) };
    assert_eq!(category.to_str().unwrap(), "logStatusError");
    LOGGED.lock().unwrap().push(message.to_str().unwrap().to_owned());
}

/// Returns true if a message with this part was logged.
pub fn has_logged(part: &str) -> bool {
    LOGGED.lock().unwrap().iter().any(|message| message.contains(part))
}

/// An instance, freed in the end.
pub struct Instance(pub usize);

impl Drop for Instance {
    fn drop(&mut self) {
        fmi3FreeInstance(self.pointer());
    }
}

impl Instance {
    /// Returns what importers hold.
    pub fn pointer(&self) -> *mut c_void {
        ptr::without_provenance_mut(self.0)
    }

    /// Goes to the mode after the initialization, and for Model Exchange to continuous time.
    pub fn initialized(self, of_model_exchange: bool) -> Self {
        assert_eq!(fmi3EnterInitializationMode(self.pointer(), false, 0.0, 0.0, false, 0.0), Status::Ok);
        assert_eq!(fmi3ExitInitializationMode(self.pointer()), Status::Ok, "{:?}", LOGGED.lock().unwrap());
        if of_model_exchange {
            assert_eq!(fmi3EnterContinuousTimeMode(self.pointer()), Status::Ok);
        }
        self
    }

    /// Gets values.
    pub fn get(&self, references: &[u32]) -> Vec<f64> {
        let mut values = vec![0.0; references.len()];
        let (count, to) = (references.len(), values.as_mut_ptr());
        // SAFETY: both arrays have this length.
        let status = unsafe { fmi3GetFloat64(self.pointer(), references.as_ptr(), count, to, count) };
        assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
        values
    }

    /// Sets values.
    pub fn set(&self, references: &[u32], values: &[f64]) -> Status {
        // SAFETY: both arrays have these lengths.
        unsafe { fmi3SetFloat64(self.pointer(), references.as_ptr(), references.len(), values.as_ptr(), values.len()) }
    }

    /// Makes a communication step.
    pub fn step(&self, time: f64, length: f64) -> Status {
        let (mut flags, mut last) = ([false; 3], 0.0);
        let [event, terminate, early] = &mut flags;
        // SAFETY: all places live beyond the call.
        unsafe { fmi3DoStep(self.pointer(), time, length, true, event, terminate, early, &mut last) }
    }

    /// Computes J seed, or J^T seed.
    pub fn derivative(&self, unknowns: &[u32], knowns: &[u32], seed: &[f64], is_adjoint: bool) -> Vec<f64> {
        let (call, length): (_, usize) = match is_adjoint {
            true => (fmi3GetAdjointDerivative as unsafe extern "C" fn(_, _, _, _, _, _, _, _, _) -> _, knowns.len()),
            false => (fmi3GetDirectionalDerivative as _, unknowns.len()),
        };
        let mut result = vec![0.0; length];
        let (unknown, known) = ((unknowns.as_ptr(), unknowns.len()), (knowns.as_ptr(), knowns.len()));
        let (seed, to) = ((seed.as_ptr(), seed.len()), result.as_mut_ptr());
        // SAFETY: all arrays have these lengths.
        let status =
            unsafe { call(self.pointer(), unknown.0, unknown.1, known.0, known.1, seed.0, seed.1, to, length) };
        assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
        result
    }

    /// Saves the state.
    pub fn save(&self) -> *mut c_void {
        let mut state = ptr::null_mut();
        // SAFETY: the place lives beyond the call.
        assert_eq!(unsafe { fmi3GetFMUState(self.pointer(), &mut state) }, Status::Ok);
        state
    }

    /// Serialises a saved state.
    pub fn serialise(&self, state: *mut c_void) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: the place lives beyond the call.
        let status = unsafe { fmi3SerializedFMUStateSize(self.pointer(), state, &mut size) };
        assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
        let mut bytes = vec![0; size];
        // SAFETY: the array has this length.
        assert_eq!(unsafe { fmi3SerializeFMUState(self.pointer(), state, bytes.as_mut_ptr(), size) }, Status::Ok);
        bytes
    }

    /// Reads a serialised state.
    pub fn deserialise(&self, bytes: &[u8]) -> (Status, *mut c_void) {
        let mut state = ptr::null_mut();
        // SAFETY: the array has this length.
        let status = unsafe { fmi3DeserializeFMUState(self.pointer(), bytes.as_ptr(), bytes.len(), &mut state) };
        (status, state)
    }
}
