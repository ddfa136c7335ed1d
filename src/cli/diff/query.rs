//! Converts the arguments of `diff` to a query.

use crate::cli::args::{DiffArguments, DiffFormat, DiffTable};
use heaplens_session::side_by_side::SideRowKind;
use heaplens_tables::RowQuery;
use heaplens_tables::diff::{ChangeFilter, DiffQuery, DiffRows, OwnerDetail};

/// Default maximum number of rows per table, of keys per owner, and of similar owners named, in text and Markdown.
const ROWS: usize = 50;
const KEYS: usize = 5;

/// True for text and Markdown.
fn for_people(arguments: &DiffArguments) -> bool {
    matches!(arguments.format, DiffFormat::Text | DiffFormat::Markdown)
}

pub(super) fn asked(arguments: &DiffArguments) -> DiffQuery {
    let for_people = for_people(arguments);
    let keys = match arguments.format {
        DiffFormat::Csv => 0,
        DiffFormat::Json => usize::MAX,
        DiffFormat::Text | DiffFormat::Markdown => KEYS,
    };
    let usual = if arguments.format == DiffFormat::Csv {
        vec![DiffRows::Owners]
    } else {
        vec![DiffRows::Owners, DiffRows::Classes]
    };
    DiffQuery {
        of: arguments.of.map_or(usual, |of| vec![of.into()]),
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

pub(super) fn arrangement(arguments: &DiffArguments) -> RowQuery {
    let order = &arguments.order;
    RowQuery {
        filter: arguments.filter.clone().unwrap_or_default(),
        places: order.rows.clone(),
        sort: order.sort.clone(),
        reverse: order.reverse,
        skip: order.skip,
        top: arguments.top.or(for_people(arguments).then_some(ROWS)),
        owner: false,
    }
}

impl From<DiffTable> for DiffRows {
    fn from(of: DiffTable) -> Self {
        match of {
            DiffTable::Owners => Self::Owners,
            DiffTable::Classes => Self::Classes,
            DiffTable::Packages => Self::Side(SideRowKind::Packages),
            DiffTable::Loaders => Self::Side(SideRowKind::Loaders),
            DiffTable::Threads => Self::Side(SideRowKind::Threads),
            DiffTable::Strings => Self::Side(SideRowKind::Strings),
            DiffTable::Collections => Self::Side(SideRowKind::Collections),
            DiffTable::Leaks => Self::Side(SideRowKind::Leaks),
        }
    }
}
