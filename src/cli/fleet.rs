//! `fleet`: what many dumps have in common, from their digests.

use std::io::Write;
use std::sync::Arc;

use super::args::{FleetArguments, FleetForm};
use super::failure::{Failure, remark};
use super::open::start_threads;
use super::print::{Answer, text_width};
use super::progress::ProgressLine;
use super::sql::{AnswerWriter, failure};
use super::verified_output::VerifiedOutput;
use heaplens_base::Task;
use heaplens_fleet::{Fleet, FleetReport, QUESTIONS, database, write_html, write_json, write_markdown, write_text};
use heaplens_sql::{Limits, TextForm, TextOutput};

pub(super) fn fleet(arguments: &FleetArguments) -> Answer {
    let question = arguments.of.and_then(|key| QUESTIONS.iter().find(|question| question.key == key));
    let sql = arguments.query.as_deref().or(question.map(|question| question.sql));
    let form = answer_form(arguments.format);
    match (sql, form) {
        (Some(_), None) => {
            return Err(Failure::Usage(
                "an answer is text, json or csv; markdown and html are of the report".to_owned(),
            ));
        }
        (None, _) if arguments.format == FleetForm::Csv => {
            return Err(Failure::Usage("csv is of an answer: --of changes".to_owned()));
        }
        _ => {}
    }
    start_threads(0)?;
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let fleet = Arc::new(Fleet::read(&arguments.paths, &task)?);
    if fleet.is_empty() {
        let why = fleet
            .failed
            .first()
            .cloned()
            .unwrap_or_else(|| "no digest is there; 'heaplens digest' writes them".to_owned());
        return Err(Failure::Unusable(why));
    }
    let mut out = VerifiedOutput::of_all([]);
    if let (Some(sql), Some(form)) = (sql, form) {
        let mut writer =
            AnswerWriter::new(Box::new(TextOutput::new(out, None, form).with_width(text_width())), arguments.top);
        let limits = Limits::default();
        let ended = database(&fleet).and_then(|mut database| database.run(sql, limits, &task, &mut writer));
        drop(line);
        ended.map_err(|error| failure(&error, sql))?;
        fleet.failed.iter().for_each(|why| remark(why));
        return writer.end();
    }
    let report = FleetReport::new(&fleet, &task).map_err(|error| failure(&error, ""));
    drop(line);
    let report = report?;
    match arguments.format {
        FleetForm::Markdown => write_markdown(&mut out, &report)?,
        FleetForm::Html => write_html(&mut out, &report)?,
        FleetForm::Json => write_json(&mut out, &report)?,
        FleetForm::Text | FleetForm::Csv => write_text(&mut out, &report, text_width())?,
    }
    Ok(out.flush()?)
}

fn answer_form(form: FleetForm) -> Option<TextForm> {
    match form {
        FleetForm::Text => Some(TextForm::Text),
        FleetForm::Json => Some(TextForm::Json),
        FleetForm::Csv => Some(TextForm::Csv),
        FleetForm::Markdown | FleetForm::Html => None,
    }
}
