//! Table 1 of Kleiner et al. 2009 for all teams, and their errors by region and by ground.

use std::fmt::Write;

use metrics::MetricEvidence;
use metrics::trajectory::relation_groups::GroupErrors;
use metrics::trajectory::relative_displacement::RelationsEvidence;
use report::CaseReport;

/// Mean and deviation of the absolute and the squared error, and the largest one, of translation and of rotation, as
/// Markdown; the errors by region and by ground below it, where something tells them.
#[must_use]
pub fn error_table(cases: &[CaseReport]) -> String {
    let mut text = String::from(
        "| team | relations | abs. trans. (m) | sqr. trans. (m²) | max. trans. (m) | abs. rot. (deg) | sqr. rot. (deg²) | max. rot. (deg) |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (name, relations) in cases.iter().filter_map(of_case) {
        text.push_str(&format!("| {name} | {} |", relations.matched));
        for statistics in [&relations.translation_m, &relations.rotation_deg] {
            text.push_str(&format!(
                " {:.4} ± {:.4} | {:.4} ± {:.4} | {:.4} |",
                statistics.mean,
                statistics.std,
                statistics.mean_square,
                statistics.std_square,
                statistics.max
            ));
        }
        text.push('\n');
    }
    for (title, groups) in GROUPS {
        let rows: Vec<_> = rows(cases, *groups).collect();
        if rows.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "\n| team | {title} | relations | abs. trans. (m) | max. trans. (m) | abs. rot. (deg) |\n|---|---|---|---|---|---|\n"
        ));
        for (name, group) in rows {
            let (trans, rot) = (&group.translation_m, &group.rotation_deg);
            text.push_str(&format!(
                "| {name} | {} | {} | {:.4} ± {:.4} | {:.4} | {:.4} ± {:.4} |\n",
                group.name, group.relations, trans.mean, trans.std, trans.max, rot.mean, rot.std
            ));
        }
    }
    text
}

/// The same for a terminal; empty without relations.
#[must_use]
pub fn relation_table(cases: &[CaseReport]) -> String {
    let mut text = String::new();
    for (name, relations) in cases.iter().filter_map(of_case) {
        if text.is_empty() {
            let _ = writeln!(
                text,
                "\nerrors of relations (Kleiner et al. 2009, Table 1)\n  {:<16} {:>6}  {:>18}  {:>20}  {:>9}  {:>18}",
                "team", "count", "abs. trans. [m]", "sqr. trans. [m²]", "max. [m]", "abs. rot. [deg]"
            );
        }
        let (trans, rot) = (&relations.translation_m, &relations.rotation_deg);
        let _ = writeln!(
            text,
            "  {:<16} {:>6}  {:>18}  {:>20}  {:>9.4}  {:>18}",
            short(name),
            relations.matched,
            with_deviation(trans.mean, trans.std),
            with_deviation(trans.mean_square, trans.std_square),
            trans.max,
            with_deviation(rot.mean, rot.std)
        );
    }
    for (title, groups) in GROUPS {
        for (index, (name, group)) in rows(cases, *groups).enumerate() {
            if index == 0 {
                let _ = writeln!(
                    text,
                    "\nerrors of relations by {title}\n  {:<16} {:<12} {:>6}  {:>18}  {:>9}  {:>18}",
                    "team", title, "count", "abs. trans. [m]", "max. [m]", "abs. rot. [deg]"
                );
            }
            let (trans, rot) = (&group.translation_m, &group.rotation_deg);
            let _ = writeln!(
                text,
                "  {:<16} {:<12} {:>6}  {:>18}  {:>9.4}  {:>18}",
                short(name),
                short(&group.name),
                group.relations,
                with_deviation(trans.mean, trans.std),
                trans.max,
                with_deviation(rot.mean, rot.std)
            );
        }
    }
    text
}

/// Which groups of a run a table shows.
type GroupsOf = fn(&RelationsEvidence) -> &[GroupErrors];

const GROUPS: &[(&str, GroupsOf)] =
    &[("region", |relations| &relations.by_region), ("ground", |relations| &relations.by_ground)];

fn rows(cases: &[CaseReport], groups: GroupsOf) -> impl Iterator<Item = (&str, &GroupErrors)> {
    let of_cases = cases.iter().filter_map(of_case);
    of_cases.flat_map(move |(name, relations)| groups(relations).iter().map(move |group| (name, group)))
}

fn of_case(case: &CaseReport) -> Option<(&str, &RelationsEvidence)> {
    case.metrics.iter().find_map(|record| match &record.evidence.of_metric {
        Some(MetricEvidence::Relations(relations)) => Some((case.name.as_str(), relations)),
        _ => None,
    })
}

fn with_deviation(mean: f64, std: f64) -> String {
    format!("{} ± {std:.4}", report::fixed(mean, 4))
}

fn short(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(16).collect()
}
