//! The prompt: reads queries, one after the other, with suggestions.

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};

use heaplens_sql::Completions;
use heaplens_sql::tokens::{TokenKind, tokens};

/// Help of the prompt.
const HELP: &str = "\
A query ends with a semicolon. Tab completes names, Ctrl+C discards the line, Ctrl+D ends.

.tables   tables, columns and functions
.examples queries to begin with
.help     this text
.quit     end";

/// What the user entered.
pub(super) enum Entered {
    Query(String),
    Tables,
    Examples,
    Help,
}

/// Reads queries from the terminal.
pub(super) struct Prompt {
    editor: Editor<Names, DefaultHistory>,
}

impl Prompt {
    pub(super) fn new(names: Completions) -> Result<Self, ReadlineError> {
        let mut editor = Editor::new()?;
        editor.set_helper(Some(Names { names }));
        Ok(Self { editor })
    }

    /// The next query or command; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Entered>, ReadlineError> {
        loop {
            let line = match self.editor.readline("heaplens> ") {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(error),
            };
            let text = line.trim();
            if text.is_empty() {
                continue;
            }
            self.editor.add_history_entry(text)?;
            return Ok(match text.trim_end_matches(';') {
                ".quit" | ".exit" | ".q" => None,
                ".tables" | ".schema" => Some(Entered::Tables),
                ".examples" => Some(Entered::Examples),
                command if command.starts_with('.') => Some(Entered::Help),
                _ => Some(Entered::Query(line)),
            });
        }
    }

    pub(super) fn help() -> &'static str {
        HELP
    }
}

/// Suggestions for the line.
struct Names {
    names: Completions,
}

impl Completer for Names {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (completions, replaced) = self.names.at(line, position);
        let pair = |completions: heaplens_sql::Completion| Pair {
            display: completions.text.clone(),
            replacement: completions.text,
        };
        Ok((replaced.start, completions.into_iter().map(pair).collect()))
    }
}

impl Validator for Names {
    /// A query goes on until its semicolon.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let all = tokens(text);
        let last = all.iter().rev().find(|token| token.kind != TokenKind::Space);
        let is_whole = text.trim().is_empty()
            || text.trim_start().starts_with('.')
            || last.is_some_and(|token| !token.is_open && token.is(text, ";"));
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}

impl Helper for Names {}
