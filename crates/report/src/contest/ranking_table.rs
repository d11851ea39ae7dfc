//! The ranking (S-TABLE) as table, JSON, CSV, Markdown, LaTeX and JUnit.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use super::overview::overview;
use super::value::{ContestReport, MissionResult, Outcome, RankedTeam};
use crate::csv::{harmless, quoted};
use crate::number::{ColumnDigits, MISSING, percent, shown};
use crate::printable::{name, printable};
use crate::text_table::{Column, Screen, TextTable, Tone};
use crate::{Format, RenderError, junit, latex, markdown};

/// The ranking in a format; HTML is the overview without figures.
///
/// # Errors
/// The value cannot be written in this format.
pub fn ranking(contest: &ContestReport, format: Format) -> Result<String, RenderError> {
    match format {
        Format::Json => Ok(format!("{}\n", serde_json::to_string_pretty(contest)?)),
        Format::Html => overview(contest, &[]),
        Format::Table => Ok(ranking_on(contest, Screen::default())),
        Format::Csv => Ok(as_csv(contest)),
        Format::Md => Ok(as_markdown(contest)),
        Format::Latex => Ok(as_latex(contest)),
        Format::Junit => Ok(as_junit(contest)),
    }
}

/// The columns beside rank, team and score: the parts of the profile.
pub(super) fn part_names(contest: &ContestReport) -> Vec<&str> {
    let team = contest.ranking.iter().max_by_key(|team| team.parts.len());
    team.into_iter().flat_map(|team| team.parts.keys()).map(String::as_str).collect()
}

/// The digits of each column of the ranking.
pub(super) struct RankingDigits {
    score: ColumnDigits,
    interval: ColumnDigits,
    parts: BTreeMap<String, ColumnDigits>,
}

impl RankingDigits {
    pub(super) fn of(contest: &ContestReport) -> Self {
        let teams = || contest.ranking.iter();
        let part = |part: &&str| {
            let values = teams().map(|team| team.parts.get(*part).and_then(Value::as_f64));
            ((*part).to_owned(), ColumnDigits::of(values))
        };
        Self {
            score: ColumnDigits::of(teams().map(|team| team.score)),
            interval: ColumnDigits::of(teams().filter_map(|team| team.interval).flatten().map(Some)),
            parts: part_names(contest).iter().map(part).collect(),
        }
    }

    pub(super) fn score(&self, team: &RankedTeam) -> String {
        self.score.shown(team.score)
    }

    pub(super) fn interval(&self, team: &RankedTeam) -> String {
        let shown = |end: f64| self.interval.shown(Some(end));
        team.interval.map_or_else(String::new, |[low, high]| format!("{} to {}", shown(low), shown(high)))
    }

    pub(super) fn part(&self, team: &RankedTeam, part: &str) -> String {
        match (self.parts.get(part), team.parts.get(part)) {
            (Some(digits), Some(Value::Number(number))) => digits.shown(number.as_f64()),
            (_, value) => part_words(value),
        }
    }
}

/// A part in a cell: a number, or a list by its sum.
fn part_words(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => shown(number.as_f64()),
        Some(Value::Array(list)) => {
            let sum: f64 = list.iter().filter_map(Value::as_f64).sum();
            format!("Σ {} of {}", shown(Some(sum)), list.len())
        }
        _ => MISSING.to_owned(),
    }
}

pub(super) fn rank_words(team: &RankedTeam) -> String {
    team.rank.map_or_else(|| MISSING.to_owned(), |rank| rank.to_string())
}

/// What is to be said beside a score.
pub(super) fn remark(team: &RankedTeam) -> String {
    let of_mission = |mission: &MissionResult| {
        let what = match mission.outcome {
            Outcome::Scored => return None,
            Outcome::Broken => "broken",
            Outcome::Undefined => "undefined",
        };
        let place =
            if mission.mission.is_empty() { String::new() } else { format!("{}: ", name(&mission.mission)) };
        Some(format!("{place}{what}: {}", printable(mission.reason.as_deref().unwrap_or_default())))
    };
    let by_judge = team.missions.iter().any(|m| m.parts.iter().any(|part| part.by_judge));
    let judged = by_judge.then(|| "has values entered by a judge".to_owned());
    team.missions.iter().filter_map(of_mission).chain(judged).collect::<Vec<_>>().join("; ")
}

/// The ranking as a table for a screen: intervals and parts are dropped where there is no room, remarks wrapped.
#[must_use]
pub fn ranking_on(contest: &ContestReport, screen: Screen) -> String {
    let (parts, digits) = (part_names(contest), RankingDigits::of(contest));
    let fixed = [
        Column::right("rank", 0),
        Column::left("team", 0),
        Column::right("score", 0),
        Column::left("95 % interval", 2),
    ];
    let of_parts = parts.iter().map(|part| Column::left(name(part), 1));
    let remarks = [Column::left("remarks", 0)];
    let mut sheet = TextTable::new(fixed.into_iter().chain(of_parts).chain(remarks).collect());
    for team in &contest.ranking {
        let plain = |text: String| (text, Tone::Plain);
        let rank = (rank_words(team), if team.rank == Some(1) { Tone::Best } else { Tone::Plain });
        let fixed = [name(&team.team), digits.score(team), digits.interval(team)].map(plain);
        let values = parts.iter().map(|part| plain(digits.part(team, part)));
        let is_scored = team.missions.iter().all(|mission| mission.outcome == Outcome::Scored);
        let remark = remark(team);
        let tone = match (remark.is_empty(), is_scored) {
            (true, _) => Tone::Plain,
            (_, true) => Tone::Doubtful,
            _ => Tone::Missed,
        };
        let remark = (remark, tone);
        sheet.row([rank].into_iter().chain(fixed).chain(values).chain([remark]));
    }
    let table = sheet.shown_on(screen);
    let rules = &contest.rules;
    let mut text =
        format!("{table}\n\nscore = {}   ({})\n", printable(&rules.formula), name(&contest.profile));
    for pair in contest.significance.iter().filter(|pair| is_neighbour(contest, &pair.above, &pair.below)) {
        let _ = writeln!(text, "{}", printable(&pair.statement));
    }
    for flip in contest.sensitivity.iter().filter(|f| f.flips_below.is_some() || f.flips_above.is_some()) {
        let _ = writeln!(text, "{}", printable(&flip.statement));
    }
    let mut text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if text.ends_with("\n\n") {
        text.pop();
    }
    text
}

pub(super) fn is_neighbour(contest: &ContestReport, above: &str, below: &str) -> bool {
    contest.ranking.windows(2).any(|pair| pair[0].team == above && pair[1].team == below)
}

fn as_csv(contest: &ContestReport) -> String {
    let parts = part_names(contest);
    let number =
        |value: Option<f64>| value.filter(|v| v.is_finite()).map(|v| v.to_string()).unwrap_or_default();
    let header: Vec<String> = parts.iter().map(|part| quoted(&harmless(part))).collect();
    let mut text = format!("rank,team,score,low,high,{},remarks\r\n", header.join(","));
    for team in &contest.ranking {
        let value = |part: &&str| match team.parts.get(*part) {
            Some(Value::Number(value)) => number(value.as_f64()),
            Some(Value::Array(list)) => {
                list.iter().map(|value| number(value.as_f64())).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        let mut fields = vec![
            team.rank.map_or_else(String::new, |rank| rank.to_string()),
            quoted(&harmless(&team.team)),
            number(team.score),
            number(team.interval.map(|i| i[0])),
            number(team.interval.map(|i| i[1])),
        ];
        fields.extend(parts.iter().map(value));
        fields.push(quoted(&harmless(&remark(team))));
        let _ = write!(text, "{}\r\n", fields.join(","));
    }
    text
}

fn as_markdown(contest: &ContestReport) -> String {
    let (parts, digits) = (part_names(contest), RankingDigits::of(contest));
    let escaped = |text: &str| markdown::escaped(&name(text));
    let header: Vec<String> = parts.iter().map(|part| escaped(part)).collect();
    let mut text = format!("| rank | team | score | {} | remarks |\n", header.join(" | "));
    let _ = writeln!(text, "|---:|---|---:|{}---|", "---:|".repeat(parts.len()));
    for team in &contest.ranking {
        let values: Vec<String> = parts.iter().map(|part| digits.part(team, part)).collect();
        let (rank, score) = (rank_words(team), digits.score(team));
        let remark = markdown::escaped(&remark(team));
        let _ = writeln!(
            text,
            "| {rank} | {} | {score} | {} | {remark} |",
            escaped(&team.team),
            values.join(" | ")
        );
    }
    let _ = writeln!(text, "\n`score = {}`\n", printable(&contest.rules.formula).replace('`', "'"));
    for pair in contest.significance.iter().filter(|pair| is_neighbour(contest, &pair.above, &pair.below)) {
        let (above, below) = (escaped(&pair.above), escaped(&pair.below));
        let _ = writeln!(text, "- {above} above {below} in {} of the resamples", percent(pair.share));
    }
    text
}

fn as_latex(contest: &ContestReport) -> String {
    let (parts, digits) = (part_names(contest), RankingDigits::of(contest));
    let escaped = |text: &str| latex::escaped(&name(text));
    let columns = "r".repeat(parts.len());
    let header: Vec<String> = parts.iter().map(|part| escaped(part)).collect();
    let mut text = format!(
        "% needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{rlr{columns}}}\n\\toprule\nRank & Team & Score & {} \
         \\\\\n\\midrule\n",
        header.join(" & ")
    );
    for team in &contest.ranking {
        let cell = |words: String| {
            if words == MISSING {
                return "--".to_owned();
            }
            match words.strip_prefix("Σ ") {
                Some(rest) => format!("$\\Sigma$ {rest}"),
                None => format!("${}$", latex::mathematical(&words)),
            }
        };
        let mut cells = vec![rank_words(team), escaped(&team.team), cell(digits.score(team))];
        cells.extend(parts.iter().map(|part| cell(digits.part(team, part))));
        let _ = writeln!(text, "{} \\\\", cells.join(" & "));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

/// One test per submission: a broken one fails, one without a score is skipped.
fn as_junit(contest: &ContestReport) -> String {
    let missions = contest.ranking.iter().flat_map(|team| team.missions.iter().map(move |m| (team, m)));
    let tests: Vec<junit::Test> =
        missions.map(|(team, mission)| submission_test(&team.team, mission)).collect();
    let classes = vec!["submissions".to_owned(); tests.len()];
    junit::document(&[junit::Suite { name: name(&contest.title), classes, tests }])
}

fn submission_test(team: &str, mission: &MissionResult) -> junit::Test {
    let reason = || mission.reason.clone().unwrap_or_default();
    let outcome = match mission.outcome {
        Outcome::Scored => junit::Outcome::Passed,
        Outcome::Broken => junit::Outcome::Failed(reason()),
        Outcome::Undefined => junit::Outcome::Skipped(reason()),
    };
    let title = format!("{} {}", name(team), name(&mission.mission)).trim().to_owned();
    let values = mission.score.map(|score| ("score", score.to_string())).into_iter().collect();
    junit::Test { class: "submissions", name: title.clone(), metric: title, values, outcome }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::example;

    #[test]
    fn every_format_shows_every_team() {
        let contest = example::contest();
        junit::tests::assert_junit_shape(&ranking(&contest, Format::Junit).unwrap());
        for format in Format::ALL {
            let text = ranking(&contest, format).unwrap();
            assert!(
                text.ends_with('\n') && text.contains("Alpha") && text.contains("Beta"),
                "{}",
                format.name()
            );
        }
    }

    #[test]
    fn a_broken_submission_says_why_and_a_judge_s_value_is_marked() {
        let text = ranking(&example::contest(), Format::Table).unwrap();
        assert!(text.contains("broken: map.yaml: cut off"), "{text}");
        assert!(text.contains("has values entered by a judge"));
        assert!(
            ranking(&example::contest(), Format::Junit)
                .unwrap()
                .contains("<failure message=\"map.yaml: cut off\"")
        );
    }

    #[test]
    fn no_name_adds_a_tag_a_row_or_a_formula() {
        let hostile = ["<b>x</b>", "a\nb", "=1+1", "| x |", "a & b \\\\ $c$", "\u{202e}abc", "a\u{1b}[2J"];
        for name in hostile.map(str::to_owned).into_iter().chain(["x".repeat(10_000)]) {
            let mut contest = example::contest();
            contest.ranking[0].team.clone_from(&name);
            contest.significance[0].above.clone_from(&name);
            let plain = example::contest();
            for format in [Format::Table, Format::Md, Format::Latex, Format::Junit, Format::Html] {
                let lines = |contest: &ContestReport| ranking(contest, format).unwrap().lines().count();
                assert_eq!(lines(&contest), lines(&plain), "{} {name:.20}", format.name());
                let text = ranking(&contest, format).unwrap();
                // A tag is one only where somebody reads tags.
                let reads_tags = matches!(format, Format::Html | Format::Junit | Format::Md);
                assert!(!reads_tags || !text.contains("<b>"), "{}", format.name());
                assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
                assert!(text.len() < ranking(&plain, format).unwrap().len() + 4000);
            }
            let csv = ranking(&contest, Format::Csv).unwrap();
            assert!(!csv.contains(",=1"), "{csv}");
        }
    }
}
