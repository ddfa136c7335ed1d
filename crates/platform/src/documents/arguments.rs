//! Linux and Windows: requests are arguments of another start.

use std::sync::mpsc::Sender;

use super::request::DocumentRequest;

pub(super) fn expect(_requests: Sender<DocumentRequest>) {}
