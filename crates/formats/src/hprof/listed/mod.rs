//! Collections of libraries, read by the rules of a list ([`heaplens_heap::collection_list`]): number of entries, and a
//! walk over them. As for the Java library, nothing here trusts the dump: fields may be missing, chains cyclic, sizes
//! any number.

mod object;
mod on_path;
mod paths;
mod size;
mod trie;
mod walks;

pub(super) use self::object::Listed;
pub(super) use self::on_path::entry_on_path;
pub(super) use self::size::recorded_size;
pub(super) use self::walks::walk;
