//! Malformed dumps, with a global allocator that counts: no input may cause a panic or a large allocation.

mod malformed;
