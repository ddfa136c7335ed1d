//! Findings about structures that grew since the baseline and are none of the later dump alone: many small parts of one
//! structure, or memory that other evidence excused.

use super::accumulation_point::{AccumulationPoint, Shape, common_dominator, is_most};
use super::baseline_growth::{EarlierFindings, OwnerGrowths};
use super::evidence::Evidence;
use super::finding::LeakFinding;
use super::query::BaselineQuery;
use super::{accumulation_points, contents, explanations, finding, known as known_leaks};
use crate::diff::{GrowthOwner, GrowthRow};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Analysis, ObjectId};

/// Maximum number of growing owners examined, those that grew most first.
const MOST: usize = 64;

/// Adds findings about owners that grew by at least the least size, unless others are about them. One that is about the
/// same location and has no evidence from the baseline gets the growth of the owner.
pub(super) fn add(
    query: BaselineQuery<'_>,
    (growths, earlier): (&OwnerGrowths<'_>, &EarlierFindings),
    findings: &mut Vec<LeakFinding>,
    task: &Task,
) -> Result<(), Cancelled> {
    let question = query.question;
    let is_large = |row: &&GrowthRow| row.bytes.0 - row.code.0 >= question.min_bytes.0.cast_signed();
    let rows = query.growth.rows.iter().filter(is_large);
    let (mut points, mut rows_of) = (Vec::new(), Vec::new());
    for row in rows.take(MOST) {
        task.checkpoint()?;
        if let Some(point) = grown_point(query, growths, row, task)?
            && !is_known(question.namer.analysis, &point, row, findings)
        {
            points.push(point);
            rows_of.push(row);
        }
    }
    let insides = contents::insides(question, &points, task)?;
    for ((point, inside), row) in points.iter().zip(&insides).zip(rows_of) {
        let Some(mut finding) = finding(question, point, inside, task)? else { continue };
        if let Some(known) = findings.iter_mut().find(|known| known.fingerprint == finding.fingerprint) {
            if known.growth().is_none() {
                known.add_growth(Some(growths.of_row(row)), question.min_bytes);
                growths.name(known, task)?;
            }
            continue;
        }
        // The owners of the row themselves have its growth.
        let is_owner = |member: &ObjectId| row.owners.iter().any(|owner| owner.structure() == Some(*member));
        let is_row = point.shape == Shape::Siblings && point.members.iter().all(is_owner);
        let of_objects = if is_row { None } else { growths.evidence(&finding, earlier, task)? };
        // A cut of a part tells its growth alone.
        let is_told = |growth: &Evidence| match growth {
            Evidence::Grew { grown, .. } => grown.0.saturating_mul(2) >= row.bytes.0.max(0).cast_unsigned(),
            _ => false,
        };
        let of_objects = of_objects.filter(is_told);
        finding.unjudged = finding.group;
        finding.add_growth(Some(of_objects.unwrap_or_else(|| growths.of_row(row))), question.min_bytes);
        if finding.grown() < question.min_bytes {
            continue;
        }
        finding.explained_by = explanations::explained_by(question.namer, &finding, task)?;
        known_leaks::mark(question, std::slice::from_mut(&mut finding));
        findings.push(finding);
    }
    Ok(())
}

/// Location of the owners of a row: the one below a single owner or below the object that holds little else, or all of
/// them.
fn grown_point(
    query: BaselineQuery<'_>,
    growths: &OwnerGrowths<'_>,
    row: &GrowthRow,
    task: &Task,
) -> Result<Option<AccumulationPoint>, Cancelled> {
    let (question, analysis) = (query.question, query.question.namer.analysis);
    let mut owners: Vec<ObjectId> = row.owners.iter().filter_map(GrowthOwner::structure).collect();
    owners.sort_unstable();
    let held: Bytes = owners.iter().map(|&owner| analysis.retained(owner)).sum();
    let one = match owners.as_slice() {
        [] => return Ok(None),
        &[one] => Some(one),
        several => common_dominator(analysis, several).filter(|&above| is_most(held, analysis.retained(above))),
    };
    let Some(one) = one else {
        return Ok(AccumulationPoint::of_several(Shape::Siblings, owners, analysis, question.min_bytes));
    };
    let below = accumulation_points::below(question, one, task)?;
    let largest = below.into_iter().max_by_key(|point| (point.retained(analysis), std::cmp::Reverse(point.unit)));
    // A part of the owner that has little of what was added is not what grew.
    let grown = row.bytes.0.max(0).cast_unsigned();
    let has_growth = |point: &AccumulationPoint| {
        let retained = point.retained(analysis);
        retained.0.saturating_mul(2) >= grown
            && (is_most(retained, analysis.retained(one))
                || growths.new_among(point.tops(), retained).saturating_mul(2) >= grown)
    };
    let largest = largest.filter(has_growth);
    Ok(Some(largest.unwrap_or_else(|| AccumulationPoint::one(Shape::Object, one, one))))
}

/// True if one of the findings is about this location: the location is most of it, or it has most of the growth.
fn is_known(analysis: &Analysis, point: &AccumulationPoint, row: &GrowthRow, known: &[LeakFinding]) -> bool {
    let retained = point.retained(analysis);
    known.iter().any(|finding| {
        finding.cut.iter().any(|cut| {
            let is_of_finding = is_most(retained, finding.frees) && analysis.dominates(cut.to, point.unit);
            let has_growth = finding.grown().0.saturating_mul(2) >= row.bytes.0.max(0).cast_unsigned();
            is_of_finding || has_growth && point.tops().iter().any(|&top| analysis.dominates(top, cut.to))
        })
    })
}
