//! Source maps, revision 3: which file, line and name of the source a position of a generated script comes from.
//!
//! [`SourceMap`] is the map alone, [`Bundle`] the map with the text of its script: only with the text it is certain which
//! variable a shortened name means.

mod bundle;
mod decode;
mod functions;
mod json;
mod map;
mod paths;
mod text;

pub use self::bundle::Bundle;
pub use self::json::{LARGEST, inline_map};
pub use self::map::{Position, SourceMap};
