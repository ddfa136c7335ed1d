//! Lines of a path: the root, the steps, and one expandable line for each chain. A path may have millions of steps,
//! so lines are counted by ranges.

use heaplens_analysis::paths::chains::Chain;

/// Contents of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// GC root of the first step.
    Root,
    /// A step, by index.
    Step(usize),
    /// A chain, by index; its steps follow if it is expanded.
    Chain(usize),
}

/// A range of lines.
struct Stretch {
    /// Its first line.
    line: u64,
    /// Index of the chain it begins with, if any.
    chain: Option<usize>,
    /// Steps that follow, one per line.
    steps: std::ops::Range<usize>,
}

/// All lines.
#[derive(Default)]
pub struct Lines {
    stretches: Vec<Stretch>,
    open: Vec<bool>,
    count: u64,
}

impl Lines {
    /// Lines of a path of `steps` steps, all chains collapsed.
    pub fn new(steps: usize, chains: &[Chain]) -> Self {
        let mut lines = Self { open: vec![false; chains.len()], ..Self::default() };
        lines.lay_out(steps, chains);
        lines
    }

    fn lay_out(&mut self, steps: usize, chains: &[Chain]) {
        self.stretches.clear();
        let (mut line, mut at) = (1, 0);
        for (number, chain) in chains.iter().enumerate() {
            self.stretches.push(Stretch { line, chain: None, steps: at..chain.first });
            line += (chain.first - at) as u64;
            at = chain.first + chain.steps;
            let shown = chain.first..if self.open[number] { at } else { chain.first };
            self.stretches.push(Stretch { line, chain: Some(number), steps: shown.clone() });
            line += 1 + shown.len() as u64;
        }
        self.stretches.push(Stretch { line, chain: None, steps: at..steps });
        self.count = line + (steps - at) as u64;
    }

    /// Number of lines.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Contents of a line.
    pub fn at(&self, line: u64) -> Line {
        let after = self.stretches.partition_point(|stretch| stretch.line <= line);
        let Some(stretch) = after.checked_sub(1).and_then(|at| self.stretches.get(at)) else { return Line::Root };
        let inside = (line - stretch.line) as usize;
        match stretch.chain {
            Some(chain) if inside == 0 => Line::Chain(chain),
            Some(_) => Line::Step(stretch.steps.start + inside - 1),
            None => Line::Step(stretch.steps.start + inside),
        }
    }

    /// Line of a step; for a step in a collapsed chain, the line of the chain.
    pub fn of_step(&self, step: usize) -> u64 {
        let inside = |s: &&Stretch| s.steps.contains(&step);
        match self.stretches.iter().find(inside) {
            Some(stretch) => stretch.line + u64::from(stretch.chain.is_some()) + (step - stretch.steps.start) as u64,
            None => {
                self.stretches.iter().rev().find(|s| s.chain.is_some() && s.steps.start <= step).map_or(0, |s| s.line)
            }
        }
    }

    /// True if a chain is expanded.
    pub fn is_open(&self, chain: usize) -> bool {
        self.open.get(chain) == Some(&true)
    }

    /// Expands or collapses a chain.
    pub fn toggle(&mut self, chain: usize, steps: usize, chains: &[Chain]) {
        if let Some(open) = self.open.get_mut(chain) {
            *open = !*open;
            self.lay_out(steps, chains);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_one_line_until_expanded() {
        let chain = |first, steps| Chain { first, steps, field: "next".to_owned() };
        let chains = [chain(2, 4_999_996), chain(4_999_999, 5)];
        let steps = 5_000_010;
        let mut lines = Lines::new(steps, &chains);
        let head = [Line::Root, Line::Step(0), Line::Step(1), Line::Chain(0), Line::Step(4_999_998), Line::Chain(1)];
        assert_eq!((0..6).map(|line| lines.at(line)).collect::<Vec<_>>(), head);
        assert_eq!(lines.at(lines.count() - 1), Line::Step(steps - 1));
        assert_eq!(lines.count(), 12);
        lines.toggle(0, steps, &chains);
        assert_eq!(lines.count(), 12 + 4_999_996);
        assert_eq!((lines.at(3), lines.at(4)), (Line::Chain(0), Line::Step(2)));
        for step in [0, 1, 2, 3, 4_999_997, 4_999_998, steps - 1] {
            assert_eq!(lines.at(lines.of_step(step)), Line::Step(step));
        }
        assert_eq!(lines.at(lines.of_step(5_000_001)), Line::Chain(1));
    }
}
