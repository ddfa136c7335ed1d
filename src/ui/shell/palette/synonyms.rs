//! Names that other tools give to the actions of heaplens, so that the palette finds them: Eclipse Memory Analyzer (MAT),
//! Chrome DevTools, VisualVM, YourKit, LeakCanary, Android Studio, Perfetto and IBM HeapAnalyzer.

use crate::ui::Verb;
use heaplens_tables::search::matching::{Fit, Matcher, Tier, mask};

/// Synonyms by action, in lower case but for acronyms and product names.
pub const SYNONYMS: &[(Verb, &[&str])] = &[
    (Verb::TakeDump, &["acquire heap dump", "take heap snapshot", "capture heap dump", "jmap", "running processes"]),
    (Verb::Back, &["navigation history", "undo navigation"]),
    (Verb::CopyRows, &["copy to clipboard"]),
    (Verb::ViewList, &["sidebar", "navigation pane"]),
    (Verb::MoreViews, &["all views"]),
    (Verb::RunQuery, &["execute query", "run SQL", "run OQL"]),
    (Verb::OpenInNewTab, &["duplicate tab"]),
    (Verb::ReopenTab, &["undo close tab"]),
    (
        Verb::Open,
        &["load heap dump", "import heap dump", "open snapshot", "comparison with another dump", "load profile"],
    ),
    (Verb::OpenFolder, &["open fleet", "fleet of digests", "open directory"]),
    (Verb::OpenLast, &["restore session", "recent dumps"]),
    (Verb::UseMapping, &["deobfuscate", "ProGuard", "R8", "retrace", "source map", "bundle"]),
    (Verb::ReadRecord, &["smaps", "NMT", "native memory tracking", "pmap", "hs_err", "RSS", "OOMKilled", "kubectl"]),
    (Verb::ReadReport, &["KOOM"]),
    (Verb::Compare, &["diff", "compare to baseline", "swap before and after"]),
    (Verb::CompareWith, &["compare to another heap dump", "compare basket", "comparison", "diff"]),
    (Verb::ExportTable, &["save as CSV", "export to CSV", "save as JSON", "CSV", "JSON", "spreadsheet"]),
    (Verb::ExportReport, &["export overview", "HTML report", "Markdown report", "save report", "HTML", "Markdown"]),
    (Verb::ShareWithAssistant, &["MCP", "Model Context Protocol", "AI", "agent"]),
    (Verb::StopExport, &["stop exporting"]),
    (Verb::MemoryAll, &["heap limit", "Xmx"]),
    (Verb::ForgetStored, &["delete index files", "clear cache"]),
    (Verb::Quit, &["exit"]),
    (Verb::CopyPath, &["copy reference chain", "copy retaining path"]),
    (Verb::CopyId, &["copy address"]),
    (Verb::CopyLink, &["share", "permalink", "deep link", "copy URL"]),
    (Verb::CopyTrace, &["leak trace", "LeakCanary leak trace"]),
    (Verb::CopyReport, &["heap analysis", "LeakCanary heap analysis"]),
    (Verb::Redact, &["anonymize", "hide values", "sanitize", "privacy"]),
    (Verb::Filter, &["regex filter", "class filter", "search rows", "group filter"]),
    (Verb::Find, &["search in table"]),
    (Verb::Star, &["bookmark", "mark object"]),
    (Verb::Note, &["annotate", "comment"]),
    (
        Verb::CutReference,
        &["what-if", "cut reference", "exclude reference", "simulate fix", "ignore this retainer", "cut"],
    ),
    (Verb::CutField, &["cut field", "exclude field", "what-if field"]),
    (Verb::CutSmallest, &["minimum cut", "smallest cut", "free this object"]),
    (Verb::BeforeAfter, &["what-if", "after the fix", "heap after cuts"]),
    (Verb::CopyCuts, &["copy cuts", "copy what-if"]),
    (Verb::ListCuts, &["cuts", "what-if list", "ignored retainers", "what-if"]),
    (Verb::SaveFix, &["save removals", "export cuts"]),
    (Verb::ApplyFix, &["load removals", "import cuts"]),
    (
        Verb::Undo,
        &[
            "undo removal",
            "undo cut",
            "undo verdict",
            "undo star",
            "undo note",
            "undo closed tab",
            "cuts",
            "undo cuts",
            "restore ignored retainers",
            "restore reference",
        ],
    ),
    (Verb::Redo, &["redo removal", "redo cut", "redo cuts"]),
    (Verb::Verdict, &["ignore leak", "suppress leak", "known leak", "false positive", "mark as expected"]),
    (Verb::Verdicts, &["ignored leaks", "suppressed leaks", "known leaks"]),
    (Verb::GrewEveryTime, &["monotonic growth", "steady growth"]),
    (Verb::ShowInTree, &["reveal in summary view", "dominators of this object", "show object in tree"]),
    (Verb::CopyName, &["copy class name"]),
    (
        Verb::PathsStrong,
        &["merge shortest paths to GC roots", "exclude weak references", "exclude weak/soft references"],
    ),
    (Verb::PathsAll, &["paths with all references", "with all references"]),
    (Verb::RetainedClasses, &["show retained set", "minimum retained set", "customized retained set", "retained set"]),
    (Verb::ImmediateDominators, &["immediate dominators of class", "dominators of objects"]),
    (
        Verb::ReferrersByClass,
        &["with incoming references", "show objects by class by incoming references", "retainers by class"],
    ),
    (Verb::ReferencesByClass, &["with outgoing references", "show objects by class by outgoing references"]),
    (Verb::AccumulationPoint, &["big drops", "big drops in dominator tree"]),
    (Verb::AllObjects, &["objects of all classes", "objects of all constructors", "biggest instances"]),
    (Verb::ObjectsOfClass, &["instances of class", "show instances", "list objects", "instances view", "instances"]),
    (
        Verb::Incoming,
        &[
            "with incoming references",
            "inbound references",
            "referrers",
            "referers",
            "retainers",
            "referenced by",
            "incoming",
            "what refers to this",
        ],
    ),
    (Verb::Outgoing, &["with outgoing references", "outbound references", "references", "fields", "outgoing"]),
    (Verb::MorePaths, &["all paths to GC roots", "alternative paths", "next retainer"]),
    (Verb::Picture, &["treemap", "icicle", "sunburst", "flame graph", "flamegraph", "pie chart", "statistics"]),
    (Verb::ShowAsQuery, &["as SQL", "edit as SQL"]),
    (Verb::ExactSizes, &["bytes display", "units"]),
    (
        Verb::RetainedSet,
        &[
            "show retained set",
            "customized retained set",
            "calculate precise retained size",
            "retained together",
            "retained set",
        ],
    ),
    (Verb::KeepUnreachable, &["unreachable objects", "garbage objects", "unreachable objects histogram"]),
    (Verb::IgnoreVmRoots, &["app heap", "zygote heap", "image heap"]),
    (Verb::OwnerRules, &["owner rules", "view hierarchy", "Shark Explorer"]),
    (Verb::RuntimeClasses, &["system classes", "framework classes", "excluded packages", "keywords"]),
    (
        Verb::PathPane,
        &[
            "path to GC roots",
            "nearest GC root",
            "reference chain",
            "retaining path",
            "held by",
            "why is it alive",
            "why is this object alive",
            "retainers pane",
            "show retaining path",
            "path to root",
        ],
    ),
    (Verb::InspectorPane, &["object inspector", "attributes", "statics", "details", "properties"]),
    (Verb::ZoomIn, &["font size"]),
    (Verb::ThemeDark, &["dark mode"]),
    (Verb::ThemeLight, &["light mode"]),
    (Verb::ThemeSystem, &["appearance"]),
    (Verb::Help, &["keymap", "key bindings", "hotkeys", "keys", "shortcuts of this view"]),
    (Verb::Glossary, &["terms", "definitions"]),
    (Verb::Manual, &["documentation", "help contents", "user guide"]),
];

/// Synonyms of an action; those of views are in the list of views.
pub fn of(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Show(view) => view.info().synonyms,
        _ => SYNONYMS.iter().find(|(of, _)| *of == verb).map_or(&[], |(_, synonyms)| synonyms),
    }
}

/// Best synonym of `verb` for the text of `matcher`, and its rank: always a little worse than an equal name. Synonyms
/// that contain the text only inside a word, or only its letters, do not count. Words may be in any order.
pub fn find(verb: Verb, matcher: &mut Matcher) -> Option<(Fit, &'static str)> {
    let mut best: Option<(Fit, &'static str)> = None;
    for &synonym in of(verb) {
        if !matcher.may_fit(mask(synonym)) {
            continue;
        }
        let is_of_words = |fit: &Fit| fit.tier < Tier::Inside || *fit == Fit { tier: Tier::AnyOrder, skipped: 0 };
        let Some(Fit { tier, skipped }) = matcher.fit(synonym, 0).filter(is_of_words) else { continue };
        let fit = Fit { tier, skipped: skipped.saturating_add(1) };
        if best.is_none_or(|(known, _)| fit < known) {
            best = Some((fit, synonym));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::verb::TABLE;
    use crate::view::View;

    /// Actions with a synonym for `typed`, best first.
    fn matching(typed: &str) -> Vec<(Verb, &'static str)> {
        let mut matcher = Matcher::new(typed);
        let fits = TABLE.iter().filter_map(|entry| Some((entry.verb, find(entry.verb, &mut matcher)?)));
        let mut fits: Vec<_> = fits.collect();
        fits.sort_by_key(|(_, (fit, _))| *fit);
        fits.into_iter().map(|(verb, (_, synonym))| (verb, synonym)).collect()
    }

    #[test]
    fn words_of_other_tools_lead_to_actions() {
        for (typed, verb, synonym) in [
            ("leak suspects", Verb::Show(View::Leaks), "leak suspects"),
            ("leak susp", Verb::Show(View::Leaks), "leak suspects"),
            ("oql", Verb::Show(View::Query), "OQL"),
            ("duplicate classes", Verb::Show(View::Loaders), "duplicate classes"),
            ("duplicated str", Verb::Show(View::Strings), "duplicated strings"),
            ("retainers", Verb::Incoming, "retainers"),
            ("flamegraph", Verb::Picture, "flamegraph"),
            ("nearest gc root", Verb::PathPane, "nearest GC root"),
            ("merge shortest", Verb::Show(View::Paths), "merge shortest paths to GC roots"),
            ("leak trace", Verb::CopyTrace, "leak trace"),
            ("top consumers", Verb::Show(View::Dominators), "top consumers"),
            ("detached elements", Verb::Show(View::Detached), "detached elements"),
        ] {
            assert_eq!(matching(typed).first(), Some(&(verb, synonym)), "{typed}");
        }
        let duplicates: Vec<Verb> = matching("duplicate").into_iter().map(|(verb, _)| verb).collect();
        for verb in
            [Verb::Show(View::Loaders), Verb::Show(View::Strings), Verb::Show(View::Bitmaps), Verb::Show(View::Waste)]
        {
            assert!(duplicates.contains(&verb), "{verb:?}");
        }
        assert!(matching("HashMap").is_empty() && matching("").is_empty());
    }

    #[test]
    fn a_synonym_ranks_below_an_equal_name() {
        let mut matcher = Matcher::new("glossary");
        let named = matcher.fit("Glossary", 0).expect("it is the name");
        let (synonym, _) = find(Verb::Glossary, &mut Matcher::new("terms")).expect("it is a synonym");
        assert!(named < synonym && synonym.tier == Tier::Exact);
    }

    #[test]
    fn each_action_has_one_list_and_no_synonym_repeats_a_name() {
        for (at, (verb, synonyms)) in SYNONYMS.iter().enumerate() {
            assert!(!SYNONYMS[..at].iter().any(|(known, _)| known == verb), "{verb:?} is listed twice");
            assert!(!synonyms.is_empty() && of(*verb) == *synonyms, "{verb:?}");
        }
        for synonyms in TABLE.iter().map(|entry| of(entry.verb)) {
            for (n, synonym) in synonyms.iter().enumerate() {
                assert!(!synonyms[..n].contains(synonym), "{synonym} is listed twice");
                let is_name = TABLE.iter().any(|entry| entry.name.eq_ignore_ascii_case(synonym));
                assert!(!is_name, "{synonym} is the name of an action");
                assert_eq!(synonym.trim(), *synonym);
            }
        }
    }
}
