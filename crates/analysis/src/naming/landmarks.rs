//! Names of objects far down on their paths, for the names of objects below them: so that the names of all nodes of a
//! long chain do not walk the chain each time.

use std::sync::RwLock;

use rustc_hash::FxHashMap;

use super::spelling::Name;
use heaplens_heap::ObjectId;

/// Number of steps between landmarks of one path.
pub(super) const APART: usize = 64;
/// The same, when there are many.
const FAR_APART: usize = 4_096;
/// Maximum number of runs of steps in all landmarks that are near each other, in addition to one each.
const NEAR: usize = 400_000;
/// Maximum number of landmarks.
const MOST: usize = 200_000;

/// The name of an object at the beginning of a path.
#[derive(Clone)]
pub(super) struct Landmark {
    /// Object that has this name, on the path to the one below which the landmark is found.
    pub(super) object: ObjectId,
    /// Its name.
    pub(super) name: Name,
}

/// Landmarks by the object below which they hold.
#[derive(Default)]
pub(super) struct Landmarks(RwLock<Table>);

#[derive(Default)]
struct Table {
    by_object: FxHashMap<ObjectId, Landmark>,
    runs: usize,
}

impl Landmarks {
    /// The landmark for paths that lead through an object.
    pub(super) fn get(&self, object: ObjectId) -> Option<Landmark> {
        self.0.read().ok()?.by_object.get(&object).cloned()
    }

    /// True if one that begins so many steps below the landmark before it can be added.
    pub(super) fn takes(&self, steps: usize) -> bool {
        let (near, len) = self.0.read().map_or((false, MOST), |table| (table.runs < NEAR, table.by_object.len()));
        len < MOST && steps >= if near { APART } else { FAR_APART }
    }

    /// Adds a landmark for paths that lead through an object.
    pub(super) fn put(&self, object: ObjectId, landmark: Landmark) {
        if let Ok(mut table) = self.0.write() {
            table.runs += 1 + landmark.name.runs();
            table.by_object.insert(object, landmark);
        }
    }
}
