//! The source maps of a snapshot.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::candidates::{Candidate, read};
use super::given::Search;
use super::locations::{MapLocations, script_file};
use heaplens_base::Count;
use heaplens_formats::source_map::Bundle;
use heaplens_heap::{Contents, ImportNote, ScriptPosition, ScriptSources, Severity, SourceLocation, SourceVariable};

/// Size of all maps and scripts in bytes that are read at most.
const ALL: u64 = 1 << 29;

/// Scripts of a snapshot with their source maps.
#[derive(Default)]
pub struct SourceMaps {
    /// By number of the script.
    bundles: BTreeMap<u32, Arc<Bundle>>,
    /// Files of the maps, in order.
    pub files: Vec<PathBuf>,
    /// Number of scripts with a map of the user's.
    pub given: u64,
    /// Number of all scripts that have a file.
    pub all: u64,
    /// Reasons why a map was not used.
    pub refused: Vec<String>,
    /// Names of scripts that seem to be bundles and have no map.
    pub missing: Vec<String>,
    /// Hash of what was read: other maps give other names.
    pub key: u64,
}

impl SourceMaps {
    /// Finds and reads the maps of the scripts of a snapshot.
    pub fn find(contents: &dyn Contents, search: Search<'_>) -> Self {
        let mut scripts = contents.scripts();
        scripts.retain(|(_, name)| script_file(name).is_some());
        scripts.sort();
        let mut names: HashMap<&str, u32> = HashMap::new();
        for (_, name) in &scripts {
            *names.entry(script_file(name).unwrap_or_default()).or_default() += 1;
        }
        let mut positions = contents.function_positions();
        positions.sort_unstable();
        let locations = MapLocations::of(search, &names);
        let (mut hasher, mut left) = (DefaultHasher::new(), ALL);
        let mut maps = Self { all: scripts.len() as u64, ..Self::default() };
        for (script, name) in &scripts {
            let is_only = script_file(name).is_some_and(|file| names.get(file) == Some(&1));
            let positions = of_script(&positions, *script);
            let check = |candidate: &Candidate| candidate.check(contents.script_beginning(*script), positions, is_only);
            let (mut used, mut refused) = (None, None);
            for location in locations.candidates(name) {
                match read(&location, name, &mut left, check) {
                    Ok(candidate) => used = candidate,
                    Err(why) => refused = refused.or(Some(why)),
                }
                if used.is_some() {
                    break;
                }
            }
            match (used, refused) {
                (Some(candidate), _) => {
                    maps.given += u64::from(locations.is_given(&candidate.file));
                    (script, &candidate.file, candidate.hash).hash(&mut hasher);
                    if !maps.files.contains(&candidate.file) {
                        maps.files.push(candidate.file);
                    }
                    maps.bundles.insert(*script, Arc::new(candidate.bundle));
                }
                (None, Some(why)) => maps.refused.push(why),
                (None, None) if is_bundle(positions) => maps.missing.push(name.clone()),
                (None, None) => {}
            }
        }
        maps.key = if maps.bundles.is_empty() { 0 } else { hasher.finish() };
        maps
    }

    /// Number of scripts with a map.
    pub fn scripts(&self) -> u64 {
        self.bundles.len() as u64
    }

    /// Notes for the dump: which maps are used, which are not and why, which are missing.
    pub(super) fn notes(&self, classes: u64) -> Vec<ImportNote> {
        let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut notes = Vec::new();
        let mut note = |count: u64, message| notes.push(ImportNote::new(Severity::Info, count, message, None));
        if let Some(first) = self.files.first() {
            let (scripts, more) = (Count(self.scripts()).of("script", "scripts"), self.files.len() as u64 - 1);
            let more =
                if more == 0 { String::new() } else { format!(" and {}", Count(more).of("other file", "other files")) };
            let renamed = if classes == 0 {
                String::new()
            } else {
                format!("; {} renamed", Count(classes).of("class is", "classes are"))
            };
            note(
                self.scripts(),
                format!("{scripts} with names and lines of the source, by {}{more}{renamed}", file(first)),
            );
        }
        for why in &self.refused {
            note(1, why.clone());
        }
        if let Some(first) = self.missing.first() {
            let (name, more) = (script_file(first).unwrap_or(first), self.missing.len() as u64 - 1);
            let more = if more == 0 {
                String::new()
            } else {
                format!(" and {}", Count(more).of("other bundle", "other bundles"))
            };
            let what = format!("no source map for {name}{more}");
            let advice = format!("put {name}.map beside the dump for names and lines of the source");
            let message = format!("{what}: {advice}");
            note(self.missing.len() as u64, message);
        }
        notes
    }
}

/// Lines of a script that is no bundle are shorter than this; so many functions begin after it in one that is.
const LONG: u32 = 1000;
const FUNCTIONS: usize = 10;

/// The positions of one script among those of all, sorted.
fn of_script(positions: &[ScriptPosition], script: u32) -> &[ScriptPosition] {
    let begin = positions.partition_point(|position| position.script < script);
    let end = positions.partition_point(|position| position.script <= script);
    positions.get(begin..end).unwrap_or_default()
}

/// True if a script seems to be shortened: several functions begin far to the right.
fn is_bundle(positions: &[ScriptPosition]) -> bool {
    let far = positions.iter().filter(|position| position.column >= LONG).count();
    far >= FUNCTIONS && far * 2 >= positions.len()
}

impl ScriptSources for SourceMaps {
    fn location(&self, ScriptPosition { script, line, column }: ScriptPosition) -> Option<SourceLocation> {
        let (at, name) = self.bundles.get(&script)?.location(line, column)?;
        let (file, name) = (at.source.to_owned(), name.map(str::to_owned));
        Some(SourceLocation { file, line: at.line, column: at.column, name })
    }

    fn variables(&self, function: ScriptPosition, variables: &[&str]) -> Vec<Option<SourceVariable>> {
        let Some(bundle) = self.bundles.get(&function.script) else { return vec![None; variables.len()] };
        let of_source = bundle.variables(Some((function.line, function.column)), variables).into_iter();
        let variable = |(name, file): (&str, &str)| SourceVariable { name: name.to_owned(), file: file.to_owned() };
        of_source.map(|named| named.map(variable)).collect()
    }
}
