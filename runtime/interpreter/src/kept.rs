//! Values that stay to the end of the program, each of which is kept once.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The values of one type and size.
type Values = Box<dyn Any + Send>;

/// The values by their types and sizes in bytes.
static KEPT: Mutex<Option<HashMap<(TypeId, usize), Values>>> = Mutex::new(None);

/// Keeps a value to the end of the program. Parts of descriptions and tapes are seldom new where the text of a model is
/// edited and loaded again and again, so that a long session grows by what has changed alone.
pub fn kept<T: ?Sized + PartialEq + Send + Sync + 'static>(value: Box<T>) -> &'static T {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (TypeId::of::<T>(), size_of_val(&*value));
    let known = kept.get_or_insert_default().entry(key).or_insert_with(|| Box::new(Vec::<&'static T>::new()));
    let Some(known) = known.downcast_mut::<Vec<&'static T>>() else { return Box::leak(value) };
    match known.iter().find(|known| ***known == *value) {
        Some(known) => known,
        None => {
            let new: &'static T = Box::leak(value);
            known.push(new);
            new
        }
    }
}
