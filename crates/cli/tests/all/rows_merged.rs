//! `mapjudge merge` from outside: order, missing and doubled lines, conflicts, hostile files.

use serde_json::Value;

use crate::rows::{Place, manifest, told};

const ONE_FILE: &str = "out/rows-00001-of-00001.jsonl";

fn merge(place: &Place, file: &str) -> (i32, String) {
    let output = place.run(&["merge", "out", "--manifest", "pairs.jsonl", "--out", file, "--force"]);
    (output.status.code().unwrap(), told(&output))
}

fn scored(lines: usize) -> Place {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(lines));
    place.score("out", &[]);
    place
}

#[test]
fn missing_and_doubled_rows_are_reported() {
    let place = scored(30);
    let whole = place.read(ONE_FILE);
    let is_kept = |line: &&str| ![2, 3, 4, 17].iter().any(|n| line.contains(&format!("\"id\":\"row {n}\"")));
    let kept: String = whole.lines().filter(is_kept).map(|line| format!("{line}\n")).collect();
    place.write(ONE_FILE, &kept);
    let (code, words) = merge(&place, "all.jsonl");
    assert_eq!(code, 1, "{words}");
    assert!(words.contains("4 of 30 lines have no result: 3-5, 18"), "{words}");
    assert_eq!(place.rows("all.jsonl").len(), 26, "what is there is written");
    let doubled: String = whole.lines().skip(1).map(|line| format!("{line}\n")).collect();
    place.write(ONE_FILE, &(whole.clone() + &doubled));
    let (code, words) = merge(&place, "all.jsonl");
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("30 rows stand there more than once"), "{words}");
    assert_eq!(place.rows("all.jsonl").len(), 30);
    place.write("pairs.jsonl", &manifest(20));
    let (code, words) = merge(&place, "all.jsonl");
    assert!(code == 0 && words.contains("20 rows belong to no line of the manifest"), "{words}");
    place.write("pairs.jsonl", &(manifest(20) + &manifest(1)));
    let (code, words) = merge(&place, "all.jsonl");
    assert!(code == 2 && words.contains("line 21 stands in line 1 already"), "{words}");
}

#[test]
fn results_that_are_not_repeatable_are_shown() {
    let place = scored(5);
    let whole = place.read(ONE_FILE);
    let row = whole.lines().find(|line| line.contains("\"id\":\"row 3\"")).unwrap();
    let other = row.replace("\"overall_error\":1.0", "\"overall_error\":2.0");
    assert_ne!(row, other);
    place.write("out/rows-00001-of-00009.jsonl", &format!("{}\n{other}\n", whole.lines().next().unwrap()));
    let (code, words) = merge(&place, "all.jsonl");
    assert_eq!(code, 2, "{words}");
    assert!(words.contains("line 4: two results rest on the same inputs and differ"), "{words}");
    assert!(words.contains("\"overall_error\":1.0") && words.contains("\"overall_error\":2.0"), "{words}");
    assert!(!place.path("all.jsonl").exists(), "no table hides it");
}

#[test]
fn tables_have_a_column_per_metric_and_tag() {
    let place = scored(10);
    assert_eq!(merge(&place, "all.csv").0, 0);
    let table = place.read("all.csv");
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    for name in [
        "line",
        "id",
        "status",
        "code",
        "coverage",
        "overall_error",
        "occupied_f1",
        "tags.seed",
        "row",
        "key",
    ] {
        assert!(head.contains(&name), "{name}: {head:?}");
    }
    assert_eq!(table.lines().count(), 11);
    assert!(table.lines().nth(10).unwrap().starts_with("10,row 9,error,FILE_NOT_READABLE,"), "{table}");
    assert_eq!(merge(&place, "all.parquet").0, 0);
    let bytes = std::fs::read(place.path("all.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert!(String::from_utf8_lossy(&bytes).contains("mapjudge.rows/1"), "the header is in the metadata");
    let (code, words) = merge(&place, "all.xlsx");
    assert!(code == 2 && words.contains(".parquet"), "{words}");
}

#[test]
fn a_merged_file_can_be_merged_again_and_is_never_its_own_input() {
    let place = scored(10);
    assert_eq!(merge(&place, "all.jsonl").0, 0);
    let output = place.run(&["merge", "all.jsonl", "--manifest", "pairs.jsonl", "--out", "again.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(place.read("all.jsonl"), place.read("again.jsonl"));
    let output =
        place.run(&["merge", "all.jsonl", "--manifest", "pairs.jsonl", "--out", "all.jsonl", "--force"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let output = place.run(&["merge", "out", "--manifest", "pairs.jsonl", "--out", "all.jsonl"]);
    assert_eq!(output.status.code(), Some(2), "a file that is there stays");
    let output = place.run(&["merge", "nowhere", "--manifest", "pairs.jsonl", "--out", "new.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn hostile_row_files_are_refused_without_a_panic() {
    let place = scored(3);
    let whole = place.read(ONE_FILE);
    let (header, row) = (whole.lines().next().unwrap(), whole.lines().nth(1).unwrap());
    let many: String = (0..5000).map(|n| format!("\"t{n}\":{n},")).collect();
    let cases = [
        String::new(),
        "\n".to_owned(),
        "[]\n".to_owned(),
        format!("{row}\n"),
        format!("{header}\n{{}}\n"),
        format!("{header}\n\u{0}\u{0}\n"),
        format!("{header}\n{}\n", "[".repeat(200_000)),
        format!("{header}\n{}\n", row.replace("\"key\":\"", "\"key\":\"zz")),
        format!("{header}\n{}\n", row.replace("\"tags\":{", &format!("\"tags\":{{{many}"))),
        format!("{header}\n{}\n", row.replace("\"overall_error\":", "\"overall_error\":\"text\",\"x\":")),
        format!("{}\n{row}\n", header.replace("\"hash\":\"", "\"hash\":\"é")),
    ];
    for (number, content) in cases.iter().enumerate() {
        place.write(ONE_FILE, content);
        let (code, words) = merge(&place, "all.csv");
        assert!(code == 2 || code == 1, "case {number}: {code} {words}");
        assert!(!words.contains("panicked"), "case {number}: {words}");
    }
    place.write(ONE_FILE, whole.trim_end());
    let (code, words) = merge(&place, "all.jsonl");
    assert!(code == 1 && words.contains("the last line has no end"), "{words}");
}

#[test]
fn the_summary_is_json_where_programs_ask_for_it() {
    let place = scored(10);
    let arguments = ["merge", "out", "--manifest", "pairs.jsonl", "--out", "a.jsonl", "--format", "json"];
    let summary: Value = serde_json::from_slice(&place.run(&arguments).stdout).unwrap();
    assert_eq!((&summary["lines"], &summary["rows"], &summary["files"]), (&10.into(), &10.into(), &1.into()));
}
