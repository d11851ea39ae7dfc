//! `action.yml` and `Dockerfile`: the steps of the action run here with a stub of the forge, as far as that goes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const TRUTH: &str = "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#...#\n#####\n";
const MAP: &str = "resolution: 0.5\norigin: 0 0 0\n####.\n#...#\n#..#.\n####.\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn action() -> Value {
    let text = std::fs::read_to_string(root().join("action.yml")).unwrap();
    serde_saphyr::from_str(&text).unwrap()
}

/// A place where steps run: a folder with maps, and files that take what the action hands to the forge.
struct Runner {
    folder: tempfile::TempDir,
}

impl Runner {
    fn new() -> Self {
        let runner = Self { folder: tempfile::tempdir().unwrap() };
        runner.write("truth.txt", TRUTH);
        runner.write("maps/a map.txt", MAP);
        runner.write("maps/b.txt", TRUTH);
        // `gh api` writes down how it was called; the list of comments is what `comments` holds.
        runner.write(
            "bin/gh",
            "#!/bin/bash\necho \"$@\" >> calls\nif [ \"$2\" = --paginate ]; then cat comments; fi\n",
        );
        let path = runner.path("bin/gh");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        runner.write("comments", "");
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Runs a step with its environment: inputs from `inputs` or their defaults, everything else empty.
    fn step(&self, index: usize, inputs: &[(&str, &str)]) -> Output {
        let action = action();
        let step = &action["runs"]["steps"][index];
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["-c", step["run"].as_str().unwrap()]).current_dir(self.folder.path()).env("PATH", path);
        for file in ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"] {
            command.env(file, self.path(file));
        }
        command.env("RUNNER_TEMP", self.path("temp")).env("GITHUB_REPOSITORY", "team/robot");
        for (name, value) in step["env"].as_object().unwrap() {
            let expression = value.as_str().unwrap();
            let key = expression.trim_start_matches("${{ ").trim_end_matches(" }}");
            let default = key.strip_prefix("inputs.").map(|key| action["inputs"][key]["default"].clone());
            let default = default.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
            let given = inputs.iter().find(|(known, _)| *known == key).map(|(_, value)| (*value).to_owned());
            command.env(name, given.unwrap_or(default));
        }
        command.output().unwrap()
    }

    fn judge(&self, inputs: &[(&str, &str)]) -> String {
        let given = [
            ("steps.install.outputs.program", env!("CARGO_BIN_EXE_mapjudge")),
            ("inputs.files", "maps/*.txt"),
            ("inputs.truth", "truth.txt"),
            ("inputs.label", "abc"),
        ];
        let output = self.step(1, &[inputs, &given].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let outputs = self.read("GITHUB_OUTPUT");
        let code = outputs.lines().rev().find_map(|line| line.strip_prefix("exit-code="));
        code.unwrap_or_default().to_owned()
    }
}

fn has_bash() -> bool {
    let has = Command::new("bash").arg("--version").output().is_ok();
    if !has {
        testkit::skip("bash is absent");
    }
    has
}

#[test]
fn the_action_is_composite_and_runs_no_input_as_code() {
    let action = action();
    assert_eq!(action["runs"]["using"], "composite");
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert_eq!(step["shell"], "bash");
        let script = step["run"].as_str().unwrap();
        assert!(!script.contains("${{"), "inputs come by the environment, never into the script: {script}");
    }
    for (name, input) in action["inputs"].as_object().unwrap() {
        assert!(input["description"].as_str().is_some_and(|words| !words.is_empty()), "{name}");
    }
}

#[test]
fn the_program_is_taken_where_it_is_named() {
    if !has_bash() {
        return;
    }
    let runner = Runner::new();
    let output = runner.step(0, &[("inputs.program", env!("CARGO_BIN_EXE_mapjudge"))]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(runner.read("GITHUB_OUTPUT").starts_with("program="));
}

#[test]
fn a_pull_request_is_judged_compared_and_commented_on() {
    if !has_bash() {
        return;
    }
    let runner = Runner::new();
    assert_eq!(runner.judge(&[("inputs.baseline", "baseline.json")]), "0", "no baseline yet is no fault");
    std::fs::copy(runner.path("mapjudge-result/report.json"), runner.path("baseline.json")).unwrap();
    runner.write("maps/b.txt", MAP);
    runner.write("limits.toml", "[limits]\noverall_error = \"<= 99\"\n");
    let inputs = [
        ("inputs.baseline", "baseline.json"),
        ("inputs.limits", "limits.toml"),
        ("inputs.arguments", "--metrics cells\n--window truth"),
        ("inputs.history", "nightly"),
    ];
    assert_eq!(runner.judge(&inputs), "1");
    let comment = runner.read("mapjudge-result/comment.md");
    assert!(comment.starts_with("### mapjudge: worse"), "{comment}");
    assert!(comment.contains("### mapjudge: within the history"), "{comment}");
    assert!(runner.read("GITHUB_STEP_SUMMARY").ends_with(&comment));
    for file in ["report.html", "junit.xml", "history.html"] {
        assert!(runner.path("mapjudge-result").join(file).exists(), "{file}");
    }
    for (comments, call) in [
        ("", "--method POST repos/team/robot/issues/7/comments"),
        ("42\n", "--method PATCH repos/team/robot/issues/comments/42"),
    ] {
        runner.write("comments", comments);
        let posted = runner.step(2, &[("github.event.pull_request.number", "7")]);
        assert!(posted.status.success(), "{}", String::from_utf8_lossy(&posted.stderr));
        assert!(runner.read("calls").contains(call), "{}", runner.read("calls"));
    }
    assert!(runner.read("mapjudge-result/posted.md").starts_with("<!-- mapjudge -->\n### mapjudge: worse"));
    let last = runner.step(3, &[("steps.judge.outputs.exit-code", "1")]);
    assert_eq!(last.status.code(), Some(1));
}

#[test]
fn a_pattern_without_a_file_stops_the_action() {
    if !has_bash() {
        return;
    }
    let runner = Runner::new();
    let output = runner.step(1, &[("inputs.files", "nowhere/*.yaml"), ("inputs.truth", "truth.txt")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("::error::no file matches nowhere/*.yaml"));
}

#[test]
fn the_image_is_built_from_what_is_in_the_repository() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    for name in ["Dockerfile", "examples/docker/Dockerfile.static"] {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        assert!(text.contains(&format!("FROM rust:{}-slim AS build", version.trim_matches('"'))), "{text}");
        assert!(text.contains("--profile dist") && manifest.contains("[profile.dist]"));
        assert!(text.contains("USER 1000"), "nothing runs as root");
        let program = text.lines().find(|line| line.starts_with("COPY --from=build")).unwrap();
        assert!(
            text.contains(program.split('/').next_back().unwrap()),
            "what was built is copied: {program}"
        );
    }
}

/// Words of a script that are flags.
fn flags(words: &str) -> Vec<String> {
    // An array is filled as `rules+=(--limits ..)`.
    let word = |part: &str| part.split('(').next_back().unwrap().trim_matches([')', ';', '"']).to_owned();
    words.split_whitespace().map(word).filter(|word| word.starts_with("--") && word.len() > 2).collect()
}

fn help_of(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(words).arg("--help").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every flag that the action hands to the program stands in the help of the command that gets it.
#[test]
fn every_flag_of_the_action_is_known_to_its_command() {
    let action = action();
    let script = action["runs"]["steps"][1]["run"].as_str().unwrap().replace("\\\n", " ");
    let mut checked = 0;
    for line in script.lines() {
        let commands: &[&[&str]] = match line.split_once("\"$MAPJUDGE\" ").map(|(_, rest)| rest) {
            Some(rest) if rest.starts_with("\"$COMMAND\"") => &[&["score"], &["traj"]],
            Some(rest) if rest.starts_with("history add") => &[&["history", "add"]],
            Some(rest) if rest.starts_with("history check") => &[&["history", "check"]],
            Some(rest) if rest.starts_with("history show") => &[&["history", "show"]],
            None if line.contains("history_rules+=") => &[&["history", "check"]],
            None if line.contains("rules+=") => &[&["score"], &["traj"]],
            Some(rest) => panic!("no such command: {rest}"),
            None => continue,
        };
        let words = line.split_once("\"$MAPJUDGE\" ").map_or(line, |(_, rest)| rest);
        for (command, flag) in commands.iter().flat_map(|c| flags(words).into_iter().map(move |f| (c, f))) {
            let help = help_of(command);
            let is_known = help.split_whitespace().any(|word| word.trim_end_matches(',') == flag);
            assert!(is_known, "{command:?} has no {flag}");
            checked += 1;
        }
    }
    assert!(checked >= 15, "only {checked} flags were found");
    let default = action["inputs"]["command"]["default"].as_str().unwrap();
    assert!(help_of(&[default]).contains("--truth"));
}

/// What the action and the image build stands where they say, and the image copies what was built.
#[test]
fn every_path_of_the_action_and_of_the_image_exists() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let action = action();
    let install = action["runs"]["steps"][0]["run"].as_str().unwrap();
    let source = install.split("\"$SOURCE/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let manifest = read(&format!("{source}/Cargo.toml"));
    assert!(install.contains("$RUNNER_TEMP/mapjudge/bin/mapjudge"));
    let text = read("Dockerfile");
    let line =
        |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).unwrap().trim().to_owned();
    let build: Vec<String> = line("RUN ").split_whitespace().map(str::to_owned).collect();
    let after = |flag: &str| {
        let place = build.iter().position(|word| word == flag).unwrap();
        build[place + 1].clone()
    };
    assert_eq!(build[..3], ["cargo", "build", "--locked"]);
    assert!(manifest.contains(&format!("name = \"{}\"", after("-p"))), "{manifest}");
    assert!(manifest.contains(&format!("[[bin]]\nname = \"{}\"", after("--bin"))), "{manifest}");
    let made = format!("{}/target/{}/{}", line("WORKDIR "), after("--profile"), after("--bin"));
    let copied = line("COPY --from=build ");
    assert_eq!(copied.split_whitespace().next(), Some(made.as_str()));
    let program = copied.split('/').next_back().unwrap();
    assert_eq!(line("ENTRYPOINT "), format!("[\"{program}\"]"));
    // What is left out of the image must not be needed: nothing of the source is.
    for left_out in read(".dockerignore").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let name = left_out.trim_matches('/');
        let is_source = ["crates", "docs", "ui/dist", "Cargo.toml", "Cargo.lock", "ui", "*"].contains(&name);
        assert!(!is_source, "{left_out} is needed");
    }
    let example = text.lines().next().unwrap().split("mapjudge score").nth(1).unwrap();
    let help = help_of(&["score"]);
    assert!(flags(example).iter().all(|flag| help.contains(flag)), "{example}");
}
