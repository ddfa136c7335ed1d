//! Sources of scripts that a tool made of several files: where a position and a name of the script come from.

use std::fmt;

use super::ScriptPosition;

/// Position in a file of the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLocation {
    /// File, as the source map names it, below the folder of the script: `/srv/app/src/cart-store.ts`.
    pub file: String,
    /// Line, from 0.
    pub line: u32,
    /// Column in UTF-16 units, from 0.
    pub column: u32,
    /// Name in the source of the function or class that begins there, if the script has another.
    pub name: Option<String>,
}

/// 1-based as in editors: `src/cart-store.ts:9:5`.
impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, u64::from(self.line) + 1, u64::from(self.column) + 1)
    }
}

/// A variable in the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceVariable {
    /// Its name.
    pub name: String,
    /// Its file, as in [`SourceLocation::file`].
    pub file: String,
}

/// Sources of the scripts of a snapshot. Each call may read a file when it is the first about a script.
pub trait ScriptSources: Send + Sync {
    /// The source of a position.
    fn location(&self, position: ScriptPosition) -> Option<SourceLocation>;

    /// The variables of one closure context in the source, in their order. `function` is the position of a function with
    /// this context; the more variables of the context there are, the more certain is which of equal names they have.
    fn variables(&self, function: ScriptPosition, variables: &[&str]) -> Vec<Option<SourceVariable>>;
}
