//! Converts the arguments of `diff` to a query.

use crate::cli::args::DiffArguments;
use heaplens_tables::diff::{ChangeFilter, DiffQuery, DiffRows, OwnerDetail};
use heaplens_tables::{OutputForm, RowQuery};

/// Default maximum number of rows per table, of keys per owner, and of similar owners named, in text and Markdown.
const ROWS: usize = 50;
const KEYS: usize = 5;

pub(super) fn diff_query(arguments: &DiffArguments) -> DiffQuery {
    let for_people = arguments.format.is_for_people();
    let keys = match arguments.format {
        form if form.is_cells() => 0,
        OutputForm::Json => usize::MAX,
        _ => KEYS,
    };
    let default =
        if arguments.format.is_cells() { vec![DiffRows::Owners] } else { vec![DiffRows::Owners, DiffRows::Classes] };
    DiffQuery {
        of: arguments.of.map_or(default, |of| vec![of]),
        which: match (arguments.only_grown || arguments.grew_every_time, for_people) {
            (true, _) => ChangeFilter::Grown,
            // Row numbers of --rows are those of the complete table.
            (false, true) if arguments.order.rows.is_empty() => ChangeFilter::Changed,
            (false, _) => ChangeFilter::All,
        },
        wanted: OwnerDetail {
            keys: arguments.keys.unwrap_or(keys),
            // Text makes a pattern of all names.
            names: if for_people { ROWS } else { arguments.top.unwrap_or(usize::MAX) },
        },
    }
}

pub(super) fn row_query(arguments: &DiffArguments) -> RowQuery {
    let top = arguments.top.or(arguments.format.is_for_people().then_some(ROWS));
    arguments.order.rows(arguments.filter.as_deref(), top)
}
