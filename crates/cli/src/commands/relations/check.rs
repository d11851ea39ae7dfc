//! `mapjudge relations check FILE`.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::files::relations::{Checked, check};
use truth::{Check as Facts, CheckParams, Published};

use crate::failure::Failure;
use crate::flags::over;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, finding_line};

#[derive(clap::Args)]
pub struct Check {
    /// File of relations.
    #[arg(value_name = "FILE", required_unless_present = "published")]
    file: Option<PathBuf>,
    /// Run that the relations are to judge: warns if they were made from it.
    #[arg(long, value_name = "TRAJECTORY", requires = "file")]
    run: Option<PathBuf>,
    /// Printed mean, standard deviation and mean square, and the number of samples if known; may be given many times.
    #[arg(long, value_name = "MEAN,STD,SQUARE[,N]")]
    published: Vec<String>,
    #[command(flatten)]
    limits: CheckLimits,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

/// What a check of relations calls wrong.
#[derive(clap::Args)]
pub struct CheckLimits {
    /// A time without a relation is a gap from so many seconds on [default: 10].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    gap: Option<f64>,
    /// Displacements further apart than this contradict each other, in metres [default: 0.15].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    agree: Option<f64>,
    /// How many of the worst loops, contradictions and gaps are listed [default: 10].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    worst: Option<usize>,
}

impl CheckLimits {
    /// The default limits with the flags over them.
    pub fn params(&self) -> CheckParams {
        let mut params = CheckParams::default();
        over(&mut params.gap_s, &self.gap);
        over(&mut params.agree_m, &self.agree);
        over(&mut params.worst, &self.worst);
        params
    }
}

impl Check {
    pub fn run(&self) -> Result<Answer, Failure> {
        let triple = |text: &String| {
            let published: Published =
                text.parse().map_err(|error| Failure::new(format!("--published {error}")))?;
            Ok((text.clone(), published))
        };
        let published = self.published.iter().map(triple).collect::<Result<Vec<_>, Failure>>()?;
        let (file, run) = (self.file.as_deref(), self.run.as_deref());
        let checked = check(file, run, &published, &self.limits.params(), &self.reading.options)?;
        let findings = checked.findings.clone();
        Ok(self.format.answer(Printed::new(checked, table).checked(&findings)))
    }
}

fn table(checked: &Checked) -> String {
    let mut text = String::new();
    if let (Some(path), Some(relations)) = (&checked.path, &checked.relations) {
        let _ = writeln!(text, "{path}");
        facts(&mut text, relations);
    }
    for check in &checked.published {
        let verdict = if check.holds { "consistent" } else { "inconsistent" };
        let (low, high) = check.allowed;
        let _ = writeln!(text, "{}: {verdict} (mean square {low:.4} to {high:.4})", check.printed);
    }
    for finding in &checked.findings {
        let _ = writeln!(text, "{}", finding_line(finding));
    }
    text
}

/// What is known about relations: counts, then the worst of what is wrong.
pub fn facts(text: &mut String, relations: &Facts) {
    let Facts { timestamps, parts, back_in_time, local, repeated, contradicting, loops, .. } = relations;
    let count = relations.relations;
    let _ = writeln!(text, "  relations      {count} ({local} local, {back_in_time} back in time)");
    let _ = writeln!(text, "  timestamps     {timestamps} in {parts} connected parts");
    if let Some((first_s, last_s)) = relations.span_s {
        let _ = writeln!(text, "  time           {first_s} s to {last_s} s ({:.1} s)", last_s - first_s);
    }
    if let Some(length) = relations.length_m {
        let _ = writeln!(
            text,
            "  length         {:.4} +- {:.4} m, square {:.4} m2, largest {:.3} m",
            length.mean, length.std, length.mean_square, length.max
        );
    }
    let _ = writeln!(text, "  repeated       {repeated}, {contradicting} of them contradict");
    let rms =
        relations.loop_rms_m.map_or_else(String::new, |rms| format!(", {rms:.4} m left (root mean square)"));
    let _ = writeln!(text, "  loops          {loops}{rms}");
    let _ = writeln!(text, "  gaps           {}", relations.gap_count);
    lists(text, relations);
}

fn lists(text: &mut String, relations: &Facts) {
    for closure in &relations.worst_loops {
        let _ = writeln!(
            text,
            "  loop           {:.4} m, {:.3} deg left after {} relations: {}",
            closure.translation_m,
            closure.rotation_rad.to_degrees(),
            closure.edges,
            numbers(&closure.relations, closure.edges)
        );
    }
    for pair in &relations.contradictions {
        let _ = writeln!(
            text,
            "  contradiction  {:.4} m, {:.3} deg between relations {} and {}",
            pair.translation_m,
            pair.rotation_rad.to_degrees(),
            pair.first,
            pair.second
        );
    }
    for gap in &relations.gaps {
        let duration_s = gap.end_s - gap.start_s;
        let _ =
            writeln!(text, "  gap            {duration_s:.1} s from {} s to {} s", gap.start_s, gap.end_s);
    }
}

fn numbers(relations: &[usize], edges: usize) -> String {
    let listed: Vec<_> = relations.iter().map(usize::to_string).collect();
    let more = if edges > relations.len() { ", ..." } else { "" };
    format!("{}{more}", listed.join(", "))
}
