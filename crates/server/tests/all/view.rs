//! Results to look at.

use mapjudge::Viewed;
use mapjudge_server::{Desk, ViewDesk};
use model::{Dimension, Pose3, PoseSource, Similarity2, StampedPose, TimeBase, Trajectory};
use serde_json::json;

use crate::visitor::{Visitor, loaded, rooms};

#[tokio::test]
async fn maps_and_runs_are_shown_with_what_lies_under_the_cursor() {
    let pose = |time_s: f64| StampedPose {
        time_s,
        world_from_robot: Pose3::from(model::Pose2::new(time_s, 1.0, 0.0)),
        source: PoseSource::Measured,
    };
    let trajectory = Trajectory {
        time_base: TimeBase::Seconds,
        dimension: Dimension::Planar,
        poses: (0..30).map(|step| pose(f64::from(step) / 10.0)).collect(),
    };
    let frame = Similarity2::new(1.0, 0.0, 0.0, 1.0);
    let items = vec![
        Viewed::Map { name: "a.yaml".to_owned(), map: Box::new(loaded(rooms())), frame },
        Viewed::Trajectory { name: "run.tum".to_owned(), trajectory },
    ];
    let visitor = Visitor::inside(Desk::View(ViewDesk::new("a.yaml, run.tum", items))).await;
    let view = visitor.get("/api/v1/view").await.json();
    assert_eq!(view["time"], json!({ "from_s": 0.0, "to_s": 2.9 }));
    assert_eq!(
        (&view["items"][0]["kind"], view["items"][1]["poses"].as_array().unwrap().len()),
        (&json!("map"), 30)
    );
    let values = visitor.get("/api/v1/view/values?x=1.02&y=0.02").await.json();
    assert_eq!(values["items"][0]["values"][0]["value"], "occupied", "the corner of the moved map: {values}");
    assert_eq!(values["items"][1]["values"][0]["value"], "1.000");
    let tile = visitor.get("/api/v1/submissions/1/planes/map/0/0/0.png").await;
    assert_eq!(&tile.body[1..4], b"PNG");
}
