//! Every dependency has a licence that `deny.toml` allows. Runs without cargo-deny and without a network.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn licences_are_those_that_deny_toml_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let list = std::fs::read_to_string(root.join("deny.toml")).unwrap();
    let allowed = list.split_once("allow = [").unwrap().1.split_once(']').unwrap().0;
    let allowed: Vec<&str> = allowed.split(',').map(|name| name.trim().trim_matches('"')).collect();
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", &host()])
        .current_dir(&root)
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "only {} packages", packages.len());
    let licence = |package: &Value| package["license"].as_str().unwrap_or_default().to_owned();
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !is_allowed(&licence(package), &allowed))
        .map(|package| format!("{}: {}", package["name"], licence(package)))
        .collect();
    assert!(refused.is_empty(), "not in deny.toml: {refused:#?}");
}

/// What this machine compiles for: crates of other systems are not here.
fn host() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let about = String::from_utf8(Command::new(rustc).arg("-vV").output().unwrap().stdout).unwrap();
    about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// Of each part of an expression one alternative must be allowed. Expressions of crates nest no deeper.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')', ' ']);
        part.split(" OR ").any(|name| allowed.contains(&name.trim_matches(['(', ')', ' '])))
    })
}

#[test]
fn alternatives_and_parts_are_told_apart() {
    let allowed = ["MIT", "Unicode-3.0"];
    assert!(is_allowed("MIT OR GPL-3.0", &allowed) && is_allowed("Apache-2.0/MIT", &allowed));
    assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(!is_allowed("MIT AND GPL-3.0", &allowed) && !is_allowed("", &allowed));
}
