//! Handles: numbers in the place of pointers, which are looked up and never followed.

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::boundary::{Answer, Failure, Status};

/// The number that a caller of C has in place of an object: kind, place and generation, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle(usize);

/// Bits of the kind, and of the place.
const KIND_BITS: u32 = 4;
const PLACE_BITS: u32 = 22;

/// Places of the first part; every part has twice as many as the one before.
const FIRST_PART: usize = 64;
const PART_COUNT: usize = 16;

/// Largest number of objects at a time.
const MAX_OBJECTS: usize = FIRST_PART * ((1 << PART_COUNT) - 1);

const _: () = assert!(usize::BITS == 64, "handles have 38 bits of generations");
const _: () = assert!(MAX_OBJECTS <= 1 << PLACE_BITS, "each object has a place");

impl Handle {
    fn new(kind: usize, place: usize, generation: usize) -> Self {
        Self((generation << (KIND_BITS + PLACE_BITS)) | (place << KIND_BITS) | kind)
    }

    /// Returns the handle that the caller has.
    pub fn given(pointer: *mut c_void) -> Self {
        Self(pointer.addr())
    }

    fn parts(self) -> (usize, usize, usize) {
        let place = (self.0 >> KIND_BITS) & ((1 << PLACE_BITS) - 1);
        (self.0 & ((1 << KIND_BITS) - 1), place, self.0 >> (KIND_BITS + PLACE_BITS))
    }
}

impl Answer for *mut c_void {
    type Inner = Handle;

    fn of(handle: Handle) -> Self {
        std::ptr::without_provenance_mut(handle.0)
    }

    fn failed(_: Status) -> Self {
        std::ptr::null_mut()
    }
}

/// Names of the kinds, by their numbers.
const KINDS: [&str; 7] = ["handle", "model", "simulation", "run", "cost", "stepper", "state"];

/// A type of objects.
pub trait Kept: Any + Send {
    /// Number of the kind, from 1.
    const KIND: usize;
}

#[derive(Debug, Default)]
struct Place {
    generation: usize,
    object: Option<Box<dyn Any + Send>>,
}

impl Place {
    /// Returns the object of a handle; `None` once it has been freed.
    #[inline(always)]
    fn object<T: Kept>(&mut self, generation: usize) -> Option<&mut T> {
        self.object.as_mut().filter(|_| self.generation == generation)?.downcast_mut()
    }
}

/// The places of all objects, which stay where they are.
static PLACES: [OnceLock<Box<[Mutex<Place>]>>; PART_COUNT] = [const { OnceLock::new() }; PART_COUNT];

/// Places that were used and are free, and how many were ever used.
static FREE: Mutex<(Vec<usize>, usize)> = Mutex::new((Vec::new(), 0));

/// Returns the part of a place, and its position there.
#[inline(always)]
fn part_of(place: usize) -> (usize, usize) {
    let counted = place + FIRST_PART;
    let part = (counted / FIRST_PART).ilog2() as usize;
    (part, counted - (FIRST_PART << part))
}

#[inline(always)]
fn place_of(place: usize) -> Option<&'static Mutex<Place>> {
    let (part, position) = part_of(place);
    PLACES.get(part)?.get()?.get(position)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an object for the caller until it is [freed](free).
pub fn keep<T: Kept>(object: T) -> Result<Handle, Failure> {
    let place = {
        let (free, used) = &mut *locked(&FREE);
        match free.pop() {
            Some(place) => place,
            None if *used >= MAX_OBJECTS => {
                let text = format!("there are {MAX_OBJECTS} objects, as many as can be; free those that are not used");
                return Err(Failure::argument(text));
            }
            None => {
                let (part, _) = part_of(*used);
                let empty = || (0..FIRST_PART << part).map(|_| Mutex::default()).collect();
                PLACES.get(part).map(|part| part.get_or_init(empty));
                *used += 1;
                *used - 1
            }
        }
    };
    let mutex = place_of(place).ok_or_else(|| Failure::new(Status::Defect, "there is no place for an object"))?;
    let mut own = locked(mutex);
    own.generation += 1;
    own.object = Some(Box::new(object));
    Ok(Handle::new(T::KIND, place, own.generation))
}

/// Finds the place of an object; the caller locks it.
#[inline(always)]
fn found<T: Kept>(handle: Handle) -> Result<(&'static Mutex<Place>, usize, usize), Failure> {
    let (kind, place, generation) = handle.parts();
    match place_of(place) {
        Some(mutex) if kind == T::KIND => Ok((mutex, place, generation)),
        _ => Err(no_handle::<T>(handle)),
    }
}

#[cold]
fn no_handle<T: Kept>(handle: Handle) -> Failure {
    let wanted = KINDS[T::KIND];
    let (kind, ..) = handle.parts();
    let text = match KINDS.get(kind) {
        _ if handle.0 == 0 => format!("the {wanted} is NULL; give one, and look at the error of the call that made it"),
        Some(given) if kind > 0 && kind != T::KIND => format!("a {given} is given where a {wanted} is expected"),
        _ => format!("this is no {wanted} of this library"),
    };
    Failure::new(Status::Handle, text)
}

#[cold]
fn stale<T: Kept>() -> Failure {
    Failure::new(Status::Handle, format!("this {} has been freed, or is not of this library", KINDS[T::KIND]))
}

/// Does some work with an object. Calls with one object wait for each other; none may be made within another.
#[inline(always)]
pub fn with<T: Kept, R>(handle: Handle, work: impl FnOnce(&mut T) -> Result<R, Failure>) -> Result<R, Failure> {
    let (mutex, _, generation) = found::<T>(handle)?;
    let Ok(mut place) = mutex.lock() else {
        let text = format!("a defect of costate has ended an earlier call with this {}; free it", KINDS[T::KIND]);
        return Err(Failure::new(Status::Defect, text));
    };
    match place.object(generation) {
        Some(object) => work(object),
        None => Err(stale::<T>()),
    }
}

/// Frees an object; does nothing for null.
pub fn free<T: Kept>(handle: Handle) -> Result<(), Failure> {
    if handle.0 == 0 {
        return Ok(());
    }
    let (mutex, place, generation) = found::<T>(handle)?;
    let object = {
        let mut own = locked(mutex);
        if own.object::<T>(generation).is_none() {
            return Err(stale::<T>());
        }
        mutex.clear_poison();
        own.object.take()
    };
    locked(&FREE).0.push(place);
    drop(object);
    Ok(())
}
