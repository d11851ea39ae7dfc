//! `report.json` and `contest.json` of two small maps, byte for byte: whoever reads them with a program sees each change
//! of a name or a number in review.

use std::path::Path;
use std::process::Command;

/// Cells of 0.5 m.
const HEADER: &str = "resolution: 0.5\norigin: 0 0 0\n";

/// Two rooms and the door between them.
const TRUTH: [&str; 5] = ["#########", "#...#...#", "#...#...#", "#.......#", "#########"];

/// One wall cell of the south is missing.
const ASH: [&str; 5] = ["#########", "#...#...#", "#...#...#", "#.......#", "#######.#"];

/// The door is closed, two wall cells are missing, one cell is unknown.
const BEECH: [&str; 5] = ["#########", "#...#...#", "#?..#...#", "#...#...#", "######..#"];

const RULES: &str = "\
name = 'walls'
title = 'Walls'
source = 'two metrics of one map, for a test'
formula = 'w_error*E + w_distance*D'
better = 'lower'
[weights]
w_error = 1
w_distance = 10
[inputs]
map = { required = true, pattern = 'map.txt' }
[plan]
align = 'none'
[[parts]]
name = 'E'
title = 'Cells that differ'
from = { kind = 'measured', value = 'overall_error' }
[[parts]]
name = 'D'
title = 'Distance of the walls, cells'
from = { kind = 'measured', value = 'picture_distance' }
";

const CONTEST: &str = "\
title = 'Two maps of two rooms'
profile = 'rules.toml'
truth = { map = 'arena/truth.txt' }
teams = [{ name = 'ash', folder = 'ash' }, { name = 'beech', folder = 'beech' }]
";

fn assert_output(arguments: &[&str], file: &str) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for (name, rows) in [("arena/truth.txt", TRUTH), ("ash/map.txt", ASH), ("beech/map.txt", BEECH)] {
        write(name, format!("{HEADER}{}\n", rows.join("\n")));
    }
    write("rules.toml", RULES.to_owned());
    write("contest.toml", CONTEST.to_owned());
    let output = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args(arguments)
        .args(["--out", "result"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let written = std::fs::read_to_string(folder.path().join("result").join(file)).unwrap();
    testkit::assert_golden(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file), &written);
}

#[test]
fn a_report_is_what_was_agreed() {
    let metrics = "overall_error,picture_distance,baron_correlation";
    let maps = ["score", "ash/map.txt", "beech/map.txt", "--truth", "arena/truth.txt"];
    assert_output(&[&maps[..], &["--align", "none", "--metrics", metrics]].concat(), "report.json");
}

#[test]
fn a_contest_is_what_was_agreed() {
    assert_output(&["contest", "contest.toml"], "contest.json");
}
