//! Maps that are laid on a truth, or on each other, and the frames that were saved.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mapjudge::overlay::{DrawnLayer, LayerFrame, OverlayPair, TiledMap, barrel_layer, vector_layers};
use mapjudge::{AlignmentFile, JobError, Loaded, Map};
use metrics::annotation::inputs::Annotations;
use model::{FiducialLayout, Similarity2};

use crate::map_info::MapInfo;
use crate::problem::Problem;

/// Name of the truth in addresses.
pub const TRUTH: &str = "truth";

/// Keeps a frame that somebody saved: the map by its place on the command line, from 0. Returns the name of the file.
pub type KeptFrames = Box<dyn Fn(usize, &AlignmentFile) -> Result<String, JobError> + Send + Sync>;

/// One map to be laid.
pub struct OverlayMap {
    /// The file as given.
    pub name: String,
    /// The map, or why there is none.
    pub map: Result<Loaded<Map>, JobError>,
    /// Victims, paths and labels, in the coordinate frame of the map.
    pub layers: Vec<DrawnLayer>,
    /// A frame to begin with.
    pub frame: Option<AlignmentFile>,
}

/// What is laid on what.
pub struct OverlayDesk {
    truth: Piece,
    truth_annotations: Option<Annotations>,
    layout: Option<FiducialLayout>,
    maps: Vec<Result<Piece, MapInfo>>,
    layers: Vec<Vec<DrawnLayer>>,
    frames: Vec<Mutex<Frame>>,
    pairs: Mutex<BTreeMap<(usize, String), Arc<OverlayPair>>>,
    keep: Option<KeptFrames>,
}

/// A map with its tiles.
struct Piece {
    info: MapInfo,
    map: Loaded<Map>,
    tiles: TiledMap,
}

/// The frame of a map: as given at the start, or saved since.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// What was saved or given.
    pub file: Option<AlignmentFile>,
    /// How often it was saved.
    pub version: u64,
    /// Where it was saved to.
    pub saved_to: Option<String>,
}

impl Piece {
    fn new(id: &str, name: &str, map: Loaded<Map>) -> Self {
        let tiles = TiledMap::new(Arc::clone(&map.value.grid));
        Self { info: MapInfo::of(id, name, &map, &tiles), map, tiles }
    }
}

impl OverlayDesk {
    /// Maps on a truth. Without `keep` nothing can be saved.
    #[must_use]
    pub fn new(truth: (&str, Loaded<Map>), maps: Vec<OverlayMap>, keep: Option<KeptFrames>) -> Self {
        let ids: Vec<String> = (1..=maps.len()).map(|id| id.to_string()).collect();
        Self::with_ids(truth, ids.into_iter().zip(maps), keep)
    }

    /// As [`OverlayDesk::new`], with a name of each map in addresses.
    pub fn with_ids(
        truth: (&str, Loaded<Map>),
        maps: impl IntoIterator<Item = (String, OverlayMap)>,
        keep: Option<KeptFrames>,
    ) -> Self {
        let truth = Piece::new(TRUTH, truth.0, truth.1);
        let mut desk = Self {
            truth,
            truth_annotations: None,
            layout: None,
            maps: Vec::new(),
            layers: Vec::new(),
            frames: Vec::new(),
            pairs: Mutex::default(),
            keep,
        };
        for (id, given) in maps {
            desk.add(&id, given);
        }
        desk
    }

    fn add(&mut self, id: &str, given: OverlayMap) {
        self.layers.push(given.layers);
        let piece = match given.map {
            Err(error) => Err(MapInfo::broken(id, &given.name, &error.into())),
            Ok(map) => {
                let mut piece = Piece::new(id, &given.name, map);
                let start = OverlayPair::new(piece.map.clone(), self.truth.map.clone()).start();
                let both = align::truth_from_map(self.truth.map.value.anchoring, piece.map.value.anchoring);
                let given_frame = given.frame.as_ref().and_then(|file| file.alignment.truth_from_map);
                (piece.info.frame, piece.info.frame_source) = match (given_frame, both) {
                    (Some(frame), _) => (frame, "file"),
                    (None, Some(_)) => (start, "georeference"),
                    (None, None) => (start, "middle"),
                };
                Ok(piece)
            }
        };
        self.frames.push(Mutex::new(Frame { file: given.frame, ..Frame::default() }));
        self.maps.push(piece);
    }

    /// The same with what the truth knows beside its cells.
    #[must_use]
    pub fn with_truth_layers(self, annotations: Option<Annotations>, layout: Option<FiducialLayout>) -> Self {
        Self { truth_annotations: annotations, layout, ..self }
    }

    /// The page to begin with: several maps are compared.
    pub(crate) fn start(&self) -> String {
        match self.maps.len() {
            2..=4 => {
                let ids: Vec<String> = (1..=self.maps.len()).map(|id| id.to_string()).collect();
                format!("/compare?of={}", ids.join(","))
            }
            _ => "/overlay/1".to_owned(),
        }
    }

    /// What pages are told about the truth.
    pub(crate) const fn truth_info(&self) -> &MapInfo {
        &self.truth.info
    }

    /// What pages are told about the maps, with the frames that were saved meanwhile.
    pub(crate) fn map_infos(&self) -> Vec<MapInfo> {
        let info = |(index, piece): (usize, &Result<Piece, MapInfo>)| {
            let mut info = piece.as_ref().map_or_else(Clone::clone, |piece| piece.info.clone());
            let frame = self.frame_of(index);
            let saved = frame.file.as_ref().filter(|_| frame.version > 0);
            if let Some(truth_from_map) = saved.and_then(|file| file.alignment.truth_from_map) {
                (info.frame, info.frame_source) = (truth_from_map, "saved");
            }
            info
        };
        self.maps.iter().enumerate().map(info).collect()
    }

    /// Tiles of a map or of the truth.
    pub(crate) fn tiles(&self, id: &str) -> Result<&TiledMap, Problem> {
        Ok(&self.piece(id)?.tiles)
    }

    /// A map or the truth.
    pub(crate) fn map(&self, id: &str) -> Result<&Loaded<Map>, Problem> {
        Ok(&self.piece(id)?.map)
    }

    fn piece(&self, id: &str) -> Result<&Piece, Problem> {
        if id == TRUTH {
            return Ok(&self.truth);
        }
        let piece = &self.maps[self.index(id)?];
        piece.as_ref().map_err(|info| {
            info.problem
                .clone()
                .unwrap_or_else(|| Problem::not_found(format!("map {id:.20} cannot be shown")))
        })
    }

    /// The place of a map on the command line.
    pub(crate) fn index(&self, id: &str) -> Result<usize, Problem> {
        let name = |piece: &Result<Piece, MapInfo>| {
            piece.as_ref().map_or_else(|info| info.id.clone(), |piece| piece.info.id.clone())
        };
        let index = self.maps.iter().position(|piece| name(piece) == id);
        index.ok_or_else(|| Problem::not_found(format!("there is no map '{id:.20}'")))
    }

    /// A map with what it is laid on, prepared once.
    pub(crate) fn pair(&self, id: &str, on: &str) -> Result<Arc<OverlayPair>, Problem> {
        let index = self.index(id)?;
        let (map, below) = (self.map(id)?, self.map(on)?);
        let mut pairs = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = pairs.entry((index, on.to_owned()));
        Ok(Arc::clone(pair.or_insert_with(|| Arc::new(OverlayPair::new(map.clone(), below.clone())))))
    }

    /// Where a map lies on the truth: as it was saved, else as it began. The truth lies on itself.
    pub(crate) fn frame_in_truth(&self, id: &str) -> Result<Similarity2, Problem> {
        if id == TRUTH {
            return Ok(Similarity2::IDENTITY);
        }
        Ok(self.map_infos()[self.index(id)?].frame)
    }

    /// What lies on a map and its truth beside cells, without what has to be computed.
    pub(crate) fn layers(&self, id: &str) -> Result<Vec<DrawnLayer>, Problem> {
        let index = self.index(id)?;
        let own = self.layers[index].iter().cloned();
        let truth = self.truth_annotations.iter().flat_map(|truth| vector_layers(truth, LayerFrame::Truth));
        let mut layers: Vec<DrawnLayer> = truth.chain(own).collect();
        if let (Some(layout), Ok(piece)) = (&self.layout, &self.maps[index]) {
            let frame = self.frame_of(index).file.as_ref().and_then(|file| file.alignment.truth_from_map);
            layers.push(barrel_layer(layout, &piece.map.value, frame.unwrap_or(piece.info.frame)));
        }
        Ok(layers)
    }

    /// The frame of a map.
    pub(crate) fn frame_of(&self, index: usize) -> MutexGuard<'_, Frame> {
        self.frames[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a frame if nobody saved one since `version`; the new version, or none if somebody did.
    pub(crate) fn save(
        &self,
        index: usize,
        version: Option<u64>,
        file: AlignmentFile,
    ) -> Result<Option<Frame>, Problem> {
        let Some(keep) = &self.keep else {
            return Err(Problem::unprocessable("NOTHING_IS_KEPT", "this program keeps no frames"));
        };
        let mut frame = self.frame_of(index);
        if version.is_some_and(|version| version != frame.version) {
            return Ok(None);
        }
        let saved_to = keep(index, &file)?;
        *frame = Frame { file: Some(file), version: frame.version + 1, saved_to: Some(saved_to) };
        Ok(Some(frame.clone()))
    }

    /// Whether frames can be saved.
    pub(crate) const fn is_kept(&self) -> bool {
        self.keep.is_some()
    }

    /// The files that were saved, with their maps.
    #[must_use]
    pub fn saved(&self) -> Vec<(String, String)> {
        let infos = self.map_infos();
        let saved = infos.into_iter().enumerate().filter_map(|(index, info)| {
            let path = self.frame_of(index).saved_to.clone()?;
            Some((info.name, path))
        });
        saved.collect()
    }
}
