//! Answers as files: what is read back is what the query found, over several groups of rows.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_ipc::reader::StreamReader;
use parquet::file::reader::{FileReader, SerializedFileReader};

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::LeakRules;
use heaplens_sql::{
    AnswerOutput, AnswerSink, ColumnarForm, ColumnarOutput, Database, Limits, OutputError, QuerySource, TextForm,
    TextOutput,
};

/// 300,000 rows: more than a group has. Every third has a text.
const ROWS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) \
    SELECT i, CASE WHEN i % 3 = 0 THEN 'text ' || i END AS text, i AS i FROM n";
/// A number at first, after a group of rows a text.
const CHANGES: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) \
    SELECT CASE WHEN i < 290000 THEN i ELSE 'no number' END AS changes FROM n";

fn dump() -> Dump {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/leak-after.hprof.gz");
    open_and_wait(&fixture, &OpenOptions::default(), &Task::new()).expect("a dump")
}

/// Runs a query into an output, and ends it.
fn write<O: AnswerOutput>(query: &str, output: O) -> Result<(), OutputError> {
    let source = QuerySource::of(&dump(), LeakRules::default());
    let mut database = Database::new(source, None).expect("a database");
    let mut output = Box::new(output);
    database.run(query, Limits::default(), &Task::new(), &mut *output as &mut dyn AnswerSink).expect("an answer");
    output.end()
}

/// Bytes that outlive their writer.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_stream_of_arrow_is_read_back() {
    let bytes = Shared::default();
    write(ROWS, ColumnarOutput::new(bytes.clone(), ColumnarForm::Arrow, vec![("note", "a note".to_owned())]))
        .expect("a stream");
    let bytes = bytes.0.lock().expect("bytes");
    let stream = StreamReader::try_new(&bytes[..], None).expect("a stream of Arrow");
    let schema = stream.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| &**field.name()).collect();
    assert_eq!(names, ["i", "text", "i_2"], "a name is there once");
    assert_eq!(schema.metadata().get("note").map(String::as_str), Some("a note"));
    let (mut rows, mut sum, mut texts, mut groups) = (0, 0, 0, 0);
    for group in stream {
        let group = group.expect("a group");
        groups += 1;
        rows += group.num_rows();
        sum += group.column(0).as_primitive::<Int64Type>().values().iter().sum::<i64>();
        texts += group.column(1).as_string::<i64>().iter().flatten().map(str::len).sum::<usize>();
    }
    let of_texts: usize = (1..=100_000).map(|i| format!("text {}", 3 * i).len()).sum();
    assert_eq!((rows, sum, texts), (300_000, 300_000 * 300_001 / 2, of_texts));
    assert_eq!(groups, 2);
}

#[test]
fn a_parquet_file_is_written_in_groups() {
    let path = tempfile::NamedTempFile::new().expect("a file");
    write(ROWS, ColumnarOutput::new(path.reopen().expect("a file"), ColumnarForm::Parquet, Vec::new()))
        .expect("a file");
    let file = SerializedFileReader::new(File::open(path.path()).expect("a file")).expect("a Parquet file");
    assert_eq!(file.num_row_groups(), 2);
    assert_eq!(file.metadata().file_metadata().num_rows(), 300_000);
}

#[test]
fn an_empty_answer_has_its_columns() {
    let bytes = Shared::default();
    let none = "SELECT id, class FROM objects WHERE class = 'no class'";
    write(none, ColumnarOutput::new(bytes.clone(), ColumnarForm::Arrow, Vec::new())).expect("a stream");
    let bytes = bytes.0.lock().expect("bytes");
    let stream = StreamReader::try_new(&bytes[..], None).expect("a stream of Arrow");
    assert_eq!(stream.schema().fields().len(), 2);
    assert_eq!(stream.count(), 0);
}

#[test]
fn a_column_that_changes_its_type_is_said() {
    for form in [ColumnarForm::Arrow, ColumnarForm::Parquet] {
        let error = write(CHANGES, ColumnarOutput::new(std::io::sink(), form, Vec::new())).expect_err("no such column");
        let text = error.to_string();
        assert!(text.contains("changes") && text.contains("290000") && text.contains("CAST"), "{text}");
    }
    // Texts take any value.
    write(CHANGES, TextOutput::new(std::io::sink(), None, TextForm::Csv)).expect("a file");
}

#[test]
fn an_output_that_fails_ends_the_query() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _bytes: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for form in [ColumnarForm::Arrow, ColumnarForm::Parquet] {
        let Err(OutputError::Output(error)) = write(ROWS, ColumnarOutput::new(Full, form, Vec::new())) else {
            panic!("a full disk is an error")
        };
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
}
