//! A review of two proposals, command by command.

use std::cell::RefCell;

use model::Relation;

use super::*;

/// A log of two scans of one room, 0.5 m apart along x, and a record that proposes 0.6 m once and 0.5 m once.
fn example(folder: &Path) -> ReviewJob {
    let (log, record) = (folder.join("run.log"), folder.join("r.jsonl"));
    let walls = |x_m: f64| {
        let range = |beam: u32| {
            let angle = f64::from(beam).to_radians() - std::f64::consts::FRAC_PI_2;
            let (sin, cos) = angle.sin_cos();
            let ahead = if cos > 1e-9 { (4.0 - x_m) / cos } else { f64::INFINITY };
            let beside = if sin.abs() > 1e-9 { 1.5 / sin.abs() } else { f64::INFINITY };
            format!("{:.3}", ahead.min(beside).min(20.0))
        };
        (0..181).map(range).collect::<Vec<_>>().join(" ")
    };
    let line = |x_m: f64, time_s: f64| {
        format!("FLASER 181 {} {x_m} 0 0 {x_m} 0 0 {time_s} host {time_s}\n", walls(x_m))
    };
    std::fs::write(&log, line(0.0, 1.0) + &line(0.5, 2.0)).unwrap();
    let relation = |x_m: f64| Relation {
        from_s: 1.0,
        to_s: 2.0,
        translation_m: [x_m, 0.0, 0.0],
        roll_pitch_yaw_rad: [0.0; 3],
    };
    let proposed = |id: &str, x_m| RelationRecord::proposed(id.to_owned(), relation(x_m));
    record_file::create(&record, &[proposed("r1", 0.6), proposed("r2", 0.5)]).unwrap();
    ReviewJob {
        figure: folder.join("review.svg"),
        record,
        log,
        reviewer: "Ada".to_owned(),
        time: None,
        rule: AcceptRule::default(),
        range: RangeLimits { min_m: 0.02, max_m: 80.0 },
    }
}

fn run(job: &ReviewJob, commands: &str) -> (Reviewed, String) {
    let told = RefCell::new(String::new());
    let say = |line: &str| told.borrow_mut().push_str(&format!("{line}\n"));
    let reviewed = review(job, &ReadOptions::default(), &mut commands.as_bytes(), &say).unwrap();
    (reviewed, told.into_inner())
}

fn last(job: &ReviewJob, id: &str) -> RelationRecord {
    let records = formats::read_relation_records(&job.record).unwrap().records;
    records.into_iter().find(|record| record.id == id).unwrap()
}

#[test]
fn a_review_adjusts_rejects_undoes_and_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let job = example(folder.path());
    let (reviewed, told) = run(&job, "adjust -0.1 0 0\naccept moved back\nreject\nundo\nquit\n");
    assert_eq!((reviewed.left, reviewed.undone, reviewed.decisions.len()), (1, 1, 1), "{told}");
    let adjusted = last(&job, "r1");
    assert_eq!((adjusted.status, adjusted.reviewer.as_deref()), (RelationStatus::Adjusted, Some("Ada")));
    assert!((adjusted.final_relation().translation_m[0] - 0.5).abs() < 1e-12);
    assert_eq!(adjusted.note.as_deref(), Some("moved back"));
    assert_eq!(last(&job, "r2").status, RelationStatus::Proposed);
    assert!(std::fs::read_to_string(&job.figure).unwrap().contains("<svg"));
    // Two proposals, and an entry per decision: nothing is ever removed.
    assert_eq!(std::fs::read_to_string(&job.record).unwrap().lines().count(), 5);
    let (again, told) = run(&job, "accept\n");
    assert!(told.starts_with("1 proposals to decide\nr2: "), "{told}");
    assert_eq!((again.left, again.decisions[0].status), (0, "accepted"));
}

#[test]
fn a_match_from_here_finds_the_displacement() {
    let folder = tempfile::tempdir().unwrap();
    let job = example(folder.path());
    run(&job, "adjust -0.05 0.02 1\nmatch\naccept\nquit\n");
    let [x_m, y_m, _] = last(&job, "r1").final_relation().translation_m;
    assert!((x_m - 0.5).abs() < 0.01 && y_m.abs() < 0.01, "{x_m} {y_m}");
}

#[test]
fn a_decision_of_somebody_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let job = example(folder.path());
    let other = RelationRecord {
        status: RelationStatus::Rejected,
        reviewer: Some("Bob".to_owned()),
        ..last(&job, "r1")
    };
    // The commands are read after the first proposal was shown: Bob decides in between.
    struct Meanwhile<'a>(&'a ReviewJob, Option<RelationRecord>, &'a [u8]);
    impl std::io::Read for Meanwhile<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            std::io::Read::read(&mut self.2, buffer)
        }
    }
    impl BufRead for Meanwhile<'_> {
        fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
            if let Some(entry) = self.1.take() {
                record_file::append(&self.0.record, || Ok((vec![entry], ()))).unwrap();
            }
            Ok(self.2)
        }
        fn consume(&mut self, amount: usize) {
            self.2 = &self.2[amount..];
        }
    }
    let mut commands = Meanwhile(&job, Some(other), b"accept\nquit\n");
    let told = RefCell::new(String::new());
    let say = |line: &str| told.borrow_mut().push_str(line);
    review(&job, &ReadOptions::default(), &mut commands, &say).unwrap();
    assert!(told.borrow().contains("somebody else has decided"), "{}", told.borrow());
    assert_eq!(last(&job, "r1").reviewer.as_deref(), Some("Bob"));
}

#[test]
fn an_earlier_decision_is_opened_again_and_nonsense_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let job = example(folder.path());
    run(&job, "reject\nskip\nquit\n");
    let (reviewed, told) = run(&job, "undo\nreopen r9\nreopen r1\nfly\naccept\nstatus\n");
    assert!(told.contains("nothing was decided here") && told.contains("no relation 'r9'"), "{told}");
    assert!(told.contains("'fly' is no command"), "{told}");
    assert_eq!((last(&job, "r1").status, reviewed.left), (RelationStatus::Accepted, 1));
}
