//! Batches: arrays of messages, whose answers are one array. Only version 2025-03-26 of the protocol has them.

use rmcp::model::{ProtocolVersion, RequestId};

/// Batches of a client that are not answered completely.
#[derive(Default)]
pub(crate) struct Batches {
    /// Version of the protocol that client and server agreed on.
    version: Option<ProtocolVersion>,
    open: Vec<Batch>,
}

struct Batch {
    /// Requests without an answer.
    pending: Vec<RequestId>,
    /// Answers as JSON.
    answers: Vec<Vec<u8>>,
}

impl Batches {
    /// Notes the version that client and server agreed on.
    pub(crate) fn agree(&mut self, version: &ProtocolVersion) {
        self.version = Some(version.clone());
    }

    /// True if the client may send batches.
    pub(crate) fn are_allowed(&self) -> bool {
        self.version == Some(ProtocolVersion::V_2025_03_26)
    }

    /// Begins a batch of these requests; `answers` are those of messages that were none. Returns its answer if it has no
    /// request.
    pub(crate) fn begin(&mut self, pending: Vec<RequestId>, answers: Vec<Vec<u8>>) -> Option<Vec<u8>> {
        self.open.push(Batch { pending, answers });
        self.finish(self.open.len() - 1)
    }

    /// Takes the answer to a request. Returns what is to be written: the answer, or those of its batch if it is the last.
    pub(crate) fn answer(&mut self, id: &RequestId, answer: Vec<u8>) -> Option<Vec<u8>> {
        let Some(at) = self.open.iter().position(|batch| batch.pending.contains(id)) else { return Some(answer) };
        self.open[at].answers.push(answer);
        self.settle(at, id)
    }

    /// Notes that a request was cancelled: it is not answered. Returns the answers of its batch if it was the last.
    pub(crate) fn cancel(&mut self, id: &RequestId) -> Option<Vec<u8>> {
        let at = self.open.iter().position(|batch| batch.pending.contains(id))?;
        self.settle(at, id)
    }

    fn settle(&mut self, at: usize, id: &RequestId) -> Option<Vec<u8>> {
        let pending = &mut self.open[at].pending;
        if let Some(first) = pending.iter().position(|other| other == id) {
            pending.swap_remove(first);
        }
        self.finish(at)
    }

    /// The answers of a batch that has no request left, as an array; `None` also if it had only notifications.
    fn finish(&mut self, at: usize) -> Option<Vec<u8>> {
        let is_done = self.open[at].pending.is_empty();
        let answers = is_done.then(|| self.open.swap_remove(at).answers).filter(|answers| !answers.is_empty())?;
        Some([b"[", &*answers.join(&b','), b"]"].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_answered_at_once_when_its_last_request_is() {
        let mut batches = Batches::default();
        assert!(!batches.are_allowed());
        batches.agree(&ProtocolVersion::V_2025_06_18);
        assert!(!batches.are_allowed());
        batches.agree(&ProtocolVersion::V_2025_03_26);
        assert!(batches.are_allowed());
        let [one, two, three] = [1, 2, 3].map(RequestId::Number);
        assert_eq!(batches.begin(vec![one.clone(), two.clone()], vec![b"x".to_vec()]), None);
        assert_eq!(batches.answer(&three, b"3".to_vec()), Some(b"3".to_vec()), "of no batch");
        assert_eq!(batches.answer(&two, b"2".to_vec()), None);
        assert_eq!(batches.answer(&one, b"1".to_vec()), Some(b"[x,2,1]".to_vec()));
        assert_eq!(batches.begin(Vec::new(), Vec::new()), None, "notifications");
        assert_eq!(batches.begin(vec![one.clone(), two.clone()], Vec::new()), None);
        assert_eq!(batches.answer(&one, b"1".to_vec()), None);
        assert_eq!(batches.cancel(&two), Some(b"[1]".to_vec()));
        assert_eq!(batches.begin(vec![one.clone()], Vec::new()), None);
        assert_eq!(batches.cancel(&one), None, "nothing to answer");
        assert!(batches.open.is_empty());
    }
}
