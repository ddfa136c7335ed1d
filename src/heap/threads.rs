//! Threads and their stacks, as a dump tells of them.

use super::ids::ObjectId;
use super::roots::RootKind;

/// A thread that the file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackOwner {
    /// The number by which the file names it.
    pub serial: u32,
    /// Its object, if that is in the heap.
    pub object: Option<ObjectId>,
    /// Whether it was throwing an `OutOfMemoryError` when the dump was taken.
    pub out_of_memory: bool,
}

/// The stack of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stack {
    /// Innermost first.
    pub frames: Vec<StackFrame>,
    /// What the thread holds outside every frame: locals of native code before its first frame, what it waits for.
    pub outside: Vec<StackLocal>,
}

/// A frame of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// As a Java stack trace writes it: `shop.Cart.add(Cart.java:17)`.
    pub text: String,
    /// `shop.Cart.add`
    pub method: String,
    /// What its local variables hold.
    pub locals: Vec<StackLocal>,
}

/// An object that a stack holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StackLocal {
    /// The object.
    pub object: ObjectId,
    /// By what: a local variable of Java or of native code.
    pub kind: RootKind,
}
