//! Serialized form of long lists of numbers: their bytes as in memory. Only for files that no other machine reads.
//!
//! For fields of derived types: `#[serde(with = "heaplens_base::storage::raw_values")]`.

use bytemuck::Pod;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes the values as bytes.
///
/// # Errors
/// Those of the format.
pub fn serialize<T: Pod, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytemuck::cast_slice(values))
}

/// Reads values from bytes.
///
/// # Errors
/// If the bytes are not a whole number of values, or the format cannot lend bytes.
pub fn deserialize<'de, T: Pod, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let bytes = <&[u8]>::deserialize(deserializer)?;
    if !bytes.len().is_multiple_of(size_of::<T>()) {
        return Err(D::Error::custom("part of a number is missing"));
    }
    let mut values = vec![T::zeroed(); bytes.len() / size_of::<T>()];
    bytemuck::cast_slice_mut(&mut values).copy_from_slice(bytes);
    Ok(values)
}
