//! The two guards of the tree: which crate may use which, and how large and how named files may be.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

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
    ("cli", LAYERS_0_TO_5),
    ("server", LAYERS_0_TO_5),
    ("py", LAYERS_0_TO_5),
    ("bench", LAYERS_0_TO_5),
    ("testkit", &["model"]),
];
const LAYERS_0_TO_4: &[&str] =
    &["model", "formats", "raster", "align", "explore", "sim", "metrics", "mapper", "truth", "report"];
const LAYERS_0_TO_5: &[&str] = &[
    "model", "formats", "raster", "align", "explore", "sim", "metrics", "mapper", "truth", "report", "suite",
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
