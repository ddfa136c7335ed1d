//! Stable keys of enums in JSON, for `#[serde(serialize_with)]`: never the words that people read.

use serde::Serializer;

use heaplens_analysis::leaks::Group;
use heaplens_heap::LogicalKind;

/// [`Group::key`].
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn group<S: Serializer>(group: &Group, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(group.key())
}

/// [`LogicalKind::name`].
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn collection<S: Serializer>(kind: &LogicalKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}
