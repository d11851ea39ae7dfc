//! The list of alignment methods: what a shell offers, and what each method needs beside the two maps.

use crate::features::{Detector, Features};
use crate::rooms::RoomAligner;
use crate::{Aligner, Allowance, Correlative, FourierMellin, Method};

/// What a method needs to find the transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the origins as read.
    Nothing,
    /// Origins in both files.
    Origins,
    /// The cells of both maps: [`MethodEntry::make`] gives the search.
    Cells,
    /// A layout of fiducials in the coordinate frame of the truth.
    Layout,
    /// Places that a person clicked in both maps.
    Points,
    /// Other maps of the same place.
    OtherMaps,
}

type Make = fn(Allowance) -> Box<dyn Aligner>;

/// One method of [`methods`].
#[derive(Clone, Copy, Debug)]
pub struct MethodEntry {
    pub method: Method,
    /// One sentence, without a full stop, for help texts.
    pub description: &'static str,
    pub needs: Needs,
    make: Option<Make>,
}

impl MethodEntry {
    const fn search(method: Method, description: &'static str, make: Make) -> Self {
        Self { method, description, needs: Needs::Cells, make: Some(make) }
    }

    const fn given(method: Method, description: &'static str, needs: Needs) -> Self {
        Self { method, description, needs, make: None }
    }

    /// The name in job files, reports and on the command line.
    pub const fn name(&self) -> &'static str {
        self.method.name()
    }

    /// The search with this allowance; none unless the method needs cells alone.
    pub fn make(&self, allowance: Allowance) -> Option<Box<dyn Aligner>> {
        self.make.map(|make| make(allowance))
    }
}

/// Every method, those that search the cells first, the default search at the head.
pub const fn methods() -> &'static [MethodEntry] {
    METHODS
}

/// The method of this name.
pub fn find_method(name: &str) -> Option<&'static MethodEntry> {
    METHODS.iter().find(|entry| entry.name() == name)
}

const METHODS: &[MethodEntry] = &[
    MethodEntry::search(
        Method::Correlative,
        "exhaustive search over rotation and translation on distance fields",
        |allowance| Box::new(Correlative { allowance, ..Correlative::default() }),
    ),
    // Rooms are matched at scale 1 with tolerances of their own.
    MethodEntry::search(Method::Rooms, "matched rooms", |_| Box::new(RoomAligner::default())),
    MethodEntry::search(Method::Features, "matched corners", |allowance| {
        Box::new(Features { allowance, detector: Detector::Corner })
    }),
    MethodEntry::search(Method::Surf, "matched SURF key points", |allowance| {
        Box::new(Features { allowance, detector: Detector::Surf })
    }),
    MethodEntry::search(Method::FourierMellin, "spectra in log-polar coordinates", |allowance| {
        Box::new(FourierMellin { allowance })
    }),
    MethodEntry::given(Method::Georeference, "the origins of both files", Needs::Origins),
    MethodEntry::given(Method::None, "origins as read, (0, 0, 0) where absent", Needs::Nothing),
    MethodEntry::given(Method::Fiducials, "barrels found in the map and those of a layout", Needs::Layout),
    MethodEntry::given(Method::Points, "pairs of places that a person clicked", Needs::Points),
    MethodEntry::given(Method::Consensus, "the map placed among others of the same place", Needs::OtherMaps),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_makes_the_method_it_is_listed_under() {
        for entry in methods() {
            let made = entry.make(Allowance::default());
            assert_eq!(made.is_some(), entry.needs == Needs::Cells, "{}", entry.name());
            assert!(made.is_none_or(|aligner| aligner.method() == entry.method));
            assert_eq!(find_method(entry.name()).map(|found| found.method), Some(entry.method));
        }
        assert!(find_method("auto").is_none());
    }
}
