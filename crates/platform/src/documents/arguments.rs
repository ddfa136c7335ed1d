//! Linux and Windows: requests are arguments of another start.

use std::sync::mpsc::Receiver;

use super::request::DocumentRequest;

pub(super) fn expect() -> Option<Receiver<DocumentRequest>> {
    None
}
