//! Turns pixels into cells while they are decoded.
//!
//! The rule of [`crate::map::occupancy`] depends only on the sum of a pixel's samples, so it becomes a table over
//! that sum. Nearly every map is 8-bit grey and trinary: its table is a band of occupied greys and a band of
//! free ones, which is compared instead of looked up, because the compiler turns comparisons into vector
//! instructions (4000 x 4000 cells: 0.9 ms against 5.8 ms with look-ups).

use model::{CellClass, Finding, Level};

use crate::map::fitted::refit;
use crate::map::occupancy::{Mode, Rule};
use crate::map::pixel_sink::{Channels, ImageHeader, PixelSink};

/// Samples handled at once, so that counting them finds them in the first-level cache.
const BLOCK_SAMPLES: usize = 1 << 14;

/// The cells of an image.
pub(crate) struct Occupancy {
    pub width: usize,
    pub height: usize,
    pub classes: Vec<CellClass>,
    /// In scale and raw mode.
    pub probabilities: Option<Vec<f64>>,
    pub findings: Vec<Finding>,
}

/// A sink that reads pixels by a rule.
pub(crate) struct Classifier {
    rule: Rule,
    width: usize,
    height: usize,
    reading: Reading,
    /// The sum of samples that is worth counting: unknown to savers, and free by the thresholds or cured.
    counted: Option<usize>,
    classes: Vec<CellClass>,
    probabilities: Vec<f64>,
    tally: Tally,
    /// The greys of the colours, where thresholds may be fitted to them.
    greys: Option<Vec<u8>>,
}

impl Classifier {
    /// A classifier that waits for an image.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            width: 0,
            height: 0,
            reading: Reading::new(&rule, Channels::Grey, 1),
            counted: None,
            classes: Vec::new(),
            probabilities: Vec::new(),
            tally: Tally::default(),
            greys: None,
        }
    }

    /// A classifier for an image that states no thresholds: they may be fitted to its histogram.
    pub fn fitting(rule: Rule) -> Self {
        Self { greys: Some(Vec::new()), ..Self::new(rule) }
    }

    /// The cells of the image that was read.
    pub fn finish(mut self) -> Occupancy {
        let fitted = self.greys.take().filter(|_| self.tally.translucent == 0);
        let fitted = fitted.and_then(|greys| refit(&greys, &mut self.classes, &self.rule));
        if fitted.is_some() {
            // What is read by the colours alone, alpha did not change.
            self.tally.changed_by_alpha = 0;
        }
        let mut findings = self.tally.findings(&self.rule);
        findings.extend(fitted);
        Occupancy {
            width: self.width,
            height: self.height,
            classes: self.classes,
            probabilities: (self.rule.mode != Mode::Trinary).then_some(self.probabilities),
            findings,
        }
    }

    fn keep_greys<S: Copy + Into<u32>>(&mut self, samples: &[S]) {
        let Some(greys) = &mut self.greys else { return };
        let colours = self.reading.channels - usize::from(self.reading.has_alpha);
        let full = self.reading.full.max(1) * u32::try_from(colours).unwrap_or(1);
        let grey = |pixel: &[S]| {
            let sum: u32 = pixel.iter().take(colours).map(|&sample| sample.into()).sum();
            ((sum * 255 + full / 2) / full).min(255) as u8
        };
        greys.extend(samples.chunks_exact(self.reading.channels).map(grey));
    }

    /// 8-bit grey in trinary mode.
    fn grey(&mut self, samples: &[u8]) {
        let table = &self.reading.table;
        let counted = self.counted.and_then(|sum| u8::try_from(sum).ok());
        // A copy: behind `self` the compiler would load the bands anew for each cell.
        let bands = self.reading.bands;
        for block in samples.chunks(BLOCK_SAMPLES) {
            match bands {
                Some(bands) => self.classes.extend(block.iter().map(|&sample| bands.class_of(sample))),
                None => self.classes.extend(block.iter().map(|&s| table.classes[usize::from(s)])),
            }
            if let Some(grey) = counted {
                let found = block.iter().filter(|&&sample| sample == grey).count() as u64;
                self.tally.count_unknown(found, table);
            }
        }
    }

    fn pixels<S: Copy + Into<u32>>(&mut self, samples: &[S]) {
        match self.reading.channels {
            1 => self.pixels_of::<S, 1>(samples),
            2 => self.pixels_of::<S, 2>(samples),
            3 => self.pixels_of::<S, 3>(samples),
            _ => self.pixels_of::<S, 4>(samples),
        }
    }

    fn pixels_of<S: Copy + Into<u32>, const CHANNELS: usize>(&mut self, samples: &[S]) {
        if self.rule.mode == Mode::Trinary && !self.reading.has_alpha {
            self.opaque::<S, CHANNELS>(samples);
        } else {
            self.any::<S, CHANNELS>(samples);
        }
    }

    /// Colours or 16-bit grey in trinary mode: nothing but a look-up.
    fn opaque<S: Copy + Into<u32>, const CHANNELS: usize>(&mut self, samples: &[S]) {
        let sum_of = |pixel: &[S; CHANNELS]| pixel.iter().map(|&sample| sample.into()).sum::<u32>() as usize;
        let table = &self.reading.table;
        for block in samples.as_chunks::<CHANNELS>().0.chunks(BLOCK_SAMPLES) {
            self.classes.extend(block.iter().map(|pixel| table.classes[sum_of(pixel)]));
            if let Some(unknown_sum) = self.counted {
                let found = block.iter().filter(|pixel| sum_of(pixel) == unknown_sum).count() as u64;
                self.tally.count_unknown(found, table);
            }
        }
    }

    fn any<S: Copy + Into<u32>, const CHANNELS: usize>(&mut self, samples: &[S]) {
        let Reading { table, by_colours, full, has_alpha, sees_alpha, .. } = &self.reading;
        let (full, mode) = (*full, self.rule.mode);
        // Counted apart from `self`, so that the counts stay in registers.
        let (mut tally, mut unknown_grey) = (Tally::default(), 0);
        for pixel in samples.as_chunks::<CHANNELS>().0 {
            let last: u32 = if *has_alpha { pixel[CHANNELS - 1].into() } else { 0 };
            let colour_sum = pixel.iter().map(|&sample| sample.into()).sum::<u32>() - last;
            let alpha = if *sees_alpha { last } else { full };
            tally.translucent += u64::from(alpha != full);
            let mut sum = colour_sum as usize;
            if let Some(by_colours) = by_colours {
                let class_by_colours = by_colours.classes[sum];
                sum += alpha as usize;
                tally.changed_by_alpha += u64::from(table.classes[sum] != class_by_colours);
            }
            let mut cell = (table.classes[sum], table.probabilities[sum]);
            if mode == Mode::Scale && alpha != full {
                cell = (CellClass::Unknown, 0.5);
            } else {
                unknown_grey += u64::from(self.counted == Some(sum));
            }
            self.classes.push(cell.0);
            if mode != Mode::Trinary {
                self.probabilities.push(cell.1);
            }
        }
        tally.count_unknown(unknown_grey, table);
        self.tally.add(&tally);
    }
}

impl PixelSink for Classifier {
    fn begin(&mut self, header: ImageHeader) {
        let pixels = header.width * header.height;
        (self.width, self.height) = (header.width, header.height);
        self.reading = Reading::new(&self.rule, header.channels, header.max_value);
        let table = &self.reading.table;
        self.counted = table.unknown_sum.filter(|_| table.cures || self.rule.is_trap());
        self.classes.reserve_exact(pixels);
        if let Some(greys) = &mut self.greys {
            greys.reserve_exact(pixels);
        }
        if self.rule.mode != Mode::Trinary {
            self.probabilities.reserve_exact(pixels);
        }
    }

    fn eight(&mut self, samples: &[u8]) {
        match &mut self.greys {
            Some(greys) if self.reading.channels == 1 && self.reading.full == 255 => {
                greys.extend_from_slice(samples);
            }
            _ => self.keep_greys(samples),
        }
        if self.reading.channels == 1 && self.rule.mode == Mode::Trinary {
            self.grey(samples);
        } else {
            self.pixels(samples);
        }
    }

    fn sixteen(&mut self, samples: &[u16]) {
        self.keep_greys(samples);
        self.pixels(samples);
    }

    fn bytes_per_pixel(&self) -> usize {
        let kept = 1 + usize::from(self.greys.is_some());
        if self.rule.mode == Mode::Trinary { kept } else { kept + size_of::<f64>() }
    }
}

/// How the pixels of one image are read.
struct Reading {
    channels: usize,
    /// The sample that means full brightness, and opaque.
    full: u32,
    has_alpha: bool,
    /// There is alpha, and it means something.
    sees_alpha: bool,
    table: Table,
    /// Where alpha is averaged in: the table without it, to say what that changed.
    by_colours: Option<Table>,
    bands: Option<Bands>,
}

impl Reading {
    fn new(rule: &Rule, kind: Channels, max_value: u16) -> Self {
        let channels = kind.count();
        let has_alpha = kind.has_alpha();
        let sees_alpha = has_alpha && !rule.ignore_alpha;
        let by_colours = Table::new(rule, channels - usize::from(has_alpha), max_value);
        let (table, by_colours) = if sees_alpha && rule.mode == Mode::Trinary {
            (Table::new(rule, channels, max_value), Some(by_colours))
        } else {
            (by_colours, None)
        };
        let bands = Bands::of(&table.classes);
        Self { channels, full: u32::from(max_value), has_alpha, sees_alpha, table, by_colours, bands }
    }
}

/// Class and probability for each sum of samples.
struct Table {
    classes: Vec<CellClass>,
    probabilities: Vec<f64>,
    /// The sum that is exactly the savers' unknown grey, if there is one.
    unknown_sum: Option<usize>,
    /// True if treating that grey as unknown changed its class.
    cures: bool,
}

impl Table {
    /// The table for pixels of `channels` samples from 0 to `max_value`.
    fn new(rule: &Rule, channels: usize, max_value: u16) -> Self {
        let full = channels * usize::from(max_value);
        let (mut classes, mut probabilities): (Vec<_>, Vec<_>) =
            (0..=full).map(|sum| rule.cell(sum as f64 * 255.0 / full as f64)).unzip();
        let scaled = usize::from(rule.unknown_grey()) * full;
        let unknown_sum = (scaled.is_multiple_of(255) && rule.mode != Mode::Raw).then_some(scaled / 255);
        let mut cures = false;
        if let Some(sum) = unknown_sum.filter(|_| rule.treat_205_as_unknown) {
            cures = classes[sum] != CellClass::Unknown;
            (classes[sum], probabilities[sum]) = (CellClass::Unknown, 0.5);
        }
        Self { classes, probabilities, unknown_sum, cures }
    }
}

/// A table that is one band of occupied greys, one of free greys, and unknown elsewhere and at one grey.
#[derive(Clone, Copy)]
struct Bands {
    occupied_first: u8,
    occupied_span: u8,
    free_first: u8,
    free_span: u8,
    unknown: u8,
}

impl Bands {
    /// The bands of a table of at most 256 greys, or none if it has no such form.
    fn of(classes: &[CellClass]) -> Option<Self> {
        let at = |position: Option<usize>| position.and_then(|index| u8::try_from(index).ok());
        let first = |class| at(classes.iter().position(|&found| found == class));
        let last = |class| at(classes.iter().rposition(|&found| found == class));
        let (occupied_first, free_first) = (first(CellClass::Occupied)?, first(CellClass::Free)?);
        let occupied_span = last(CellClass::Occupied)? - occupied_first;
        let free_span = last(CellClass::Free)? - free_first;
        let inside = |grey: u8| {
            grey.wrapping_sub(occupied_first) <= occupied_span || grey.wrapping_sub(free_first) <= free_span
        };
        // An exception inside a band, or else any unknown grey.
        let is_unknown = |grey: &u8| classes.get(usize::from(*grey)) == Some(&CellClass::Unknown);
        let unknown = (0..=255).filter(is_unknown).max_by_key(|&grey| inside(grey))?;
        let bands = Self { occupied_first, occupied_span, free_first, free_span, unknown };
        let is_same = (0..=255).zip(classes).all(|(grey, &class)| bands.class_of(grey) == class);
        is_same.then_some(bands)
    }

    const fn class_of(self, grey: u8) -> CellClass {
        if grey == self.unknown {
            CellClass::Unknown
        } else if grey.wrapping_sub(self.occupied_first) <= self.occupied_span {
            CellClass::Occupied
        } else if grey.wrapping_sub(self.free_first) <= self.free_span {
            CellClass::Free
        } else {
            CellClass::Unknown
        }
    }
}

/// What was counted while classifying.
#[derive(Default)]
struct Tally {
    /// Cells of the savers' unknown grey.
    unknown_grey: u64,
    /// Of these, treated as unknown against the thresholds.
    cured: u64,
    /// Cells whose alpha is not full.
    translucent: u64,
    /// Cells whose class alpha changed.
    changed_by_alpha: u64,
}

impl Tally {
    fn count_unknown(&mut self, found: u64, table: &Table) {
        self.unknown_grey += found;
        self.cured += if table.cures { found } else { 0 };
    }

    fn add(&mut self, other: &Self) {
        self.unknown_grey += other.unknown_grey;
        self.cured += other.cured;
        self.translucent += other.translucent;
        self.changed_by_alpha += other.changed_by_alpha;
    }

    fn findings(&self, rule: &Rule) -> Vec<Finding> {
        [self.unknown_finding(rule), self.alpha_finding(rule)].into_iter().flatten().collect()
    }

    fn unknown_finding(&self, rule: &Rule) -> Option<Finding> {
        let grey = rule.unknown_grey();
        if self.cured > 0 {
            let message = format!("{} cells of grey {grey} were taken as unknown", self.cured);
            return Some(Finding::new(Level::Info, "TREATED_205_AS_UNKNOWN", message));
        }
        if self.unknown_grey == 0 || rule.treat_205_as_unknown || !rule.is_trap() {
            return None;
        }
        let message = format!(
            "{} cells of grey {grey}, which map savers write for unknown, read as free: free_thresh is {}, \
             and their p is 0.196078",
            self.unknown_grey, rule.free_thresh
        );
        Some(
            Finding::warning("UNKNOWN_MAY_READ_AS_FREE", message)
                .hint("set free_thresh to 0.196 in the file, or use the option treat_205_as_unknown"),
        )
    }

    fn alpha_finding(&self, rule: &Rule) -> Option<Finding> {
        if self.translucent == 0 && self.changed_by_alpha == 0 {
            return None;
        }
        match rule.mode {
            Mode::Trinary => {
                let message = format!(
                    "alpha was averaged in with the colours, as the ROS map servers do: {} cells are not \
                     opaque, {} cells have another class than by their colours",
                    self.translucent, self.changed_by_alpha
                );
                let hint = "save the image without alpha, or use the option alpha = ignore";
                Some(Finding::warning("ALPHA_AVERAGED", message).hint(hint))
            }
            Mode::Scale => {
                let message =
                    format!("{} cells are not opaque and read as unknown (mode scale)", self.translucent);
                Some(Finding::new(Level::Info, "ALPHA_MEANS_UNKNOWN", message))
            }
            Mode::Raw => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use CellClass::{Free, Occupied, Unknown};
    use proptest::prelude::*;

    use super::*;
    use crate::{ReadOptions, Scale};

    fn rule(mode: Mode, occupied_thresh: f64, free_thresh: f64) -> Rule {
        Rule { mode, occupied_thresh, free_thresh, ..Rule::of_options(&ReadOptions::default()) }
    }

    /// An image of one row.
    struct Row<'a>(Channels, u16, Samples<'a>);

    enum Samples<'a> {
        Eight(&'a [u8]),
        Sixteen(&'a [u16]),
    }

    fn image(channels: Channels, samples: &[u8]) -> Row<'_> {
        Row(channels, 255, Samples::Eight(samples))
    }

    fn classify(Row(channels, max_value, samples): &Row<'_>, rule: &Rule) -> Occupancy {
        let mut classifier = Classifier::new(*rule);
        let (channels, max_value) = (*channels, *max_value);
        let length = match samples {
            Samples::Eight(samples) => samples.len(),
            Samples::Sixteen(samples) => samples.len(),
        };
        let width = length / channels.count();
        classifier.begin(ImageHeader { width, height: 1, channels, max_value });
        match samples {
            Samples::Eight(samples) => classifier.eight(samples),
            Samples::Sixteen(samples) => classifier.sixteen(samples),
        }
        classifier.finish()
    }

    fn codes(occupancy: &Occupancy) -> Vec<&str> {
        occupancy.findings.iter().map(|finding| finding.code.as_ref()).collect()
    }

    #[test]
    fn f_ros_worked_examples_of_trinary_mode() {
        let samples = [0, 89, 90, 205, 206, 254, 255];
        let read = classify(&image(Channels::Grey, &samples), &rule(Mode::Trinary, 0.65, 0.196));
        assert_eq!(read.classes, [Occupied, Occupied, Unknown, Unknown, Free, Free, Free]);
        assert!(read.findings.is_empty() && read.probabilities.is_none());
    }

    #[test]
    fn f_ros_the_205_trap_is_kept_to_counted_and_curable() {
        let grey = image(Channels::Grey, &[205, 0, 205, 254]);
        let mut rule = rule(Mode::Trinary, 0.65, 0.25);
        let read = classify(&grey, &rule);
        assert_eq!(read.classes, [Free, Occupied, Free, Free]);
        assert_eq!(codes(&read), ["UNKNOWN_MAY_READ_AS_FREE"]);
        assert!(read.findings[0].message.starts_with("2 cells of grey 205"));
        rule.treat_205_as_unknown = true;
        let cured = classify(&grey, &rule);
        assert_eq!(cured.classes, [Unknown, Occupied, Unknown, Free]);
        assert_eq!(codes(&cured), ["TREATED_205_AS_UNKNOWN"]);
        assert!(cured.findings[0].message.starts_with("2 cells"));
    }

    #[test]
    fn the_trap_needs_the_grey_itself_and_a_threshold_above_it() {
        let near = image(Channels::Grey, &[204, 206]);
        assert!(classify(&near, &rule(Mode::Trinary, 0.65, 0.25)).findings.is_empty());
        let grey = image(Channels::Grey, &[205]);
        assert!(classify(&grey, &rule(Mode::Trinary, 0.65, 50.0 / 255.0)).findings.is_empty());
        assert_eq!(classify(&grey, &rule(Mode::Trinary, 0.65, 0.1961)).findings.len(), 1);
    }

    #[test]
    fn with_negate_the_trap_sits_at_50() {
        let negated = Rule { negate: true, ..rule(Mode::Trinary, 0.65, 0.25) };
        let read = classify(&image(Channels::Grey, &[50, 205, 0, 255]), &negated);
        assert_eq!(read.classes, [Free, Occupied, Free, Occupied]);
        assert!(read.findings[0].message.starts_with("1 cells of grey 50"));
    }

    #[test]
    fn f_ros_worked_examples_of_scale_mode() {
        let grey = image(Channels::Grey, &[90, 205, 0, 255]);
        let scale = rule(Mode::Scale, 0.65, 0.196);
        let read = classify(&grey, &scale);
        let p = read.probabilities.unwrap();
        assert!((p[0] - 0.993522).abs() < 1e-6 && (p[1] - 0.000173).abs() < 1e-6);
        assert_eq!((p[2], p[3]), (1.0, 0.0));
        assert_eq!(read.classes, [Occupied, Free, Occupied, Free]);
        // 1 + 98 * 0.993522 = 98.365 and 1 + 98 * 0.000173 = 1.017, cut; 99.35 and 0.017, rounded.
        let published = |scale_form| {
            classify(&grey, &Rule { scale: scale_form, ..scale }).probabilities.unwrap()[..2].to_vec()
        };
        assert_eq!(published(Scale::Ros1), [0.98, 0.01]);
        assert_eq!(published(Scale::Nav2), [0.99, 0.0]);
    }

    #[test]
    fn scale_mode_reads_translucent_pixels_as_unknown_unless_told_otherwise() {
        let pixels = image(Channels::GreyAlpha, &[0, 255, 0, 254]);
        let scale = rule(Mode::Scale, 0.65, 0.196);
        let read = classify(&pixels, &scale);
        assert_eq!(read.classes, [Occupied, Unknown]);
        assert_eq!(read.probabilities.as_deref(), Some(&[1.0, 0.5][..]));
        assert_eq!(codes(&read), ["ALPHA_MEANS_UNKNOWN"]);
        let ignoring = classify(&pixels, &Rule { ignore_alpha: true, ..scale });
        assert_eq!(ignoring.classes, [Occupied, Occupied]);
        assert!(ignoring.findings.is_empty());
    }

    #[test]
    fn raw_mode_reads_percentages_and_nothing_above_one_hundred() {
        let read =
            classify(&image(Channels::Grey, &[0, 50, 51, 100, 101, 205]), &rule(Mode::Raw, 0.65, 0.25));
        assert_eq!(read.classes, [Free, Unknown, Occupied, Occupied, Unknown, Unknown]);
        assert_eq!(read.probabilities.as_deref(), Some(&[0.0, 0.5, 0.51, 1.0, 0.5, 0.5][..]));
        assert!(read.findings.is_empty());
    }

    #[test]
    fn trinary_mode_averages_alpha_in_and_says_what_that_changed() {
        // (205 * 3 + 255) / 4 = 217.5: p = 0.147, free; black and opaque: 63.75, p = 0.75, still occupied.
        let pixels = image(Channels::Rgba, &[205, 205, 205, 255, 0, 0, 0, 255]);
        let read = classify(&pixels, &rule(Mode::Trinary, 0.65, 0.196));
        assert_eq!(read.classes, [Free, Occupied]);
        assert_eq!(codes(&read), ["ALPHA_AVERAGED"]);
        assert!(read.findings[0].message.contains("0 cells are not opaque, 1 cells have another class"));
        let ignoring = Rule { ignore_alpha: true, ..rule(Mode::Trinary, 0.65, 0.196) };
        assert_eq!(classify(&pixels, &ignoring).classes, [Unknown, Occupied]);
    }

    #[test]
    fn an_opaque_image_that_alpha_does_not_change_raises_nothing() {
        let pixels = image(Channels::Rgba, &[254, 254, 254, 255, 0, 0, 0, 255]);
        assert!(classify(&pixels, &rule(Mode::Trinary, 0.65, 0.196)).findings.is_empty());
    }

    #[test]
    fn colours_count_by_their_mean() {
        // (255 + 0 + 12) / 3 = 89: occupied; (255 + 0 + 15) / 3 = 90: unknown.
        let pixels = image(Channels::Rgb, &[255, 0, 12, 255, 0, 15]);
        assert_eq!(classify(&pixels, &rule(Mode::Trinary, 0.65, 0.196)).classes, [Occupied, Unknown]);
    }

    #[test]
    fn sixteen_bits_keep_their_precision() {
        // p = (65535 - s) / 65535 falls below 0.196 at s = 52690.14.
        let wide = Row(Channels::Grey, 65535, Samples::Sixteen(&[52690, 52691, 205 * 257]));
        assert_eq!(classify(&wide, &rule(Mode::Trinary, 0.65, 0.196)).classes, [Unknown, Free, Unknown]);
        assert_eq!(codes(&classify(&wide, &rule(Mode::Trinary, 0.65, 0.25))), ["UNKNOWN_MAY_READ_AS_FREE"]);
    }

    #[test]
    fn bands_with_an_exception_stand_for_the_usual_tables() {
        for treat_205_as_unknown in [false, true] {
            for (negate, free) in [(false, 0.196), (true, 0.196), (false, 0.25), (true, 0.25)] {
                let rule = Rule { negate, treat_205_as_unknown, ..rule(Mode::Trinary, 0.65, free) };
                assert!(Bands::of(&Table::new(&rule, 1, 255).classes).is_some(), "{rule:?}");
            }
        }
        assert!(Bands::of(&[Free, Unknown, Occupied, Unknown, Occupied, Unknown, Occupied]).is_none());
        assert!(Bands::of(&[Free, Occupied]).is_none());
    }

    #[test]
    fn tables_without_bands_are_looked_up() {
        // Equal thresholds at an odd multiple of 1/510 leave no unknown grey.
        let read = classify(&image(Channels::Grey, &[0, 127, 128, 255]), &rule(Mode::Trinary, 0.5, 0.5));
        assert_eq!(read.classes, [Occupied, Occupied, Free, Free]);
    }

    proptest! {
        #[test]
        fn a_grey_means_the_same_in_every_kind_of_image(
            samples in prop::collection::vec(any::<u8>(), 1..50),
            free in 0.0..0.5f64,
            negate: bool,
        ) {
            let rule = Rule { negate, ignore_alpha: true, ..rule(Mode::Trinary, 0.65, free) };
            let grey = classify(&image(Channels::Grey, &samples), &rule);
            let rgba: Vec<u8> = samples.iter().flat_map(|&s| [s, s, s, 7]).collect();
            let wide: Vec<u16> = samples.iter().map(|&s| u16::from(s) * 257).collect();
            let coloured = classify(&image(Channels::Rgba, &rgba), &rule);
            let wide = Row(Channels::Grey, 65535, Samples::Sixteen(&wide));
            prop_assert_eq!(&grey.classes, &coloured.classes);
            prop_assert_eq!(&grey.classes, &classify(&wide, &rule).classes);
            prop_assert_eq!(&grey.findings, &coloured.findings);
        }

        #[test]
        fn the_table_is_the_rule(sample: u8, occupied in 0.5..1.0f64, free in 0.0..0.5f64) {
            let rule = rule(Mode::Trinary, occupied, free);
            let p = (255.0 - f64::from(sample)) / 255.0;
            let class = if p > occupied { Occupied } else if p < free { Free } else { Unknown };
            prop_assert_eq!(classify(&image(Channels::Grey, &[sample]), &rule).classes, vec![class]);
        }
    }
}
