//! Nested JSON rows, written during the walk: a tree may have five
//! million levels, so only the depth of the previous row is stored.

use std::io::{self, Write};

/// JSON writer for a tree in preorder.
pub struct NestedWriter {
    /// Maximum number of levels; rows of the lowest have no list of children.
    levels: usize,
    /// Depth of the previous row.
    before: Option<usize>,
}

impl NestedWriter {
    /// A writer with a maximum number of levels.
    pub fn new(levels: usize) -> Self {
        Self { levels, before: None }
    }

    /// Closes the rows that a row at `depth` is not below, and opens it with `row`, a JSON object whose closing
    /// brace is omitted.
    pub fn row(&mut self, depth: usize, row: &[u8], out: &mut dyn Write) -> io::Result<()> {
        if let Some(before) = self.before {
            self.close(depth..=before, out)?;
            if depth <= before {
                out.write_all(b",")?;
            }
        }
        out.write_all(row)?;
        if self.has_children(depth) {
            out.write_all(b",\"children\":[")?;
        }
        self.before = Some(depth);
        Ok(())
    }

    /// Closes all rows.
    pub fn end(mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.before.take() {
            Some(before) => self.close(0..=before, out),
            None => Ok(()),
        }
    }

    fn has_children(&self, depth: usize) -> bool {
        depth + 1 < self.levels
    }

    fn close(&self, depths: std::ops::RangeInclusive<usize>, out: &mut dyn Write) -> io::Result<()> {
        depths.rev().try_for_each(|depth| out.write_all(if self.has_children(depth) { b"]}" } else { b"}" }))
    }
}

/// A JSON object without its closing brace, so that children can follow.
///
/// # Errors
/// If it cannot be serialized.
pub fn opened(row: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(row)?;
    text.pop_if(|last| *last == b'}');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(levels: usize, depths: &[usize]) -> String {
        let (mut nested, mut out) = (NestedWriter::new(levels), Vec::new());
        for &depth in depths {
            nested.row(depth, b"{\"a\":1", &mut out).expect("a vector takes all");
        }
        nested.end(&mut out).expect("a vector takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn rows_nest_below_their_parent() {
        assert_eq!(written(1, &[]), "");
        assert_eq!(written(1, &[0, 0]), "{\"a\":1},{\"a\":1}");
        let deep = "{\"a\":1,\"children\":[{\"a\":1,\"children\":[{\"a\":1}]},{\"a\":1,\"children\":[]}]},{\"a\":1,\"children\":[]}";
        assert_eq!(written(3, &[0, 1, 2, 1, 0]), deep);
    }
}
