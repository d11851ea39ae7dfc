//! The work behind `mapjudge serve`: what workers store is what `mapjudge contest` computes on the export, whatever teams
//! hand in and however workers end.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::contest::basis::FileRef;
use server::contest::chain::{NewEvent, append};
use server::contest::clock::Time;
use server::contest::decisions::{Decision, Replaces, Subject, decide};
use server::contest::export::{Extent, export};
use server::contest::jobs::{Worker, WorkerSettings, import, import_folders};
use server::contest::objects::Objects;
use server::contest::replay;
use server::contest::store::Database;
use server::contest::store::job_table::{JobKind, enqueue};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_mapjudge"))
}

/// A contest behind a server, without the server.
struct Judge {
    folder: tempfile::TempDir,
    database: Arc<Database>,
    objects: Objects,
}

impl Judge {
    fn new(write: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        let place = folder.path().join(".mapjudge");
        std::fs::create_dir(&place).unwrap();
        let database = Database::open(&format!("sqlite:{}", place.join("judge.db").display())).unwrap();
        let objects = Objects::open(&place.join("objects")).unwrap();
        Self { folder, database: Arc::new(database), objects }
    }

    fn submit(&self, team: &str, files: &[(&str, &[u8])]) -> String {
        let keep = |(name, bytes): &(&str, &[u8])| {
            let object = self.objects.put(bytes).unwrap();
            FileRef { name: (*name).to_owned(), blake3: object.hash, bytes: object.bytes }
        };
        let files: Vec<FileRef> = files.iter().map(keep).collect();
        self.database.write(|t| import::import(t, team, "", &files)).unwrap()
    }

    fn decide(&self, kind: Decision, submission: &str, name: &str, value: &Value) {
        let subject = Subject { kind, submission, name };
        let given = (value, "seen on the day");
        self.database.write(|t| decide(t, Time::now(), "Ada", subject, given, Replaces::All)).unwrap();
    }

    fn add(&self, kind: JobKind, subject: &str) {
        self.database.write(|t| enqueue(t, Time::now(), kind, subject, kind.priority())).unwrap();
    }

    /// Lets a worker do everything that waits.
    fn work(&self, settings: WorkerSettings) {
        let start = || {
            let mut command = program();
            command.env_clear();
            Ok(command)
        };
        let (database, objects) = (Arc::clone(&self.database), self.objects.clone());
        let worker = Worker::new(database, objects, settings, Box::new(start)).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| worker.run(&stop, &|words| println!("{words}")));
            let begun = Instant::now();
            while self.number("SELECT count(*) FROM job WHERE state IN ('waiting', 'leased')") > 0 {
                assert!(begun.elapsed() < Duration::from_secs(400), "something is stuck");
                std::thread::sleep(Duration::from_millis(20));
            }
            stop.store(true, Ordering::Relaxed);
        });
    }

    /// The ranking of everything that counts, as its bytes.
    fn rank(&self) -> Vec<u8> {
        self.work(WorkerSettings::default());
        // The first attempt may find something to be measured before.
        for _ in 0..2 {
            self.add(JobKind::Rank, "all");
            self.work(WorkerSettings::default());
        }
        let hash =
            self.text("SELECT contest_json FROM ranking WHERE draft_of IS NULL ORDER BY seq DESC LIMIT 1");
        self.objects.read(&hash, 1 << 30).unwrap()
    }

    fn number(&self, sql: &str) -> i64 {
        self.database.read(|t| t.one(sql, &[])).unwrap().unwrap().int(0).unwrap()
    }

    fn text(&self, sql: &str) -> String {
        self.database.read(|t| t.one(sql, &[])).unwrap().unwrap().text(0).unwrap()
    }

    /// The submissions of the newest ranking.
    fn counts(&self) -> Vec<String> {
        let sql = "SELECT submission FROM ranking_submission WHERE ranking = (SELECT max(seq) FROM ranking)";
        let rows = self.database.read(|t| t.query(sql, &[])).unwrap();
        rows.iter().map(|row| row.text(0).unwrap()).collect()
    }

    fn state(&self, submission: &str) -> (String, String) {
        let sql = "SELECT state, error FROM submission WHERE id = $1";
        let row = self.database.read(|t| t.one(sql, &[submission.into()])).unwrap().unwrap();
        (row.text(0).unwrap(), row.text_or_none(1).unwrap().unwrap_or_default())
    }

    fn findings(&self, submission: &str) -> Value {
        let sql = "SELECT findings FROM submission WHERE id = $1";
        let row = self.database.read(|t| t.one(sql, &[submission.into()])).unwrap().unwrap();
        serde_json::from_slice(&self.objects.read(&row.text(0).unwrap(), 1 << 20).unwrap()).unwrap()
    }

    /// What `mapjudge contest` computes on the export.
    fn recomputed(&self, at: Option<i64>) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("export");
        let exported = export(&self.database, &self.objects, &to, at, Extent::Counted).unwrap();
        let file = to.join(exported.contest);
        let mut command = program();
        // One folder for all results: what did not change is not measured again.
        let out = self.folder.path().join("recomputed");
        let answer =
            command.arg("contest").arg(&file).args(["--no-figures", "--overwrite", "--out"]).arg(&out);
        let answer = answer.output().unwrap();
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        let bytes = std::fs::read(out.join("contest.json")).unwrap();
        prints_the_head(&to, &out, &serde_json::from_slice(&bytes).unwrap());
        bytes
    }
}

/// Sheets that are made of an export name the end of its chain.
fn prints_the_head(export: &Path, out: &Path, contest: &Value) {
    let head = std::fs::read(export.join("record/head.json")).unwrap();
    let head: Value = serde_json::from_slice(&head).unwrap();
    let sheet = contest["ranking"][0]["missions"][0]["sheet"].as_str().unwrap();
    let sheet = std::fs::read_to_string(out.join(sheet)).unwrap();
    assert!(sheet.contains(head["hash"].as_str().unwrap()), "{head}");
}

fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let file = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    std::fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap().path())).collect()
}

fn borrowed(files: &[(String, Vec<u8>)]) -> Vec<(&str, &[u8])> {
    files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect()
}

#[test]
fn what_is_ranked_is_what_the_program_computes_on_the_export() {
    let judge = Judge::new(small);
    let folder = judge.folder.path().to_owned();
    assert_eq!(import_folders(&judge.database, &judge.objects, &folder).unwrap(), 4);
    assert_eq!(import_folders(&judge.database, &judge.objects, &folder).unwrap(), 0, "once");
    let first = judge.rank();
    assert!(first == judge.recomputed(None), "submissions that lay in folders");
    let original = program()
        .arg("contest")
        .arg(folder.join("contest.toml"))
        .args(["--no-figures", "--overwrite", "--out"])
        .arg(folder.join("recomputed"))
        .output()
        .unwrap();
    assert!(original.status.success());
    assert!(first == std::fs::read(folder.join("recomputed/contest.json")).unwrap(), "and the folder itself");
    let ranked_first = judge.number("SELECT max(seq) FROM ranking");

    // D hands in what A has; C sends a cut map, which does not count.
    judge.submit("D", &borrowed(&good(&judge)));
    let earlier = judge.text("SELECT id FROM submission WHERE team = 'D' AND number = 1");
    let mut cut = files_of(&folder.join("C"));
    for (name, bytes) in &mut cut {
        bytes.truncate(if name == "nav.tif" { 100 } else { usize::MAX });
    }
    let broken = judge.submit("C", &borrowed(&cut));
    let second = judge.rank();
    assert!(second != first && second == judge.recomputed(None), "later submissions");
    assert_eq!(judge.state(&broken).0, "broken");
    assert!(!judge.counts().contains(&broken), "an earlier one that can be read counts");
    assert!(!judge.counts().contains(&earlier));

    judge.decide(Decision::Counts, &earlier, "", &Value::Null);
    let a = judge.text("SELECT id FROM submission WHERE team = 'A'");
    judge.decide(Decision::Value, &a, "utility", &json!(0.25));
    let b = judge.text("SELECT id FROM submission WHERE team = 'B'");
    let object = judge.objects.put(&frame_by_hand()).unwrap();
    judge.decide(Decision::Frame, &b, "", &json!(object.hash));
    let third = judge.rank();
    assert!(third != second && third == judge.recomputed(None), "decisions");
    assert!(judge.counts().contains(&earlier), "the chosen one");
    let told = String::from_utf8(third).unwrap();
    assert!(told.contains("seen on the day") && told.contains("frames-by-hand"), "with who and why");
    assert!(first == judge.recomputed(Some(ranked_first)), "an earlier ranking");
}

#[test]
fn a_changed_contest_counts_once_judges_have_applied_its_draft() {
    let judge = Judge::new(small);
    let folder = judge.folder.path().to_owned();
    let import = || import_folders(&judge.database, &judge.objects, &folder).unwrap();
    let reweigh = |location: f64| {
        let file = folder.join("contest.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        let (before, rest) = text.split_once("location_weight = ").unwrap();
        let rest = rest.split_once("[[teams]]").unwrap().1;
        let status = 1.0 - location;
        let text = format!("{before}location_weight = {location}\nstatus_weight = {status}\n[[teams]]{rest}");
        std::fs::write(file, text).unwrap();
    };
    reweigh(0.75);
    import();
    let first = judge.rank();
    assert_eq!(judge.number("SELECT count(*) FROM rejudging"), 0, "nothing was ranked before");
    reweigh(0.5);
    import();
    reweigh(0.25);
    import();
    let dropped = judge.number("SELECT count(*) FROM rejudging WHERE state = 'dropped'");
    assert_eq!(dropped, 1, "the draft of the earlier change");
    let draft = judge.text("SELECT id FROM rejudging WHERE state = 'running'");
    judge.work(WorkerSettings::default());
    judge.add(JobKind::Rank, &format!("@{draft}"));
    judge.work(WorkerSettings::default());
    assert_eq!(judge.number("SELECT count(*) FROM rejudging WHERE state = 'ready'"), 1);
    assert!(judge.rank() == first, "the draft counts for nobody yet");
    let drafted =
        judge.text("SELECT contest_json FROM ranking WHERE draft_of IS NOT NULL ORDER BY seq DESC LIMIT 1");
    let applied = NewEvent { person: "Ada", kind: "rejudging_applied", subject: &draft, body: json!({}) };
    let apply = judge.database.write(|t| {
        let event = append(t, Time::now(), applied.clone())?;
        replay::event(t, &event)
    });
    apply.unwrap();
    let second = judge.rank();
    assert!(second != first && second == judge.recomputed(None));
    assert!(
        second == judge.objects.read(&drafted, 1 << 30).unwrap(),
        "what judges saw before they applied it"
    );
    let told = judge.text("SELECT body FROM event WHERE kind = 'contest_changed' ORDER BY seq DESC LIMIT 1");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert!(
        told["hash"].is_string() && told["hash_before"].is_string() && told["hash"] != told["hash_before"]
    );
}

/// A transform file as the overlay saves it.
fn frame_by_hand() -> Vec<u8> {
    let transform = model::Similarity2::new(2.0, 0.0, 0.0, 1.0);
    let mut file = mapjudge::AlignmentFile::by_hand(transform);
    file.by = Some("Ada".to_owned());
    file.reason = Some("the doors say so".to_owned());
    file.to_json().unwrap().into_bytes()
}

/// A contest of one small map, for tests that need no arena.
fn small(folder: &Path) {
    let file = super::contest::write_contest(folder, &super::contest::four_teams());
    assert!(file.ends_with("contest.toml"));
}

fn good(judge: &Judge) -> Vec<(String, Vec<u8>)> {
    files_of(&judge.folder.path().join("A"))
}

#[test]
fn whatever_is_handed_in_ends_with_a_cause_and_nothing_is_stuck() {
    let judge = Judge::new(small);
    import_folders(&judge.database, &judge.objects, judge.folder.path()).unwrap();
    let good = good(&judge);
    let map = &good.iter().find(|(name, _)| name == "nav.tif").unwrap().1;
    let victims = &good.iter().find(|(name, _)| name == "victims.geojson").unwrap().1;
    let zip = |files: &[(&str, &[u8])]| zipped(files);
    let bomb = zipped(&[("nav.tif", &vec![0; 40 << 20])]);
    let mut flipped = map.clone();
    flipped.iter_mut().skip(60).step_by(7).for_each(|byte| *byte ^= 0x55);
    type Kind<'a> = (&'a str, Vec<(&'a str, Vec<u8>)>, &'a str);
    let kinds: Vec<Kind<'_>> = vec![
        ("no file at all", vec![], "no file"),
        ("another name", vec![("map.png", map.clone())], "no file"),
        ("an empty file", vec![("nav.tif", vec![])], "nav.tif"),
        ("cut off", vec![("nav.tif", map[..map.len() / 2].to_vec())], "nav.tif"),
        ("text for an image", vec![("nav.tif", b"hello".to_vec())], "nav.tif"),
        ("a zip that is none", vec![("all.zip", b"PK\x03\x04 no".to_vec())], "no file"),
        ("a bomb", vec![("all.zip", bomb)], "no file"),
        ("a gzip bomb", vec![("nav.tif", gzipped(&vec![0; 64 << 20]))], "nav.tif"),
        ("a header of 100 GB", vec![("nav.tif", b"P5\n316228 316228\n255\nxx".to_vec())], "nav.tif"),
        ("a zip that leads out", vec![("all.zip", zip(&[("../nav.tif", map)]))], "no file"),
        (
            "noise",
            vec![("nav.tif", (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect())],
            "nav.tif",
        ),
        (
            "two in one",
            vec![("all.zip", zip(&[("nav.tif", map)])), ("nav.tif", map[..90].to_vec())],
            "nav.tif",
        ),
    ];
    let mut expected = Vec::new();
    for (kind, files, words) in &kinds {
        let mut files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        files.push(("victims.geojson", victims));
        expected.push((judge.submit("B", &files), *kind, *words));
    }
    // Files that are odd are read, or not; they are never stuck.
    let odd = judge.submit("C", &[("nav.tif", &flipped), ("victims.geojson", b"{")]);
    let zipped =
        judge.submit("D", &[("all.zip", &zip(&[("run/nav.tif", map), ("run/victims.geojson", victims)]))]);
    judge.work(WorkerSettings { jobs: 4, ..WorkerSettings::default() });
    for (id, kind, words) in expected {
        let (state, error) = judge.state(&id);
        assert!(state == "broken" && error.contains(words), "{kind}: {state}, {error}");
        assert!(judge.findings(&id).as_array().is_some_and(|all| !all.is_empty()), "{kind}");
    }
    assert!(["broken", "measured"].contains(&judge.state(&odd).0.as_str()));
    assert_eq!(judge.state(&zipped), ("measured".to_owned(), String::new()));
    let refused: Vec<Value> = checked_findings(&judge);
    let refused = refused.iter().filter(|finding| finding["code"] == "ARCHIVE_REFUSED").count();
    assert_eq!(refused, 4, "three archives are refused, and one that stands beside its content");
    assert!(judge.rank() == judge.recomputed(None));
}

/// Everything that checks said.
fn checked_findings(judge: &Judge) -> Vec<Value> {
    let sql = "SELECT body FROM event WHERE kind = 'submission_checked'";
    let rows = judge.database.read(|t| t.query(sql, &[])).unwrap();
    let found = rows.iter().flat_map(|row| {
        let body: Value = serde_json::from_str(&row.text(0).unwrap()).unwrap();
        let bytes = judge.objects.read(body["findings"].as_str().unwrap(), 1 << 20).unwrap();
        serde_json::from_slice::<Vec<Value>>(&bytes).unwrap()
    });
    found.collect()
}

fn gzipped(content: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

/// A zip archive as other programs make it.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    let half = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    for (name, content) in files {
        use std::io::Write;
        let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(content).unwrap();
        let packed = packed.finish().unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let head = [
            &half(20)[..],
            &half(0),
            &half(8),
            &[0; 4],
            &crc.sum().to_le_bytes(),
            &word(packed.len()),
            &word(content.len()),
            &half(name.len()),
            &half(0),
        ]
        .concat();
        directory.extend(
            [b"PK\x01\x02", &half(20)[..], &head, &[0; 10], &word(bytes.len()), name.as_bytes()].concat(),
        );
        bytes.extend([b"PK\x03\x04", &head[..], name.as_bytes(), &packed].concat());
    }
    let (count, at, length) = (half(files.len()), word(bytes.len()), word(directory.len()));
    bytes.extend(&directory);
    bytes.extend([b"PK\x05\x06", &[0; 4][..], &count, &count, &length, &at, &[0; 2]].concat());
    bytes
}

#[test]
fn a_submission_that_kills_its_judge_three_times_is_broken_and_the_export_says_so() {
    let judge = Judge::new(small);
    import_folders(&judge.database, &judge.objects, judge.folder.path()).unwrap();
    judge.work(WorkerSettings::default());
    let good = good(&judge);
    let slow = judge.submit("A", &borrowed(&good));
    judge
        .database
        .write(|t| t.execute("UPDATE submission SET late = 0 WHERE id = $1", &[(&slow).into()]))
        .unwrap();
    // Nobody judges within no time.
    judge.work(WorkerSettings { max_time: Duration::from_millis(1), ..WorkerSettings::default() });
    let (state, error) = judge.state(&slow);
    assert_eq!(state, "broken");
    assert!(error.contains("took longer than 0.001 s"), "{error}");
    judge.decide(Decision::Counts, &slow, "", &Value::Null);
    let shown = judge.rank();
    assert!(shown == judge.recomputed(None));
    assert!(String::from_utf8_lossy(&shown).contains("took longer than 0.001 s"));
}

/// The ranking is more urgent than measurements, and fails for ever: it was tried again at once, and nothing was measured.
#[test]
fn a_contest_that_cannot_be_ranked_still_judges_what_is_handed_in() {
    let judge = Judge::new(|folder| {
        let text = "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n";
        std::fs::write(folder.join("contest.toml"), text).unwrap();
    });
    import_folders(&judge.database, &judge.objects, judge.folder.path()).unwrap();
    let submission = judge.submit("A", &[("nav.tif", b"no map")]);
    judge.add(JobKind::Rank, "all");
    judge.work(WorkerSettings::default());
    let (state, error) = judge.state(&submission);
    assert!(state == "broken" && !error.is_empty(), "{state}: {error}");
    assert_eq!(judge.number("SELECT count(*) FROM job WHERE kind = 'rank' AND state = 'failed'"), 1);
}

#[test]
fn a_worker_that_is_killed_loses_nothing_and_doubles_nothing() {
    let judge = Judge::new(small);
    import_folders(&judge.database, &judge.objects, judge.folder.path()).unwrap();
    let place = judge.folder.path().join(".mapjudge");
    for _ in 0..3 {
        let mut worker = program();
        let db = format!("sqlite:{}", place.join("judge.db").display());
        let worker = worker.args(["worker", "--db", &db, "--objects"]).arg(place.join("objects"));
        let mut worker = worker.stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(250));
        worker.kill().unwrap();
        worker.wait().unwrap();
        // The minute of its lease is over.
        let over =
            "UPDATE job SET lease_until = '2000-01-01T00:00:00.000Z', attempts = 0 WHERE state = 'leased'";
        judge.database.write(|t| t.execute(over, &[])).unwrap();
    }
    judge.work(WorkerSettings { jobs: 2, ..WorkerSettings::default() });
    assert_eq!(judge.number("SELECT count(*) FROM submission WHERE state = 'measured'"), 4);
    assert_eq!(judge.number("SELECT count(*) FROM measurement"), 4);
    assert_eq!(judge.number("SELECT count(*) FROM event WHERE kind = 'measured'"), 4);
    assert!(judge.rank() == judge.recomputed(None));
}

#[test]
fn the_process_that_judges_opens_no_file_outside_of_its_folder() {
    let scratch = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    small(outside.path());
    let contest = scratch.path().join("contest");
    std::fs::create_dir(&contest).unwrap();
    let text = std::fs::read_to_string(outside.path().join("contest.toml")).unwrap();
    let run = |text: &str| {
        std::fs::write(contest.join("contest.toml"), text).unwrap();
        std::fs::write(scratch.path().join("task.json"), r#"{"work":"measure","contest":"contest.toml"}"#)
            .unwrap();
        program().env_clear().arg("judge-child").arg(scratch.path()).output().unwrap()
    };
    for name in ["truth.yaml", "truth.pgm", "victims.geojson"] {
        std::fs::copy(outside.path().join(name), contest.join(name)).unwrap();
    }
    let inside = run(&text);
    let told = String::from_utf8_lossy(&inside.stderr).into_owned();
    assert!(inside.status.success(), "{told}");
    if told.contains("no Landlock") {
        testkit::skip("this kernel has no Landlock");
        return;
    }
    let elsewhere = outside.path().join("truth.yaml");
    let led_out = run(&text.replace("'truth.yaml'", &format!("'{}'", elsewhere.display())));
    let told = String::from_utf8_lossy(&led_out.stderr).into_owned();
    assert!(!led_out.status.success() && told.contains("Permission denied"), "{told}");
}
