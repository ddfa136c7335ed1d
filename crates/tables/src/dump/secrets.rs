//! Strings and arrays that look like credentials, with masked values.

use std::sync::Arc;

use crate::List;
use crate::columns::{Columns, Item, Value, heading, headings};
use heaplens_analysis::secrets::{SecretGroup, Secrets};

pub(crate) const COLUMNS: Columns<Item<SecretGroup>> = &[&[
    heading("kind", "Kind", "Kind of credential").text(|group, _| Some(group.kind.into())),
    heading("value", "Value", "First characters and length of the value; of a private key its type")
        .text(|group, _| Some(group.masked.as_str().into())),
    heading(
        "certainty",
        "Certainty",
        "How certain it is: high by form, medium by the name of its field or key, low otherwise",
    )
    .text(|group, _| Some(group.evidence.certainty().into())),
    heading("evidence", "Evidence", "Reason to take it for a credential")
        .text(|group, _| Some(group.evidence.name().into())),
    heading("length", "Length", "Length of the value in characters").count(|group, _| Some(group.length)),
    headings::OBJECTS.count(|group, _| Some(group.objects.len() as u64)),
    headings::ID.object(|group, _| group.objects.first().copied()),
    headings::CLASS.text(|group, dump| dump.class_of(*group.objects.first()?)),
    heading("holder", "Holder", "Class and field that hold the object; an array without index")
        .text(|group, _| group.holder.as_deref().map(Into::into)),
    headings::OWNER.text(|group, dump| Some(dump.owner(*group.objects.first()?)?.into())),
]];

/// The groups of equal values, by kind.
pub fn secret_table(secrets: Arc<Secrets>) -> List<SecretGroup> {
    let Secrets { groups, texts, .. } = Arc::unwrap_or_clone(secrets);
    let objects = |rows: &[&SecretGroup]| rows.iter().map(|group| group.objects.len() as u64).sum();
    List::new(COLUMNS, groups)
        .with_totals(move |rows| vec![("objects", Value::Count(objects(rows))), ("texts", Value::Count(texts))])
}
