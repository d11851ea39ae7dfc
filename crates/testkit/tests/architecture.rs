//! Guards of the source tree: which crate may use which, how large files and functions may be and how they are named,
//! where reports are made, who may know of file paths and of command-line flags.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use mapjudge_testkit::RustSource;
use serde_json::Value;

/// Files that break a guard today. Each list only shrinks; a guard holds without exception once its list is empty.
struct AllowedForNow {
    make_case_reports: &'static [&'static str],
    name_paths: &'static [&'static str],
    name_flags: &'static [&'static str],
    write_files: &'static [&'static str],
    long_functions: &'static [&'static str],
}

const ALLOWED_FOR_NOW: AllowedForNow = AllowedForNow {
    make_case_reports: &[],
    // The mapping half has edges of its own; none of them judges.
    name_paths: &[
        "suite/src/arena/mod.rs",
        "suite/src/challenge.rs",
        "suite/src/demo/arena.rs",
        "suite/src/demo/mapping.rs",
        "suite/src/demo/mod.rs",
        "suite/src/demo/office_maps.rs",
        "suite/src/demo/team.rs",
        "suite/src/effort.rs",
        "suite/src/exploration/files.rs",
        "suite/src/ground_truth/files.rs",
        "suite/src/ground_truth/record_file.rs",
        "suite/src/mapping/files.rs",
        "suite/src/optimize.rs",
        "suite/src/simulate/files.rs",
    ],
    name_flags: &[],
    // A store of its own, each entry by rename.
    write_files: &[],
    long_functions: &[],
};

/// What each crate may use. Data flows one way: bytes, model, alignment, metrics, report, shells.
const ALLOWED: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("formats", &["model"]),
    ("raster", &["model"]),
    ("align", &["raster", "model"]),
    ("explore", &["raster", "model"]),
    ("sim", &["formats", "raster", "model"]),
    ("metrics", &["align", "raster", "model"]),
    ("mapper", &["align", "raster", "model"]),
    ("truth", &["align", "formats", "model"]),
    ("report", &["metrics", "model"]),
    ("suite", LAYERS_0_TO_4),
    ("cli", LAYERS_0_TO_6),
    ("server", LAYERS_0_TO_5),
    ("py", LAYERS_0_TO_7),
    ("bench", LAYERS_0_TO_5),
    ("testkit", &["model"]),
];
const LAYERS_0_TO_4: &[&str] =
    &["model", "formats", "raster", "align", "explore", "sim", "metrics", "mapper", "truth", "report"];
const LAYERS_0_TO_5: &[&str] = &[
    "model", "formats", "raster", "align", "explore", "sim", "metrics", "mapper", "truth", "report", "suite",
];

const LAYERS_0_TO_7: &[&str] = &[
    "model", "formats", "raster", "align", "explore", "sim", "metrics", "mapper", "truth", "report", "suite",
    "server", "cli",
];

const LAYERS_0_TO_6: &[&str] = &[
    "model", "formats", "raster", "align", "explore", "sim", "metrics", "mapper", "truth", "report", "suite",
    "server",
];

/// The root of the repository, without detours: names of folders on the way must not count.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root of the repository")
}

/// Modules that are compiled for tests only: `#[cfg(test)]` before `mod name;`.
fn test_modules(files: &[PathBuf]) -> Vec<String> {
    let text = |file: &PathBuf| std::fs::read_to_string(file).expect("a text file");
    let names = |text: String| -> Vec<String> {
        let after = text.split("#[cfg(test)]\nmod ").skip(1).filter_map(|rest| rest.split_once(';'));
        after.map(|(name, _)| name.to_owned()).filter(|name| !name.contains(' ')).collect()
    };
    files.iter().map(text).flat_map(names).collect()
}

/// Folder below `crates` of each package of the workspace, and the packages it uses outside of tests.
fn uses() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let folder = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        manifest.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned()
    };
    let folders: BTreeMap<&str, String> =
        packages.iter().map(|p| (p["name"].as_str().expect("a name"), folder(p))).collect();
    let used = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a list").iter();
        let shipped = dependencies.filter(|d| d["kind"] != "dev");
        shipped.filter_map(|d| folders.get(d["name"].as_str()?).cloned()).collect()
    };
    packages.iter().map(|package| (folder(package), used(package))).collect()
}

#[test]
fn crates_use_only_what_the_design_allows() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let mut wrong = Vec::new();
    for (name, used) in uses() {
        let Some(allowed) = allowed.get(name.as_str()) else {
            wrong.push(format!("crates/{name} stands in no layer"));
            continue;
        };
        let forbidden = used.iter().filter(|other| !allowed.contains(&other.as_str()));
        wrong.extend(forbidden.map(|other| format!("{name} must not use {other}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Everything that the program is built from with these features.
fn built_from(features: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "mapjudge-cli",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--locked",
            "--offline",
        ])
        .args(features)
        .current_dir(root())
        .output()
        .expect("cargo tree runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn without_the_feature_serve_nothing_of_a_server_is_built() {
    let of_servers =
        ["axum ", "hyper ", "tokio ", "tower ", "sqlx ", "rusqlite ", "postgres ", "mapjudge-server "];
    let has = |tree: &str, name: &str| tree.lines().any(|line| line.starts_with(name));
    let (with, without) =
        (built_from(&[]), built_from(&["--no-default-features", "--features", "bags,parquet"]));
    assert!(has(&with, "axum ") && has(&without, "mapjudge-cli "));
    for name in of_servers {
        assert!(!has(&without, name), "{name}");
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

#[test]
fn files_are_short_and_named_after_what_they_hold() {
    const LONGEST: usize = 400;
    const DRAWERS: [&str; 7] = ["util", "utils", "helper", "helpers", "common", "misc", "lib_utils"];
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    assert!(files.len() > 50, "only {} files found", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text file");
        let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        let below = file.strip_prefix(root()).expect("a file of the repository").to_owned();
        let in_tests = below.components().any(|part| part.as_os_str() == "tests");
        if lines > LONGEST && !in_tests {
            wrong.push(format!("{}: {lines} lines before its tests, at most {LONGEST}", file.display()));
        }
        let mut names = below.components().map(|part| part.as_os_str().to_string_lossy());
        if names.any(|name| DRAWERS.contains(&name.trim_end_matches(".rs"))) {
            wrong.push(format!("{}: a drawer for leftovers; name the noun instead", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shipped_code_has_no_unfinished_or_panicking_places() {
    const MARKS: [&str; 6] = ["todo!(", "unimplemented!(", "unreachable!()", ".unwrap()", "dbg!(", "FIXME"];
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let for_tests = test_modules(&files);
    let is_shipped = |file: &PathBuf| {
        let below = file.strip_prefix(root()).expect("a file of the repository");
        let in_tests = below
            .components()
            .any(|part| ["tests", "testkit", "examples"].contains(&&*part.as_os_str().to_string_lossy()));
        let stem = file.file_stem().expect("a name").to_string_lossy();
        !in_tests && !for_tests.iter().any(|name| *name == stem)
    };
    assert!(files.iter().filter(|file| is_shipped(file)).count() > 50, "shipped files were not found");
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| is_shipped(file)) {
        let text = std::fs::read_to_string(file).expect("a text file");
        let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).enumerate();
        for (number, line) in code.filter(|(_, line)| !line.trim_start().starts_with("//")) {
            if let Some(mark) = MARKS.iter().find(|mark| line.contains(**mark)) {
                wrong.push(format!("{}:{}: {mark}", file.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files of shipped code below some folders of `crates`, by their path from `crates` on.
fn shipped<S: AsRef<str>>(folders: &[S]) -> BTreeMap<String, RustSource> {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let for_tests = test_modules(&files);
    let mut found = BTreeMap::new();
    for file in files {
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let below = file.strip_prefix(root().join("crates")).expect("a file of a crate");
        let name = below.to_string_lossy().replace('\\', "/");
        let is_wanted = folders.iter().any(|folder| name.starts_with(&format!("{}/", folder.as_ref())));
        if is_wanted && !name.contains("/tests/") && !for_tests.contains(&stem) {
            let text = std::fs::read_to_string(&file).expect("a text file");
            found.insert(name, RustSource::parse(&text));
        }
    }
    assert!(found.len() >= folders.len(), "only {} shipped files", found.len());
    found
}

/// Fails if a file has faults and is not allowed to, naming each place as `file:line: fault`.
fn assert_none(faults: &[(String, usize, String)], allowed: &[&str]) {
    let wrong = faults.iter().filter(|(file, ..)| !allowed.contains(&file.as_str()));
    let wrong: Vec<_> = wrong.map(|(file, line, fault)| format!("crates/{file}:{line}: {fault}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_case_report_is_made_in_one_place() {
    let folders: Vec<&str> =
        ALLOWED.iter().map(|(name, _)| *name).filter(|name| *name != "testkit").collect();
    let mut places = Vec::new();
    for (file, source) in shipped(&folders) {
        places.extend(source.lines_that_construct("CaseReport").into_iter().map(|line| (file.clone(), line)));
    }
    assert!(!places.is_empty(), "no place found that makes a CaseReport");
    places.retain(|(file, _)| !ALLOWED_FOR_NOW.make_case_reports.contains(&file.as_str()));
    assert!(places.len() <= 1, "a CaseReport is made at {places:?}");
}

#[test]
fn only_the_edge_knows_of_file_paths() {
    const VALUES_ONLY: [&str; 8] =
        ["metrics", "report", "align", "mapper", "truth", "raster", "model", "suite"];
    let mut faults = Vec::new();
    for (file, source) in shipped(&VALUES_ONLY.map(|name| format!("{name}/src"))) {
        if file.starts_with("suite/src/files/") || file == "suite/src/files.rs" {
            continue;
        }
        for word in ["std::path", "PathBuf"] {
            faults.extend(
                source.lines_with(word).into_iter().map(|line| (file.clone(), line, word.to_owned())),
            );
        }
    }
    assert_none(&faults, ALLOWED_FOR_NOW.name_paths);
}

/// A file that is written in place is half after a crash, and one that is replaced without a question is lost. So files are
/// written by few: whole ones beside their place, the results of a contest together, stored measurements that carry a
/// hash, a secret, recordings, the lines of a record and rows under a lock, what an archive is unpacked into, the inputs of a
/// program of other people in the empty folder that is removed with it, and objects under the hash of their bytes.
#[test]
fn files_are_written_in_few_places() {
    const WRITERS: [&str; 12] = [
        "server/src/contest/objects.rs",
        "suite/src/files/whole_file.rs",
        "suite/src/files/foreign_program.rs",
        "suite/src/files/recording.rs",
        "suite/src/files/rows/row_file.rs",
        "suite/src/files/contest/folder_store.rs",
        "suite/src/files/contest/secret.rs",
        "suite/src/files/staging.rs",
        "suite/src/files/archive.rs",
        "suite/src/ground_truth/record_file.rs",
        "server/src/contest/jobs/materialise.rs",
        "server/src/contest/jobs/scratch.rs",
    ];
    // Renders benchmark tables for whoever develops mapjudge, and test files.
    const NOT_SHIPPED: [&str; 2] = ["bench", "testkit"];
    const WORDS: [&str; 6] =
        ["fs::write", "File::create", "OpenOptions", "fs::rename", "fs::copy", "fs::hard_link"];
    let folders: Vec<String> = ALLOWED
        .iter()
        .filter(|(name, _)| !NOT_SHIPPED.contains(name) && root().join("crates").join(name).exists())
        .map(|(name, _)| format!("{name}/src"))
        .collect();
    let mut faults = Vec::new();
    for (file, source) in shipped(&folders).into_iter().filter(|(file, _)| !WRITERS.contains(&file.as_str()))
    {
        for word in WORDS {
            let lines = source.lines_with(word).into_iter();
            faults.extend(lines.map(|line| (file.clone(), line, word.to_owned())));
        }
    }
    assert_none(&faults, ALLOWED_FOR_NOW.write_files);
}

/// Hints that name flags belong to the command line: a library's user has none. A literal that is a whole command line or
/// a comment of a generated file is data and may.
#[test]
fn texts_below_the_command_line_name_no_flag() {
    let mut faults = Vec::new();
    for (file, source) in shipped(LAYERS_0_TO_5) {
        let named = source.literals().into_iter().filter(|(_, text)| names_a_flag(text));
        faults.extend(named.map(|(line, text)| (file.clone(), line, format!("\"{text}\""))));
    }
    assert_none(&faults, ALLOWED_FOR_NOW.name_flags);
}

/// `--` and a lower-case letter after it, at the beginning of a word.
fn names_a_flag(text: &str) -> bool {
    if text.starts_with("mapjudge ") || text.starts_with("# ") {
        return false;
    }
    text.match_indices("--").any(|(at, dashes)| {
        let follows = text[at + dashes.len()..].starts_with(|next: char| next.is_ascii_lowercase());
        follows && !text[..at].ends_with(|last: char| last.is_alphanumeric() || last == '-')
    })
}

#[test]
fn a_flag_is_two_dashes_and_a_letter() {
    assert!(names_a_flag("give the truth with --truth FILE") && names_a_flag("`--out`"));
    assert!(
        names_a_flag("`mapjudge align --help` lists them") && !names_a_flag("mapjudge align a.png --out b")
    );
    assert!(
        !names_a_flag("a -- b") && !names_a_flag("1--x") && !names_a_flag("--") && !names_a_flag("---table")
    );
}

#[test]
fn functions_are_short() {
    const MAX_LINES: usize = 60;
    let folders: Vec<&str> =
        ALLOWED.iter().map(|(name, _)| *name).filter(|name| *name != "testkit").collect();
    let mut faults = Vec::new();
    for (file, source) in shipped(&folders) {
        let long = source.functions().into_iter().filter(|function| function.lines > MAX_LINES);
        faults.extend(long.map(|f| (file.clone(), f.line, format!("fn {} has {} lines", f.name, f.lines))));
    }
    assert_none(&faults, ALLOWED_FOR_NOW.long_functions);
}

/// Files of people and of strangers are read with a limit: `read_small`, `Loader::text` or a reader of the formats.
#[test]
fn no_file_is_read_whole_without_a_limit() {
    let mut faults = Vec::new();
    for (file, source) in
        shipped(&["suite/src", "cli/src", "sim/src", "truth/src", "report/src", "formats/src"])
    {
        for words in ["fs::read(", "fs::read_to_string("] {
            faults.extend(
                source.lines_with(words).into_iter().map(|line| (file.clone(), line, words.to_owned())),
            );
        }
    }
    assert_none(&faults, &[]);
}

/// Each test program links the whole crate again. The test kit is small and may have several.
#[test]
fn a_crate_has_at_most_one_test_program() {
    for folder in std::fs::read_dir(root().join("crates"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
    {
        if folder.ends_with("testkit") {
            continue;
        }
        let Ok(entries) = std::fs::read_dir(folder.join("tests")) else { continue };
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let is_program =
            |path: &PathBuf| path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists();
        let programs: Vec<PathBuf> = paths.filter(is_program).collect();
        assert!(programs.len() <= 1, "make these modules of one program: {programs:?}");
    }
}
