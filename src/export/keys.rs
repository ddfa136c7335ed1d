//! Stable keys of enums in JSON, for `#[serde(serialize_with)]`: never the words that people read.

use serde::Serializer;

use crate::analysis::leaks::Group;
use crate::heap::contents::LogicalKind;

/// [`Group::key`].
pub(super) fn group<S: Serializer>(group: &Group, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(group.key())
}

/// [`LogicalKind::name`].
pub(super) fn collection<S: Serializer>(kind: &LogicalKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}
