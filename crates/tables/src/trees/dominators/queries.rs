//! Queries by which the command line prints the rows of the dominator tree.

use super::levels::Levels;
use crate::TableQuery;
use crate::TypedFilter;
use crate::dump::folded::LevelQuery;
use crate::dump::objects::ObjectsQuery;
use crate::query::RowQuery;
use crate::trees::tree::Spot;
use heaplens_analysis::dominator_tree::{LevelForm, LevelOrder, LevelPart};
use heaplens_heap::ObjectId;

impl Levels {
    /// Query for the top level with the current grouping, order and filter.
    pub fn request_of_top(&self, filter: &TypedFilter) -> TableQuery {
        let rows = RowQuery { filter: filter.numbers().to_owned(), ..self.row_query() };
        TableQuery::new(LevelQuery::top(self.form, filter.words()), rows)
    }

    fn row_query(&self) -> RowQuery {
        let (order, reverse) = self.order;
        let is_usual = matches!((order, reverse), (LevelOrder::Retained, false) | (LevelOrder::Growth, _));
        let sort = (!is_usual).then(|| order.key().to_owned());
        RowQuery { reverse: reverse && sort.is_some(), sort, ..RowQuery::default() }
    }

    /// Query for a level; `None` if the level cannot be named.
    fn request_of_level(&self, part: LevelPart, filter: &TypedFilter) -> Option<TableQuery> {
        let (of_class, numbers) = if part.is_at_top() { (filter.words(), filter.numbers()) } else { ("", "") };
        let query = LevelQuery::part(self.form, part, self.shared.as_deref())?;
        if self.form == LevelForm::Plain && query.plain_parent().is_none() {
            return None;
        }
        let rows = RowQuery { filter: numbers.to_owned(), ..self.row_query() };
        Some(TableQuery::new(LevelQuery { of_class: of_class.to_owned(), ..query }, rows))
    }

    /// Query for rows: a range of one level, or objects by name if they are of several levels.
    pub fn request(&self, spots: &[Spot], objects: Vec<ObjectId>, filter: &TypedFilter) -> TableQuery {
        let follows = |two: &[Spot]| two[0].parent == two[1].parent && two[0].index + 1 == two[1].index;
        let run = 1 + spots.windows(2).take_while(|two| follows(two)).count();
        let named = |objects| TableQuery::all(ObjectsQuery::Listed(objects));
        // Commands cannot sort by baseline figures.
        if (self.order.0 == LevelOrder::Growth || run < spots.len()) && !objects.is_empty() {
            return named(objects);
        }
        // Groups of several levels: no command prints all of them, but one prints the first.
        let first = spots.first().and_then(|spot| Some((spot.index, self.tree.payload(spot.parent)?.part)));
        let level = first.and_then(|(index, part)| Some((index, self.request_of_level(part, filter)?)));
        let Some((index, mut request)) = level else { return named(objects) };
        (request.rows.skip, request.rows.top) = (index as usize, Some(run.min(spots.len())));
        request
    }
}
