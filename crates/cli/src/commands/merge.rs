//! `mapjudge merge RESULTS --manifest FILE --out FILE`: one result per line of a manifest, in its order.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::Verdict;
use mapjudge::files::rows::{Merged, merge_rows};

use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::format::{Format, FormatFlag};
use crate::output::{Answer, Output, json};
use crate::progress::Progress;

/// Ranges that the table names; JSON has all.
const MAX_TOLD: usize = 20;

/// Merge rows of a manifest into one table.
///
/// Writes one result per line of the manifest, in its order: the same bytes for any shards, threads and kills. Lines without
/// a result are named (exit code 1); results of one line that rest on the same inputs must be equal (exit code 2 if not).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge merge results --manifest pairs.jsonl --out all.parquet
      all row files of a folder into one table with a column per metric
  mapjudge merge results more/rows-00007-of-00016.jsonl --manifest pairs.jsonl --out all.csv
      folders and single files")]
pub struct Merge {
    /// Row files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    inputs: Vec<PathBuf>,
    /// The manifest that was scored.
    #[arg(long, value_name = "FILE")]
    manifest: PathBuf,
    /// File to write; its ending says how: .jsonl, .csv or .parquet.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceFlag,
    #[command(flatten)]
    format: FormatFlag,
}

impl Merge {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        self.force.check(&self.out)?;
        let merge = mapjudge::files::rows::Merge {
            inputs: self.inputs.clone(),
            manifest: self.manifest.clone(),
            out: self.out.clone(),
            overwrite: self.force.overwrite(),
        };
        let bar = Progress::spinner(global.quiet);
        let merged = merge_rows(&merge, &|rows| bar.set_message(format!("{rows} rows")))?;
        drop(bar);
        Ok(self.format.answer(MergedRows { merged, out: self.out.display().to_string() }))
    }
}

struct MergedRows {
    merged: Merged,
    out: String,
}

impl Output for MergedRows {
    fn render(&self, format: Format) -> Result<String, Failure> {
        if format == Format::Json { json(&self.merged) } else { Ok(table(&self.merged, &self.out)) }
    }

    fn notes(&self, _: Format) -> Vec<String> {
        let Merged { repeated, strange, cut, .. } = &self.merged;
        let mut notes = Vec::new();
        if *repeated > 0 {
            notes.push(format!("note: {repeated} rows stand there more than once, with the same bytes"));
        }
        if *strange > 0 {
            notes
                .push(format!("warning: {strange} rows belong to no line of the manifest and were left out"));
        }
        let of_file = |file: &String| format!("warning: {file}: the last line has no end and was left out");
        notes.extend(cut.iter().map(of_file));
        notes
    }

    fn errors(&self) -> Vec<String> {
        let missing = self.merged.missing_lines();
        if missing == 0 {
            return Vec::new();
        }
        let range = |(first, last): &(u64, u64)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        let ranges: Vec<String> = self.merged.missing.iter().take(MAX_TOLD).map(range).collect();
        let more = self.merged.missing.len().saturating_sub(MAX_TOLD);
        let more = if more > 0 { format!(" and {more} more ranges") } else { String::new() };
        let mut told = vec![format!(
            "error: {missing} of {} lines have no result: {}{more}",
            self.merged.lines,
            ranges.join(", ")
        )];
        if !self.merged.outdated.is_empty() {
            let outdated = self.merged.outdated.len();
            told.push(format!("error: of these, {outdated} have results of other inputs than those of now"));
        }
        told
    }

    fn verdict(&self) -> Verdict {
        if self.merged.missing.is_empty() { Verdict::Fine } else { Verdict::Missed }
    }
}

fn table(merged: &Merged, out: &str) -> String {
    let mut text = format!("{out}\n");
    let _ = writeln!(text, "lines          {:>10}", merged.lines);
    let _ = writeln!(text, "row files      {:>10}", merged.files);
    let _ = writeln!(text, "rows written   {:>10}", merged.rows);
    let _ = writeln!(text, "lines missing  {:>10}", merged.missing_lines());
    text
}
