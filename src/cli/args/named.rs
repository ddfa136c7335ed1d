//! Parsers of options whose values have stable names, declared by the engine.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use heaplens_base::{Name, Named};
use heaplens_tables::OutputForm;

/// Parser of the words of `T`.
pub(super) fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    parser(T::NAMES.iter())
}

/// Parser of the output formats that a command has.
pub(super) fn format(forms: &'static [OutputForm]) -> impl TypedValueParser<Value = OutputForm> {
    parser(OutputForm::NAMES.iter().filter(|name| forms.contains(&name.value)))
}

fn parser<T: Named>(names: impl Iterator<Item = &'static Name<T>>) -> impl TypedValueParser<Value = T> {
    let possible = names.map(|name| PossibleValue::new(name.word).help(name.help).aliases(name.alias));
    PossibleValuesParser::new(possible).try_map(|word| T::of_word(&word).ok_or("unknown value"))
}
