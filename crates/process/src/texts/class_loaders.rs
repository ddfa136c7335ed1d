//! Metadata of classes by loader, as `jcmd PID VM.classloader_stats` prints it; also in the middle of a log.

use std::collections::BTreeMap;

use crate::jvm::LoaderMetadata;

/// Words of the head of the table.
const HEAD: [&str; 7] = ["ClassLoader", "Parent", "CLD*", "Classes", "ChunkSz", "BlockSz", "Type"];
/// Class of the bootstrap loader in it.
const BOOTSTRAP: &str = "<boot class loader>";
/// Maximum number of classes of loaders.
const CLASSES: usize = 1_000;

/// Loaders by class, those with the most metadata first; empty if a text has no such table.
pub fn class_loaders(text: &str) -> Vec<LoaderMetadata> {
    let mut lines = text.lines().skip_while(|line| !line.split_whitespace().eq(HEAD));
    lines.next();
    let mut by_class: BTreeMap<String, LoaderMetadata> = BTreeMap::new();
    let mut last = String::new();
    for line in lines {
        let Some(row) = loader(line).or_else(|| hidden_classes(line, &last)) else { break };
        last.clone_from(&row.class);
        let sum = by_class.entry(row.class.clone()).or_default();
        *sum = LoaderMetadata {
            class: row.class,
            loaders: sum.loaders.saturating_add(row.loaders),
            classes: sum.classes.saturating_add(row.classes),
            size: sum.size.saturating_add(row.size),
        };
    }
    let mut loaders: Vec<LoaderMetadata> = by_class.into_values().collect();
    loaders.sort_by_key(|row| std::cmp::Reverse(row.size));
    loaders.truncate(CLASSES);
    loaders
}

/// `0x00007f2770001000  0x00007f276f07af08  0x00007f27e423dde0  12  28160  27107  plugins.PluginLoader`
fn loader(line: &str) -> Option<LoaderMetadata> {
    let mut words = line.split_whitespace();
    for _ in 0..3 {
        words.next().filter(|word| word.starts_with("0x"))?;
    }
    let (classes, size) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let _: u64 = words.next()?.parse().ok()?;
    let class = words.collect::<Vec<_>>().join(" ");
    let class = if class == BOOTSTRAP { String::new() } else { class };
    Some(LoaderMetadata { class, loaders: 1, classes, size })
}

/// `16  6400  4550   + hidden classes`, below the loader that they are of.
fn hidden_classes(line: &str, loader: &str) -> Option<LoaderMetadata> {
    let mut words = line.split_whitespace();
    let (classes, size) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.nth(1).filter(|word| *word == "+")?;
    Some(LoaderMetadata { class: loader.to_owned(), loaders: 0, classes, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
23540:
ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type
0x00007f2770001000  0x00007f276f07af08  0x00007f27e423dde0      12     28160     27107  plugins.PluginLoader
0x00007f2770001000  0x00007f276f07af08  0x00007f27e430a600      13     28161     27212  plugins.PluginLoader
0x0000000000000000  0x0000000000000000  0x00007f27e417cfc0     672    557056    113035  <boot class loader>
                                                                16      6400      4550   + hidden classes
Total = 153                                                   2494   4790144   4194440
ChunkSz: Total size of all allocated metaspace chunks
";

    #[test]
    fn loaders_of_one_class_are_summed_with_their_hidden_classes() {
        let row =
            |class: &str, loaders, classes, size| LoaderMetadata { class: class.to_owned(), loaders, classes, size };
        assert_eq!(class_loaders(TEXT), [row("", 1, 688, 563_456), row("plugins.PluginLoader", 2, 25, 56_321)]);
        assert_eq!(class_loaders("no table"), []);
    }

    #[test]
    fn a_text_that_is_cut_off_anywhere_gives_what_is_there() {
        for end in 0..TEXT.len() {
            assert!(class_loaders(&TEXT[..end]).len() <= 2);
        }
    }
}
