//! The line `Sees` of each card, and the matrices of `docs/lab.md`, say what the lab found: `docs/lab-matrix.csv` on generated
//! floors, `docs/lab-matrix-real.csv` on real maps.
//!
//! `MAPJUDGE_RENEW=1` writes them anew; the test `renews_the_matrix` of the suite makes the CSV.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mapjudge_metrics as metrics;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Metric, kind, verdict and level of the generated floors, in the order of the file; none before the lab has run.
fn found() -> Option<Vec<[String; 4]>> {
    found_in("lab-matrix")
}

/// The same of one of the stored matrices.
fn found_in(name: &str) -> Option<Vec<[String; 4]>> {
    let path = root().join(format!("docs/{name}.csv"));
    if !path.is_file() {
        testkit::skip(&format!("docs/{name}.csv is not there: the test renews_the_matrix makes it"));
        return None;
    }
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let words: Vec<&str> = line.split(',').collect();
        [0, 1, 2, 3].map(|column| words[column].to_owned())
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// Whether files are written anew.
fn renews() -> bool {
    std::env::var_os("MAPJUDGE_RENEW").is_some()
}

/// The words of a line: `noise, shift; late: bend; blind to: mirror.`
fn line_of(answers: &[&[String; 4]]) -> String {
    let parts = [
        ("sees", ""),
        ("late", "late: "),
        ("saturates", "saturates: "),
        ("blind", "blind to: "),
        ("misleads", "misled by: "),
        ("undefined", "undefined under: "),
    ];
    let kinds = |verdict: &str| -> Vec<&str> {
        answers.iter().filter(|answer| answer[2] == verdict).map(|answer| answer[1].as_str()).collect()
    };
    let words = parts.iter().filter_map(|(verdict, title)| {
        let kinds = kinds(verdict);
        match (kinds.is_empty(), *verdict) {
            (true, "sees") => Some("nothing early".to_owned()),
            (true, _) => None,
            _ => Some(format!("{title}{}", kinds.join(", "))),
        }
    });
    format!("Sees: {}. Damage of docs/lab.md, five generated floors.", words.collect::<Vec<_>>().join("; "))
}

#[test]
fn cards_say_what_the_lab_found() {
    let Some(found) = found() else { return };
    let mut by_metric: BTreeMap<&str, Vec<&[String; 4]>> = BTreeMap::new();
    found.iter().for_each(|answer| by_metric.entry(answer[0].as_str()).or_default().push(answer));
    assert!(by_metric.len() > 30, "{} metrics", by_metric.len());
    for (metric, answers) in by_metric {
        let spec = metrics::find(metric).unwrap_or_else(|| panic!("{metric} of the lab is no metric")).spec;
        let path = root().join(format!("crates/metrics/src/{}/{metric}.rs", spec.family.name()));
        let source = std::fs::read_to_string(&path).unwrap();
        let expected = with_line(&source, &line_of(&answers));
        if renews() && expected != source {
            std::fs::write(&path, &expected).unwrap();
        }
        let is_current = std::fs::read_to_string(&path).unwrap() == expected;
        assert!(is_current, "the card of {metric} is not what the lab found; renew it with MAPJUDGE_RENEW=1");
    }
}

/// The source with this line as the entry `Sees` of its header: in the place of the old one, or behind the header's last
/// entry.
fn with_line(source: &str, line: &str) -> String {
    const WIDTH: usize = 120;
    let header: Vec<&str> = source.lines().take_while(|line| line.starts_with("//!")).collect();
    let rest: Vec<&str> = source.lines().skip(header.len()).collect();
    let mut kept: Vec<String> = Vec::new();
    let mut is_old = false;
    for line in header {
        let starts_entry = metrics::CARD_KEYS.iter().any(|key| line.starts_with(&format!("//! {key}: ")));
        is_old = line.starts_with("//! Sees: ") || (is_old && !starts_entry && line != "//!");
        if !is_old {
            kept.push(line.to_owned());
        }
    }
    let mut wrapped = vec!["//!".to_owned()];
    for word in line.split(' ') {
        let last = wrapped.last_mut().unwrap();
        if last.len() + 1 + word.len() > WIDTH {
            wrapped.push(format!("//! {word}"));
        } else {
            last.push(' ');
            last.push_str(word);
        }
    }
    // Before `Undefined`, which ends a card, else at the end of the block of entries.
    let bias = kept.iter().position(|line| line.starts_with("//! Known bias: ")).expect("every card has one");
    let next = kept[bias + 1..].iter().position(|line| {
        line == "//!" || metrics::CARD_KEYS.iter().any(|key| line.starts_with(&format!("//! {key}: ")))
    });
    let at = next.map_or(kept.len(), |next| bias + 1 + next);
    kept.splice(at..at, wrapped);
    let lines = kept.iter().map(String::as_str).chain(rest);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_matrices_of_the_documentation_are_those_of_the_lab() {
    const END: &str = "<!-- end of matrix -->";
    let path = root().join("docs/lab.md");
    for name in ["lab-matrix", "lab-matrix-real"] {
        let Some(found) = found_in(name) else { continue };
        let begin = format!("<!-- matrix: made from docs/{name}.csv, renewed with MAPJUDGE_RENEW=1 -->\n");
        let page = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(&begin).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        let expected = format!("{before}{begin}{}{END}{after}", table(&found));
        if renews() {
            std::fs::write(&path, &expected).unwrap();
        }
        let is_current = std::fs::read_to_string(&path).unwrap() == expected;
        assert!(is_current, "docs/lab.md is not current; MAPJUDGE_RENEW=1 renews it");
    }
}

/// What the lab must find on five generated floors (X-LAB), read off the stored matrix.
#[test]
fn the_matrix_has_the_structure_of_known_damage() {
    let Some(found) = found() else { return };
    let path = root().join("docs/lab-matrix.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let (tau_at, sees_at) = (at("tau"), at("sees_level"));
    let row = |metric: &str, kind: &str| -> Vec<&str> {
        let start = format!("{metric},{kind},");
        text.lines().find(|line| line.starts_with(&start)).unwrap().split(',').collect()
    };
    let tau = |metric: &str, kind: &str| row(metric, kind)[tau_at].parse::<f64>().unwrap();
    let exempt = ["mirror", "blur", "unseen", "closed_door", "opened_wall"];
    for [_, kind, ..] in found
        .iter()
        .filter(|[metric, kind, ..]| metric == "tolerance_f1_area" && !exempt.contains(&kind.as_str()))
    {
        assert!(tau("tolerance_f1_area", kind) >= 0.9, "tolerance_f1_area under {kind}");
    }
    for (metric, kind) in [
        ("known_coverage", "thick_walls"),
        ("known_coverage", "ghost_walls"),
        ("known_coverage", "closed_door"),
        ("occupied_recall", "thick_walls"),
    ] {
        assert_eq!(tau(metric, kind), 0.0, "{metric} under {kind}");
    }
    // Closed doors are in order, and seen; a single one changes fewer paths than half a cell of displacement may.
    for metric in ["navigation_success", "path_usefulness", "path_false_negatives"] {
        assert!(tau(metric, "closed_door") >= 0.9, "{metric} under closed_door");
        assert!(!row(metric, "closed_door")[sees_at].is_empty(), "{metric} sees closed doors at no level");
    }
    // The penalty of the paper needs rooms, of which these floors have enough; ours is in order on every floor.
    assert!(tau("warp_penalty", "bend") >= 0.9, "warp_penalty under bend");
    assert_eq!(tau("wall_distortion", "bend"), 1.0, "wall_distortion under bend");
    assert!(found.iter().all(|[_, _, verdict, _]| verdict != "misleads"), "a metric rewards damage");
}

fn table(found: &[[String; 4]]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    let mut metrics: Vec<&str> = Vec::new();
    for [metric, kind, ..] in found {
        if !kinds.contains(&kind.as_str()) {
            kinds.push(kind);
        }
        if !metrics.contains(&metric.as_str()) {
            metrics.push(metric);
        }
    }
    let mut text = format!("\n| metric | {} |\n|---{}|\n", kinds.join(" | "), "|---".repeat(kinds.len()));
    for metric in metrics {
        let words = found.iter().filter(|answer| answer[0] == metric).map(|[_, _, verdict, level]| {
            let has_level = ["late", "saturates"].contains(&verdict.as_str()) && !level.is_empty();
            if has_level { format!("{verdict} {level}") } else { verdict.clone() }
        });
        text.push_str(&format!("| `{metric}` | {} |\n", words.collect::<Vec<_>>().join(" | ")));
    }
    text.push('\n');
    text
}
