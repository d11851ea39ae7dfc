//! Numbers and texts as ROS 1 and CDR write them.

use mapjudge_formats::Encoding;
use model::Pose3;

/// A message being written.
pub struct Encoder {
    pub bytes: Vec<u8>,
    encoding: Encoding,
}

impl Encoder {
    pub fn new(encoding: Encoding) -> Self {
        let bytes = if encoding == Encoding::Cdr { vec![0, 1, 0, 0] } else { Vec::new() };
        Self { bytes, encoding }
    }

    fn number<const N: usize>(&mut self, number: [u8; N]) {
        if self.encoding == Encoding::Cdr {
            // The four bytes of encapsulation do not count.
            let body = (self.bytes.len() - 4).next_multiple_of(N);
            self.bytes.resize(body + 4, 0);
        }
        self.bytes.extend(number);
    }

    pub fn u32(&mut self, number: u32) {
        self.number(number.to_le_bytes());
    }

    pub fn f32(&mut self, number: f32) {
        self.number(number.to_le_bytes());
    }

    pub fn f64(&mut self, number: f64) {
        self.number(number.to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        let zero = if self.encoding == Encoding::Cdr { "\0" } else { "" };
        self.u32((text.len() + zero.len()) as u32);
        self.bytes.extend(text.bytes().chain(zero.bytes()));
    }

    pub fn time(&mut self, time_s: f64) {
        self.u32(time_s.floor() as u32);
        self.u32((time_s.fract() * 1e9).round() as u32);
    }

    pub fn header(&mut self, time_s: f64, frame: &str) {
        if self.encoding == Encoding::Ros1 {
            self.u32(42);
        }
        self.time(time_s);
        self.text(frame);
    }

    pub fn pose(&mut self, pose: Pose3) {
        pose.position_m.iter().chain(&pose.rotation_xyzw).for_each(|&number| self.f64(number));
    }
}
