//! Contents that only snapshots of JavaScript engines have: shapes of plain objects, scripts, allocation timelines.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Heap, ObjectId, ScriptPosition, SourceLocation, SourceVariable};
use heaplens_base::{Cancelled, Task};

/// Script position of a function, or of the constructor of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScriptLocation {
    /// Name of the script, if the file records it.
    pub script: Option<String>,
    /// Position of the constructor or function.
    pub position: ScriptPosition,
    /// The same position in the source, if the script was made of it and its source map is known.
    pub source: Option<SourceLocation>,
}

impl ScriptLocation {
    /// File of the code: in the source, else the script, if the file records it.
    pub fn file(&self) -> Option<&str> {
        self.source.as_ref().map(|source| &*source.file).or(self.script.as_deref())
    }

    /// The position in the script, `bundle.js:1:2044`, if [`Display`](fmt::Display) shows that in the source.
    pub fn generated(&self) -> Option<String> {
        self.source.as_ref().map(|_| Self { source: None, ..self.clone() }.to_string())
    }
}

/// In the source if known, else in the script; 1-based as in editors: `shop.js:10:5`, `script 42:10:5`.
impl fmt::Display for ScriptLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            return source.fmt(f);
        }
        let ScriptPosition { script, line, column } = self.position;
        match &self.script {
            Some(name) => f.write_str(name)?,
            None => write!(f, "script {script}")?,
        }
        write!(f, ":{}:{}", u64::from(line) + 1, u64::from(column) + 1)
    }
}

/// Objects with their names in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedObjects {
    /// Objects, ascending, each with the index of its name.
    pub objects: Vec<(ObjectId, u32)>,
    /// The names, each once.
    pub names: Vec<String>,
}

impl NamedObjects {
    /// Each object with its name.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &str)> {
        self.objects.iter().filter_map(|&(object, name)| Some((object, self.names.get(name as usize)?.as_str())))
    }
}

/// Properties shared by many plain JavaScript objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonShape {
    /// Name of such objects: `{id, name}`.
    pub name: String,
    /// The properties, each once.
    pub properties: Vec<String>,
}

/// Lifetime of an id that the engine assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdLifetime {
    /// As long as the object: an id that is missing in another snapshot of the process proves that the object is not
    /// there.
    Object,
    /// One snapshot.
    Snapshot,
    /// Either.
    Unknown,
}

/// Properties, scripts and samples of a snapshot.
pub trait SnapshotContents: Send + Sync {
    /// Common shapes of plain JavaScript objects; of two that fit equally well, the first is preferred.
    fn common_shapes(&self) -> Vec<CommonShape> {
        Vec::new()
    }

    /// Property names of a plain JavaScript object, in order; `None` for other objects, and without the dump.
    fn plain_properties(&self, _heap: &Heap, _object: ObjectId) -> Option<Vec<String>> {
        None
    }

    /// Name of a script, if the file records it.
    fn script_name(&self, _script: u32) -> Option<String> {
        None
    }

    /// Names of all scripts that the file records, in any order.
    fn script_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Numbers and names of all scripts that the file records, in any order.
    fn scripts(&self) -> Vec<(u32, String)> {
        Vec::new()
    }

    /// Beginning of the text of a script, as far as the file records it.
    fn script_beginning(&self, _script: u32) -> Option<String> {
        None
    }

    /// Positions of functions and constructors of all scripts, as often as there are objects with them, in any order.
    fn function_positions(&self) -> Vec<ScriptPosition> {
        Vec::new()
    }

    /// The source of a position of a script; `None` without a source map.
    fn source_location(&self, _position: ScriptPosition) -> Option<SourceLocation> {
        None
    }

    /// The variables of one closure context in the source, each if it is certain; see [`ScriptSources::variables`].
    ///
    /// [`ScriptSources::variables`]: crate::ScriptSources::variables
    fn source_variables(&self, _function: ScriptPosition, variables: &[&str]) -> Vec<Option<SourceVariable>> {
        vec![None; variables.len()]
    }

    /// Script position of a function, or of the constructor of an object.
    fn script_location(&self, _heap: &Heap, _object: ObjectId) -> Option<ScriptLocation> {
        None
    }

    /// Objects whose name in the file begins with one of some texts, found in a walk over all objects. Empty without
    /// the dump.
    fn objects_beginning(&self, _texts: &[&str], _task: &Task) -> Result<NamedObjects, Cancelled> {
        Ok(NamedObjects::default())
    }

    /// By row, target of the first internal reference with a name ([`heaplens_graph::NONE`] if there is none), found in
    /// a walk over all references. Empty without the dump.
    fn internal_targets(&self, _name: &str, _task: &Task) -> Result<Vec<u32>, Cancelled> {
        Ok(Vec::new())
    }

    /// Times of a recording in microseconds, each with the highest object id assigned by then.
    fn allocation_samples(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    /// Lifetime of the id of an object. Reads the object.
    fn id_lifetime(&self, _heap: &Heap, _object: ObjectId) -> IdLifetime {
        IdLifetime::Object
    }

    /// True if there are any, without reading them.
    fn has_samples(&self) -> bool {
        false
    }
}
