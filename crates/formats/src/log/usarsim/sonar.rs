//! Sonar rings in messages: `SEN {Type Sonar} {Name F1 Range 4.56} {Name F2 Range ..}` has the ranges, GEO where each
//! transducer sits, CONF how far it sees and how wide its cone is. A transducer that no GEO message places is left out.

use std::collections::BTreeMap;

use model::{Pose2, SonarSweep};

use super::message::Message;
use super::sensor::Frame;
use crate::text::decimal;

const KIND: &str = "Sonar";
/// The cone where no CONF message tells it: 20 degrees, the usual BeamAngle of the simulator's configuration.
const USUAL_CONE_RAD: f64 = 20.0 * std::f64::consts::PI / 180.0;
/// How far a transducer sees where no CONF message tells it: the usual MaxRange of the simulator's configuration.
const USUAL_MAX_RANGE_M: f64 = 5.0;
/// Transducers that are remembered: a stranger may name a new one in each line.
const MAX_TRANSDUCERS: usize = 1024;

/// What GEO and CONF messages told about transducers.
#[derive(Clone, Debug, Default)]
pub(super) struct SonarSetup {
    mounts: BTreeMap<String, Pose2>,
    /// MaxRange and BeamAngle; the last message of CONF goes for the whole ring.
    max_range_m: Option<f64>,
    cone_rad: Option<f64>,
}

impl SonarSetup {
    /// Remembers a GEO or CONF message of sonar; whether it is one.
    pub(super) fn take(&mut self, message: &Message, frame: Frame) -> bool {
        let is_sonar = message.field("Type").is_some_and(|kind| kind.eq_ignore_ascii_case(KIND));
        if !is_sonar || !(message.is("GEO") || message.is("CONF")) {
            return false;
        }
        if message.is("CONF") {
            let positive = |key: &str| message.numbers::<1>(key).map(|[value]| value).filter(|v| *v > 0.0);
            self.max_range_m = positive("MaxRange").or(self.max_range_m);
            self.cone_rad = positive("BeamAngle").filter(|cone| *cone <= 3.2).or(self.cone_rad);
            return true;
        }
        for segment in &message.segments {
            let numbers = |key: &str| segment.field(key).and_then(three_numbers);
            let name = segment.field("Name");
            if let (Some(name), Some([x_m, y_m, _]), Some([_, _, yaw_rad])) =
                (name, numbers("Location"), numbers("Orientation"))
                && self.mounts.len() < MAX_TRANSDUCERS
            {
                self.mounts.insert(name.to_owned(), frame.turned(Pose2::new(x_m, y_m, yaw_rad)));
            }
        }
        true
    }

    /// The sweep of ranges by name; none if no transducer is placed.
    pub(super) fn sweep(&self, ranges: &[(String, f32)], max_range_m: Option<f64>) -> Option<SonarSweep> {
        let placed = ranges.iter().filter_map(|(name, range_m)| Some((*self.mounts.get(name)?, *range_m)));
        let (robot_from_transducers, ranges_m): (Vec<Pose2>, Vec<f32>) = placed.unzip();
        (!ranges_m.is_empty()).then(|| SonarSweep {
            time_s: 0.0,
            cone_rad: self.cone_rad.unwrap_or(USUAL_CONE_RAD),
            max_range_m: max_range_m.or(self.max_range_m).unwrap_or(USUAL_MAX_RANGE_M),
            robot_from_transducers,
            ranges_m,
        })
    }
}

fn three_numbers(text: &str) -> Option<[f64; 3]> {
    let mut values = text.split(',').map(|value| decimal::number(value.trim().as_bytes()));
    let numbers = [values.next()??, values.next()??, values.next()??];
    (values.next().is_none() && numbers.iter().all(|number| number.is_finite())).then_some(numbers)
}

/// Names and ranges of a SEN message.
///
/// # Errors
/// What was expected.
pub(super) fn ranges(message: &Message) -> Result<Vec<(String, f32)>, &'static str> {
    const EXPECTED: &str = "{Name F1 Range 2.5} for each transducer, with a number";
    let named = message.segments.iter().filter(|segment| segment.key.eq_ignore_ascii_case("Name"));
    let ranges: Option<Vec<(String, f32)>> = named
        .map(|segment| {
            let range_m = decimal::single(segment.field("Range")?.as_bytes())?;
            (!range_m.is_nan()).then(|| Some((segment.field("Name")?.to_owned(), range_m)))?
        })
        .collect();
    ranges.filter(|ranges| !ranges.is_empty()).ok_or(EXPECTED)
}

fn name(transducer: usize) -> String {
    format!("S{}", transducer + 1)
}

/// The message of a sweep.
#[must_use]
pub fn sonar_message(sweep: &SonarSweep) -> Message {
    let message = Message::new("SEN").with("Time", sweep.time_s).with("Type", KIND);
    let each = |message: Message, (index, range_m): (usize, &f32)| {
        message.with("Name", format!("{} Range {range_m}", name(index)))
    };
    sweep.ranges_m.iter().enumerate().fold(message, each)
}

/// Where the transducers of a sweep sit (GEO), and how far and how wide they see (CONF).
#[must_use]
pub fn sonar_setup(sweep: &SonarSweep, frame: Frame) -> Vec<Message> {
    let place = |message: Message, (index, mount): (usize, &Pose2)| {
        let Pose2 { x_m, y_m, theta_rad } = frame.turned(*mount);
        let place = format!("Location {x_m},{y_m},0 Orientation 0,0,{theta_rad} Mount HARD");
        message.with("Name", format!("{} {place}", name(index)))
    };
    let geometry = Message::new("GEO").with("Type", KIND);
    let conf = |index: usize| {
        Message::new("CONF")
            .with("Type", KIND)
            .with("Name", name(index))
            .with("MaxRange", sweep.max_range_m)
            .with("BeamAngle", sweep.cone_rad)
    };
    let geometry = sweep.robot_from_transducers.iter().enumerate().fold(geometry, place);
    std::iter::once(geometry).chain((0..sweep.ranges_m.len()).map(conf)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Message {
        Message::parse(line.as_bytes()).unwrap()
    }

    #[test]
    fn ranges_are_placed_by_geo_and_what_is_not_placed_is_left_out() {
        let mut setup = SonarSetup::default();
        let geo = "GEO {Type Sonar} {Name F1 Location 0.1,-0.2,-0.3 Orientation 0,0,-0.5 Mount HARD} {Name F2 Location 0,0,0 Orientation 0,0,0 Mount HARD}";
        assert!(setup.take(&parse(geo), Frame::Usarsim));
        assert!(setup.take(
            &parse("CONF {Type Sonar} {Name F1} {MaxRange 4} {MinRange 0.1} {BeamAngle 0.35}"),
            Frame::Usarsim
        ));
        assert!(!setup.take(&parse("GEO {Type INS} {Name INS Location 0,0,0}"), Frame::Usarsim));
        let sen = parse(
            "SEN {Time 395.6} {Type Sonar} {Name F1 Range 4.5604} {Name F9 Range 2} {Name F2 Range 0.65}",
        );
        let sweep = setup.sweep(&ranges(&sen).unwrap(), None).unwrap();
        assert_eq!(sweep.ranges_m, [4.5604, 0.65]);
        assert_eq!(sweep.robot_from_transducers[0], Pose2::new(0.1, 0.2, 0.5));
        assert_eq!((sweep.max_range_m, sweep.cone_rad), (4.0, 0.35));
        assert_eq!(SonarSetup::default().sweep(&ranges(&sen).unwrap(), None), None);
    }

    #[test]
    fn words_where_ranges_should_be_are_refused() {
        for line in ["SEN {Type Sonar} {Name F1 Range far}", "SEN {Type Sonar} {Name F1}", "SEN {Type Sonar}"]
        {
            assert!(ranges(&parse(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn a_sweep_comes_back_as_it_was_written() {
        let written = SonarSweep {
            time_s: 0.0,
            cone_rad: 0.5,
            max_range_m: 3.0,
            robot_from_transducers: vec![Pose2::new(0.2, 0.0, 0.0), Pose2::new(0.0, 0.2, 1.5)],
            ranges_m: vec![1.25, 3.0],
        };
        let mut setup = SonarSetup::default();
        for message in sonar_setup(&written, Frame::Usarsim) {
            assert!(setup.take(&parse(&message.to_string()), Frame::Usarsim), "{message}");
        }
        let sen = parse(&sonar_message(&written).to_string());
        assert_eq!(setup.sweep(&ranges(&sen).unwrap(), None), Some(written));
    }
}
