//! Columns that several tables share, so that one thing has one title and one definition everywhere.

use crate::columns::{Condition, Heading, TextPlace, heading};

/// Address or id of an object.
pub const ID: Heading = heading("id", "Object", "Address of the object, or its id in formats without addresses");

/// Address or id of an example object of a group.
pub const EXAMPLE: Heading =
    heading("id", "Example", "Address or id of the group's object with the largest retained size");

/// Class name.
pub const CLASS: Heading = heading("class", "Class", "Full class name; T[] is an array of T");

/// Short text that identifies an object.
pub const LABEL: Heading = heading(
    "label",
    "Label",
    "Short text that identifies the object: string value, thread name, array length or collection size",
);

/// Fields that tell an object apart, with their values.
pub const PREVIEW: Heading = heading(
    "preview",
    "Preview",
    "At most three fields that tell the object from others of its class, with their values; none if values are hidden",
);

/// Number of objects.
pub const OBJECTS: Heading = heading("objects", "Objects", "Number of objects that the row sums up");

/// Shallow size of one object.
pub const SHALLOW: Heading =
    heading("shallow_bytes", "Shallow size", "Bytes of the object itself, without the objects it references");

/// Shallow size of several objects.
pub const SHALLOW_OF_ALL: Heading =
    heading("shallow_bytes", "Shallow size", "Bytes of the objects themselves, without the objects they reference");

/// Retained size of one object.
pub const RETAINED: Heading = heading(
    "retained_bytes",
    "Retained size",
    "Bytes freed if the object were collected: its shallow size and that of all objects it dominates",
);

/// Retained size of several objects.
pub const RETAINED_BY_ALL: Heading = heading(
    "retained_bytes",
    "Retained size",
    "Bytes freed if all objects of the row were collected; each byte counts once",
);

/// Retained size as a part of the reachable heap.
pub const SHARE_OF_RETAINED: Heading =
    heading("share", "Share", "Retained size as a percentage of all reachable bytes");

/// Shallow size as a part of the reachable heap.
pub const SHARE_OF_SHALLOW: Heading = heading("share", "Share", "Shallow size as a percentage of all reachable bytes");

/// Number of dominated objects.
pub const DOMINATED: Heading = heading(
    "dominated",
    "Dominated",
    "Objects that would be freed together with this one: those it dominates, at all levels",
);

/// Owner of an object.
pub const OWNER: Heading =
    heading("owner", "Owner", "Nearest application object or field that holds the object: class and field");

/// Short name of an object.
pub const SHORT_NAME: Heading = heading(
    "short_name",
    "Name",
    "Field or variable in the source that holds the object: the text to search for, in every view and dump the same",
);

/// What a row of the tree leads with.
pub const LEAD: Heading = heading(
    "lead",
    "Lead",
    "Text that the row leads with in the tree, and its cell in the chart: the name, or the field or index from the row above",
);

/// Name of an object that does not contain its address.
pub const NAME: Heading =
    heading("name", "Name", "Name built from fields and keys that identifies the object without its address");

/// Class loader in a comparison.
pub const LOADER: Heading =
    heading("loader", "Loader", "Class of the class loader that defined the class; empty for bootstrap classes");

/// Class loader of a class of which there are several.
pub const LOADER_OF_NAMESAKE: Heading =
    heading("loader", "Loader", "Class of the class loader, of classes whose name another class loader has, too")
        .when(Condition::Namesakes);

/// Its address or id.
pub const LOADER_ID: Heading =
    heading("loader_id", "Loader id", "Address or id of that class loader").when(Condition::Namesakes);

/// Level in a tree.
pub const DEPTH: Heading = heading("depth", "Depth", "Level in the tree, counted from 0 at the top");

/// Age in words. With [`OLDER_FROM`] and [`OLDER_TO`], which only files have.
pub(crate) const AGE: Heading =
    heading("age", "Age", "Place among all objects by time of allocation, as far as the dump tells it")
        .when(Condition::Ages);
/// Lower end of the interval of ages.
pub(crate) const OLDER_FROM: Heading = heading(
    "older_from",
    "Older, at least",
    "Part of all objects that were allocated before it for certain; empty if its age is not known",
)
.when(Condition::Ages)
.in_text(TextPlace::Omitted);
/// Upper end of the interval of ages.
pub(crate) const OLDER_TO: Heading =
    heading("older_to", "Older, at most", "The same, with those that may have been allocated before it")
        .when(Condition::Ages)
        .in_text(TextPlace::Omitted);
