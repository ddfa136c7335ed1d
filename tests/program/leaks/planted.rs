//! Leaks planted by the programs of `fixtures/leaks/`, read from the truth files beside the dumps, and matched with
//! findings of `heaplens leaks --format json`. Shared by the test of the committed dumps and the benchmark of all of
//! them.

use serde_json::Value;

/// The truth of one dump.
pub(crate) struct Planted {
    /// Kind of leak, in words.
    pub(crate) kind: String,
    /// Bytes by which the heap has grown, measured by the program.
    pub(crate) bytes: u64,
    /// The largest of the harmless tables, and its bytes.
    pub(crate) harmless: (String, u64),
    /// Names of the holders; with more than one, each holds it alone.
    holders: Vec<String>,
    /// Possible cuts, the best first: the references to cut for each.
    cuts: Vec<Vec<String>>,
}

impl Planted {
    /// Reads a truth file: lines `TRUTH stage what = value`.
    pub(crate) fn read(text: &str) -> Self {
        let facts: Vec<(&str, &str)> =
            text.lines().filter_map(|line| line.strip_prefix("TRUTH ")?.split_once(' ')?.1.split_once(" = ")).collect();
        let one = |what: &str| facts.iter().find(|(name, _)| *name == what).map_or("", |(_, value)| value);
        let parts = |text: &str| text.split(" + ").map(str::to_owned).collect::<Vec<_>>();
        let harmless = facts
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix("harmless ")?.to_owned(), value.parse::<u64>().ok()?)));
        Self {
            kind: one("kind").to_owned(),
            bytes: one("planted bytes").parse().expect("the planted bytes"),
            harmless: harmless.max_by_key(|(_, bytes)| *bytes).expect("harmless tables"),
            holders: parts(one("holder")),
            cuts: facts
                .iter()
                .filter(|(name, _)| *name == "cut" || *name == "cut as good")
                .map(|(_, cut)| parts(cut))
                .collect(),
        }
    }

    /// True if a finding reports the planted leak, or most of it: it names the holder or a part of it, or proposes the
    /// expected cuts.
    pub(crate) fn is(&self, finding: &Value) -> bool {
        let named = self.holders.iter().any(|holder| names(finding).iter().any(|name| below(holder, name)));
        let most = finding["bytes"].as_u64().unwrap_or(0).max(freed(finding)) * 2 >= self.bytes;
        most && (named || self.knows_cut_of(finding))
    }

    /// True if the finding proposes the expected cuts.
    pub(crate) fn knows_cut_of(&self, finding: &Value) -> bool {
        let proposed = cuts(finding);
        self.cuts.iter().any(|cut| cut.iter().all(|part| proposed.iter().any(|name| self.is_reference(part, name))))
    }

    /// True if `name` denotes the reference of the truth, by its own name or by its path from the holder.
    fn is_reference(&self, reference: &str, name: &str) -> bool {
        let field = reference.rfind('.').map_or(reference, |at| &reference[at..]);
        matches_pattern(reference, name)
            || (name.ends_with(field) && self.holders.iter().any(|holder| below(holder, name)))
    }

    /// True if the finding's cuts free the planted bytes, and little else.
    pub(crate) fn is_cut_off_by(&self, finding: &Value) -> bool {
        // The leak retains more than was planted: tables grow in steps, and the first request loads classes.
        const SLACK: u64 = 20_000;
        let freed = freed(finding);
        (freed + SLACK) * 10 >= self.bytes * 9 && freed * 100 <= (self.bytes + SLACK) * 115
    }

    /// Rank of the planted leak among the findings, from 1.
    pub(crate) fn rank(&self, findings: &[Value]) -> Option<usize> {
        findings.iter().position(|finding| self.is(finding)).map(|at| at + 1)
    }
}

/// Number of bytes that the finding's cuts free.
pub(crate) fn freed(finding: &Value) -> u64 {
    finding["frees"].as_u64().unwrap_or(0)
}

/// Names of the references that the finding proposes to cut.
pub(crate) fn cuts(finding: &Value) -> Vec<&str> {
    finding["cut"].as_array().into_iter().flatten().filter_map(|cut| cut["name"].as_str()).collect()
}

/// All address-free names in a finding: proposed cuts and the holder.
pub(crate) fn names(finding: &Value) -> Vec<&str> {
    let mut names = cuts(finding);
    names.extend(["holder", "accumulation"].iter().filter_map(|index| finding[index]["name"].as_str()));
    names
}

/// True if `name` is the holder's, or extends it by a field, an index or a key.
fn below(holder: &str, name: &str) -> bool {
    let ends = name.match_indices(['.', '[', ' ']).map(|(at, _)| at).chain([name.len()]);
    ends.into_iter().any(|end| matches_pattern(holder, &name[..end]))
}

/// True if a name matches the one of the truth, in which `*` matches any text.
fn matches_pattern(truth: &str, name: &str) -> bool {
    match truth.split_once('*') {
        None => truth == name,
        Some((before, after)) => {
            name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
        }
    }
}
