//! Kinds of rows: what a column reads its values from.

use std::marker::PhantomData;

use heaplens_heap::ObjectId;

/// Kind of rows: their type as long as the table is borrowed.
pub trait Record: 'static {
    /// A row.
    type Row<'a>: Copy;
}

/// Rows that are items of a list.
pub struct Item<R>(PhantomData<R>);

impl<R: 'static> Record for Item<R> {
    type Row<'a> = &'a R;
}

/// Rows that are items, read with a part of their table.
impl<T: 'static, R: 'static> Record for (T, R) {
    type Row<'a> = (&'a T, &'a R);
}

/// Rows that are objects.
impl Record for ObjectId {
    type Row<'a> = Self;
}
