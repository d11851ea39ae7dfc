// The answers of the HTTP interface. Made from its description by a test: MAPJUDGE_RENEW=1 cargo nextest run --workspace page_types
// In lists of the interface entries stand under `items`.

/** How far first and second opinions agree. */
export interface Agreement {
  /** Relations with two opinions. */
  readonly compared: number;
  /** Those on which they do not differ. */
  readonly agreed: number;
  /** Over the status; null where it is undefined. */
  readonly kappa: number | null;
  readonly kappa_low: number | null;
  readonly kappa_high: number | null;
  /** Median distance of the displacements where both adjusted, metres. */
  readonly median_distance_m: number | null;
  readonly by_doubt: readonly AgreementOfDoubt[];
}

/** How far opinions agree on relations that a rule doubts for one reason. */
export interface AgreementOfDoubt {
  /** Null for relations without a doubt. */
  readonly doubt: Doubt | null;
  readonly words: string;
  readonly compared: number;
  readonly agreed: number;
}

/** What a search found. */
export interface AlignAnswer {
  readonly alignment: Alignment;
  /** The verdict for people. */
  readonly words: string;
  /** How long it took. */
  readonly seconds: number;
}

/** Parameters of the methods that search. */
export interface Aligning {
  /** Least scale of the map. Default 1: both maps are in metres. */
  readonly scale_min: number;
  /** Largest scale. */
  readonly scale_max: number;
  /** Distance in metres at which a wall counts as missed; 0.3, or 1.5 % of the truth's diagonal if a scale is searched. */
  readonly tol_m?: number | null;
  /** Compute scores under an alignment that is not certain; every value then carries a warning. */
  readonly accept_ambiguous: boolean;
}

/** How the map lies on the truth, and how sure that is. */
export interface Alignment {
  /** How it was found. */
  readonly method: Method;
  /** `p_truth = scale * R(theta) * p_map + (x, y)`; null if the search failed. */
  readonly truth_from_map: Similarity2 | null;
  /** How sure it is. */
  readonly certificate: Certificate;
  /** The best transforms, the winner first; those of the mirror image last. */
  readonly hypotheses: readonly Hypothesis[];
}

/** A transform file: `p_truth = scale * R(theta) * p_map + (x, y)`, how it was found and how sure it is. */
export interface AlignmentFile {
  /** Always `mapjudge.alignment/1`. */
  readonly schema: string;
  /** The maps it is about. A transform that a person chose holds for these alone. */
  readonly inputs: readonly Input[];
  /** The parameters of the search. */
  readonly parameters?: Aligning | null;
  /** The transform with its certificate. */
  readonly alignment: Alignment;
  /** Who chose it, where a person did. */
  readonly by?: string | null;
  /** Why, in that person's words. */
  readonly reason?: string | null;
  /** The places that the person pointed out in both maps. */
  readonly pairs?: readonly PointPair[];
  /** What the automatic search found for the same maps. */
  readonly automatic?: Alignment | null;
}

/** What a judge should look at. */
export type Attention = 'broken' | 'worker_died' | 'question' | 'undefined' | 'value_missing' | 'frame_outdated' | 'mirrored' | 'frame_uncertain' | 'late' | 'changed_by_draft' | 'to_verify';

/** A part of the record. */
export interface Audit {
  /** The events. */
  readonly items: readonly Event[];
  /** The end of the record. */
  readonly head: Head;
}

/** The cells of a bent map, in the frame of the truth. */
export interface BentImage {
  /** Left border, metres. */
  readonly west: number;
  /** Lower border, metres. */
  readonly south: number;
  /** Edge of a pixel, metres. */
  readonly cell_m: number;
  /** PNG in base64. */
  readonly png: string;
}

export type Better = 'lower' | 'higher' | 'closer' | 'neither';

/** What supports an alignment. */
export interface Certificate {
  /** The conclusion. */
  readonly verdict: Verdict;
  /** How well the winner fits, 0 to 1; null where the method has no such score. */
  readonly score: number | null;
  /** The same of the best transform that differs from the winner; null if there is none. */
  readonly second_score: number | null;
  /** `(score - second) / (1 - second)`: what the winner gains of what was to be gained, 0 to 1. */
  readonly value: number | null;
  /** Whether the map is mirrored. */
  readonly mirror: Mirror;
  /** How well the mirror image fits; null if it was not tried. */
  readonly mirror_score: number | null;
  /** Share of the truth's known cells that the map knows under the winner, 0 to 1. */
  readonly overlap: number | null;
  /** True if the truth was taken as a part of the place: walls of the map that lie where it knows nothing count neither for nor against a transform. */
  readonly truth_is_part?: boolean;
  /** True if the map is broken: another of its parts fits under a transform turned by 3 to 15 degrees about a place within the map, and this is the transform of the larger one. */
  readonly is_largest_part?: boolean;
  /** What remains open along the direction in which the map slides most easily. */
  readonly slide: Slide | null;
  /** Covariance of x in metres, y in metres and theta in radians, about the middle of the map's walls. */
  readonly covariance: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]] | null;
  /** Root mean square distance of the points the fit rests on, in metres. */
  readonly residual_m: number | null;
}

/** The rank of a team. */
export interface ChangedRank {
  readonly team: string;
  /** Before. */
  readonly before: number | null;
  /** After. */
  readonly after: number | null;
}

/** What differs for a team. */
export interface ChangedTeam {
  /** The team. */
  readonly team: string;
  /** Its score. */
  readonly score: {
    /** Before. */
    readonly before: number | null;
    /** After. */
    readonly after: number | null;
  };
  /** Its rank. */
  readonly rank: {
    /** Before. */
    readonly before: number | null;
    /** After. */
    readonly after: number | null;
  };
  /** Why, in words; empty if nothing changed. */
  readonly causes: readonly string[];
}

/** The displacement that brings clicked pairs together. */
export interface ClickedFit {
  /** The pose of the second scan seen from the first. */
  readonly delta: Pose2;
  /** sqrt(Σ length² / n). */
  readonly rms_m: number;
  /** In the order of the pairs. */
  readonly residuals: readonly ClickedResidual[];
}

/** From where a point of the second scan lies to its partner in the first. */
export interface ClickedResidual {
  /** Along x, metres. */
  readonly dx_m: number;
  /** Along y, metres. */
  readonly dy_m: number;
  /** sqrt(dx² + dy²), metres. */
  readonly length_m: number;
}

/** The nearest top of the wall score. */
export interface ClimbAnswer {
  readonly truth_from_map: Similarity2;
  readonly score_before: number;
  readonly score_after: number;
}

/** What the contest is, and how it is run. */
export interface Contest {
  readonly name: string;
  readonly profile: ProfileName;
  readonly missions: readonly Mission[];
  readonly teams: readonly Team[];
  /** Values that judges enter. */
  readonly criteria: readonly Criterion[];
  readonly settings: ServeSettings;
  /** Whether the public ranking stands still. */
  readonly frozen: boolean;
  readonly frozen_since: string | null;
  /** The event of what the public sees. */
  readonly published_seq: number | null;
  /** The newest first. */
  readonly notices: readonly Notice[];
  readonly limits: UploadLimits;
  /** The end of the record; for the public that of the publication. */
  readonly head: Head;
  /** The server's clock. */
  readonly now: string;
  readonly tool: Tool;
  /** Whether who asks may see the truth, and compare maps on it. */
  readonly sees_truth: boolean;
  readonly is_login_needed: boolean;
  /** Records of relations under review; null for all but judges. */
  readonly reviews: readonly ReviewedRecord[] | null;
}

/** Which submission of a team counts in a mission. */
export type Counts = 'last' | 'chosen';

/** A value that judges enter. */
export interface Criterion {
  /** The part. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What the judge has to do. */
  readonly about: string;
  /** Whether a score waits for it. Others are measured or stood in for, and a judge may know better. */
  readonly required: boolean;
}

/** What is laid on what. */
export interface Desk {
  /** Always `overlay`. */
  readonly kind: string;
  readonly tool: Tool;
  /** The page to begin with. */
  readonly start: string;
  /** Names are those of people who logged in, and the server goes on: always true. */
  readonly contest: boolean;
  readonly truth: MapInfo;
  readonly maps: readonly MapInfo[];
  /** Where a transform is kept, for people; null for who may keep none. */
  readonly saves_to: string | null;
  /** Who looks. */
  readonly reviewer: string;
}

/** What differs between two rankings. */
export interface Difference {
  /** The event of the earlier ranking; null without one. */
  readonly from_ranking: number | null;
  /** The event of the later one. */
  readonly to_ranking: number;
  /** By team, in the order of the later ranking. */
  readonly rows: readonly ChangedTeam[];
  /** Teams with a cause. */
  readonly changed: number;
}

/** Why a rule leaves a proposal to a person. */
export type Doubt = 'no_match' | 'degenerate' | 'overlap' | 'inliers' | 'rms' | 'contradicted' | 'moved' | 'sigma' | 'ambiguous' | 'witnesses' | 'bent';

/** Why a proposal is doubted, in words. */
export interface DoubtOf {
  /** By how much the limit is missed, above 1; none where that is no number: doubted most. */
  readonly ratio: number | null;
  readonly code: Doubt;
  readonly words: string;
}

/** A map as a polynomial bends it, with its image where it can be drawn. */
export interface DrawnBentMap {
  /** Lines that are straight in the map. */
  readonly grid: readonly (readonly (readonly [number, number])[])[];
  /** The border of the map. */
  readonly outline: readonly (readonly [number, number])[];
  /** Whether the polynomial turns a part of the map over. */
  readonly folds: boolean;
  /** How much the map had to bend, metres: R-WARP. */
  readonly penalty_m: number;
  /** The part of each degree, 0 upwards, metres. */
  readonly lengths_m: readonly number[];
  /** Root mean square of the pairs under the rigid motion alone. */
  readonly rigid_rms_m: number;
  /** Psi of the bent map; null where it is undefined. */
  readonly psi_after: number | null;
  readonly picture: BentImage | null;
}

/** One shape. */
export interface DrawnItem {
  /** What the points mean. */
  readonly shape: ItemShape;
  /** Metres. */
  readonly points: readonly (readonly [number, number])[];
  /** Radius of a circle. */
  readonly radius_m?: number | null;
  /** Its name; empty for none. */
  readonly label: string;
  /** Whether it was found, where that is known. */
  readonly state?: ItemState | null;
}

/** Shapes of one kind. */
export interface DrawnLayer {
  /** Stable name, such as `victims`. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** In which coordinate frame the points are. */
  readonly frame: LayerFrame;
  /** The shapes. */
  readonly items: readonly DrawnItem[];
}

/** Where the position may lie: half axes of three standard deviations, in the frame of the first scan. */
export interface Ellipse {
  /** Half of the longer axis, metres. */
  readonly major_m: number;
  /** Half of the shorter axis, metres. */
  readonly minor_m: number;
  /** Of the major axis, counter-clockwise from x. */
  readonly angle_rad: number;
}

/** Where a relation lies in the run, in the frame of [`RunView`]. */
export interface Ends {
  /** Where the first scan was taken, metres. */
  readonly from: readonly [number, number];
  /** Where the second scan was taken, metres. */
  readonly to: readonly [number, number];
}

/** A value as a judge sees it: what others say only once the own opinion is there. */
export interface EnteredValue {
  /** The criterion. */
  readonly name: string;
  /** What counts; null while there are too few opinions, or those of others are hidden. */
  readonly value: Number | null;
  /** Of the own opinion, else of the last one. */
  readonly reason: string | null;
  readonly by: string | null;
  readonly at: string | null;
  /** Those that are shown. */
  readonly opinions: readonly Opinion[];
  /** Whether there are enough, and all are equal. */
  readonly agreed: boolean;
}

/** What the scans say about a displacement. */
export interface Evaluation {
  /** One per limit of the rule. */
  readonly numbers: readonly ReviewNumber[];
  /** Null where the scans give no covariance. */
  readonly ellipse: Ellipse | null;
  /** Direction along which the scans fix nothing, seen from the first pose; radians. */
  readonly degenerate_rad: number | null;
}

/** An event in the chain. */
export interface Event {
  /** Place in the chain, from 1. */
  readonly seq: number;
  /** When. */
  readonly at: string;
  /** Who. */
  readonly person: string;
  /** Kind. */
  readonly kind: string;
  /** What it is about. */
  readonly subject: string;
  /** Everything else. */
  readonly body: unknown;
  /** Hash of the event before. */
  readonly prev: string;
  /** Own hash. */
  readonly hash: string;
}

/** What teams see of their own submissions before publication. */
export type Feedback = 'findings' | 'score';

/** A figure of a sheet. */
export interface Figure {
  /** Its name in addresses. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What it shows. */
  readonly words: string;
}

/** A file that teams are asked for. */
export interface FileRule {
  readonly role: string;
  /** What its name has to be like. */
  readonly pattern: string;
  readonly required: boolean;
  /** All of it, for people. */
  readonly words: string;
}

/** One thing noticed about an input. */
export interface Finding {
  /** How serious it is. */
  readonly level: Level;
  /** Stable name in capitals, such as `UNKNOWN_MAY_READ_AS_FREE`. */
  readonly code: string;
  /** Line of the file, counted from 1, where the finding has one. */
  readonly line?: number | null;
  /** What was found, where, and what it means. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | null;
}

/** A transform from pairs. */
export interface FitAnswer {
  /** Null if it was refused. */
  readonly truth_from_map: Similarity2 | null;
  /** Why there is none. */
  readonly refused: FitRefusal | null;
  /** Root mean square of the residuals of pairs that count. */
  readonly rms_m: number | null;
  /** How that is computed. */
  readonly formula: string;
  /** By pair, in their order. */
  readonly residuals: readonly PairResidual[];
  /** The map as a polynomial bends it. */
  readonly bent: DrawnBentMap | null;
}

/** Why the pairs determine nothing. */
export interface FitRefusal {
  /** In words. */
  readonly reason: string;
  /** Pairs that the motion needs. */
  readonly pairs_needed: number;
}

/** How a map was laid on the truth when it was judged. */
export interface FrameOnTruth {
  /** Name of the method; `manual` for a person. */
  readonly method: string;
  /** Who laid it by hand. */
  readonly by: string | null;
  /** Why. */
  readonly reason: string | null;
  /** What the search says about its transform. */
  readonly verdict: string | null;
  /** Whether the transform that a judge saved is of an older map. */
  readonly of_older_map: boolean;
}

/** Whether the public ranking stands still. */
export interface Freeze {
  readonly frozen: boolean;
  readonly frozen_since: string | null;
}

/** Size and place of a grid; row 0 of its images is the top row. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly cell_size_m: number;
  /** The lower left corner of the lower left cell. */
  readonly origin: Pose2;
}

/** An event of a submission, in words. */
export interface Happening {
  readonly seq: number;
  readonly at: string;
  readonly person: string;
  readonly kind: string;
  readonly words: string;
}

/** The end of the chain. */
export interface Head {
  /** Number of events. */
  readonly seq: number;
  /** Hash of the last. */
  readonly hash: string;
}

/** One line of the history of a relation. */
export interface HistoryLine {
  /** Word of the record, such as `accepted`. */
  readonly status: string;
  /** Who decided, a person or a rule. */
  readonly reviewer: string | null;
  /** As the reviewer's clock wrote it. */
  readonly time: string | null;
  /** What the reviewer wrote. */
  readonly note: string | null;
  /** 1, 2 or 3; null for rules and older records. */
  readonly opinion: number | null;
  /** How long the reviewer looked at it. */
  readonly seconds: number | null;
  /** The displacement that the line states. */
  readonly delta: Pose2;
  /** Who took a decision back by this line. */
  readonly undone_by: string | null;
  /** Who asked for a second opinion. */
  readonly second_by: string | null;
}

/** A transform that was considered, and how well it fits. */
export interface Hypothesis {
  /** The transform. */
  readonly truth_from_map: Similarity2;
  /** How well it fits, 0 to 1. */
  readonly score: number;
  /** True if the map was mirrored first (x to the left of its frame). */
  readonly mirrored?: boolean;
}

/** A file that a case rests on. */
export interface Input {
  /** What it served as: `map`, `truth`, `map_image`, `truth_image`. */
  readonly role: string;
  /** The path as given; the file name alone if it was absolute. */
  readonly path: string;
  /** BLAKE3 hash of the bytes, in hexadecimal; empty if they could not be read. */
  readonly blake3: string;
  /** What the file was read as; empty if it could not be. */
  readonly format: string;
}

/** What the points of a shape mean. */
export type ItemShape = 'point' | 'line' | 'area' | 'circle';

/** Whether something of the truth was found in the map. */
export type ItemState = 'found' | 'missing';

/** Something to be done, or that could not be done. */
export interface Job {
  readonly id: string;
  /** `lint`, `measure` or `rank`. */
  readonly kind: string;
  /** What it is about: a submission, mostly. */
  readonly subject: string;
  /** `waiting`, `leased` or `failed`. */
  readonly state: string;
  readonly attempts: number;
  /** The worker that does it. */
  readonly leased_by: string | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** What is being done, and by whom. */
export interface Jobs {
  readonly items: readonly Job[];
  readonly workers: readonly Worker[];
}

/** The coordinate frame of a layer. */
export type LayerFrame = 'truth' | 'map';

/** Shapes on map and truth. */
export interface Layers {
  readonly layers: readonly DrawnLayer[];
}

/** A colour of the overlay. */
export interface LegendEntry {
  /** `#rrggbb`. */
  readonly colour: string;
  readonly words: string;
}

/** How serious a finding is. */
export type Level = 'info' | 'warning' | 'error';

/** On which side of its limit a value should lie. */
export type LimitSense = 'at_least' | 'at_most' | 'absent';

/** A log-in link. */
export interface Link {
  readonly name: string;
  /** Works once, within a day. */
  readonly link: string;
}

/** A part of the list of relations. */
export interface Listed {
  /** The most doubtful first. */
  readonly rows: readonly ReviewRow[];
  /** What to ask for next; null at the end. */
  readonly after: string | null;
}

/** Numbers where a map lies. */
export interface LiveAnswer {
  /** Whether they are those of a report. */
  readonly exact: boolean;
  /** Cells of the truth along the edge of a cell in which they were computed. */
  readonly pooled_by: number;
  /** The numbers, in the order in which a page shows them. */
  readonly numbers: readonly LiveNumber[];
  /** Why they are not exact, though that was asked for. */
  readonly why_not_exact: string | null;
  /** How long they took. */
  readonly seconds: number;
}

/** One number. */
export interface LiveNumber {
  /** Id of the metric; `wall_score` for that of the search. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Unit; empty for none. */
  readonly unit: Unit;
  /** Which direction is better. */
  readonly better: Better;
  /** Value; null if it is undefined. */
  readonly value: number | null;
  /** The value as tables print it; `undefined` without one. */
  readonly digits: string;
  /** Why it is undefined or doubtful. */
  readonly reasons: readonly Reason[];
}

/** What a page is told about a map. */
export interface MapInfo {
  /** Name in addresses. */
  readonly id: string;
  /** Name for people: the file as given. */
  readonly name: string;
  /** Hash of the file; tiles of another one are other tiles. */
  readonly blake3: string;
  /** Size and place; null for a broken map. */
  readonly geometry: Geometry | null;
  /** Levels of tiles. */
  readonly levels: number;
  /** Cells along the edge of a tile. */
  readonly tile: number;
  /** What the reader noticed. */
  readonly findings: readonly Finding[];
  /** Why there is no map. */
  readonly problem: Problem | null;
  /** Where it lies at the start. */
  readonly frame: Similarity2;
  /** Where that comes from: `georeference`, `middle`, `file` or `saved`. */
  readonly frame_source: string;
}

/** Who asks. */
export interface Me {
  /** Null for the public. */
  readonly name: string | null;
  readonly role: PersonRole | null;
  /** Of somebody who hands in. */
  readonly team: string | null;
  /** What the person may do beside reading. */
  readonly permissions: readonly string[];
}

/** How a transform was found. */
export type Method = 'none' | 'georeference' | 'points' | 'correlative' | 'rooms' | 'features' | 'surf' | 'fiducials' | 'fourier-mellin' | 'manual' | 'consensus';

/** Whether the map or its mirror image is the one that fits. */
export type Mirror = 'plain' | 'mirrored' | 'mirror_undecided';

/** A mission, as pages are told. */
export interface Mission {
  /** Name; empty for the only one. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** From when on submissions are taken. */
  readonly opens: string | null;
  /** After this they are late. */
  readonly closes: string | null;
  /** Whether submissions are taken now and in time. */
  readonly is_open: boolean;
  readonly files: readonly FileRule[];
}

/** The next proposals. */
export interface NextProposals {
  /** All that this person is asked about. */
  readonly left: number;
  /** The most doubtful first. */
  readonly proposals: readonly ReviewProposal[];
}

/** A note of a thread. */
export interface Note {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly role: string;
  readonly kind: NoteKind;
  readonly text: string;
}

/** What a note is. */
export type NoteKind = 'question' | 'answer' | 'appeal' | 'decision';

/** Something that everybody is told. */
export interface Notice {
  readonly at: string;
  readonly text: string;
}

/** A number, or one per victim for instance. */
export type Number = number | readonly number[];

/** A loop of accepted relations that does not close. */
export interface OpenLoop {
  /** How far it is open. */
  readonly words: string;
  /** Its relations; the first one closes it. Long loops are cut after 20. */
  readonly ids: readonly string[];
}

/** What one judge entered. */
export interface Opinion {
  readonly by: string;
  readonly value: Number;
}

/** What became of a submission. */
export type Outcome = 'scored' | 'broken' | 'undefined';

/** A pair as pages have it: a place in both maps, and whether it counts. */
export interface Pair {
  readonly map: readonly [number, number];
  readonly truth: readonly [number, number];
  readonly on: boolean;
}

/** How far a pair is from the transform: the truth minus the moved point of the map. */
export interface PairResidual {
  /** Metres. */
  readonly dx_m: number;
  /** Metres. */
  readonly dy_m: number;
  /** Metres. */
  readonly length_m: number;
  /** In cells of the truth. */
  readonly length_cells: number;
  /** Length under the transform of all other pairs: a wrong pair has a large one. Null where they are too few. */
  readonly if_left_out_m: number | null;
}

/** Pairs of places. */
export interface Pairs {
  readonly pairs: readonly Pair[];
}

/** Pairs of places as a file has them. */
export interface PairsText {
  /** CSV. */
  readonly text: string;
}

/** A transform out of a file. */
export interface ParsedFrame {
  readonly truth_from_map: Similarity2;
  readonly pairs: readonly Pair[];
  readonly by: string | null;
  readonly reason: string | null;
}

/** A part of a score. */
export interface Part {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Null for a part that judges enter. */
  readonly measured: unknown;
  /** Null where nothing was entered. */
  readonly entered: unknown;
  readonly status: PartStatus;
  /** Why it has no value, or another one than was measured. */
  readonly reasons: readonly string[];
  /** What the value rests on. */
  readonly detail: unknown;
}

/** Where the value of a part comes from. */
export type PartStatus = 'measured' | 'entered' | 'undefined' | 'stand_in';

/** A person in a list. */
export interface Person {
  /** Name. */
  readonly name: string;
  /** Role. */
  readonly role: PersonRole;
  /** The team of somebody who hands in. */
  readonly team: string | null;
  /** When the person was last here. */
  readonly seen_at: string | null;
  /** Whether the person was removed. */
  readonly revoked: boolean;
  /** Whether a code waits to be used. */
  readonly has_code: boolean;
}

/** What a person does in the contest. */
export type PersonRole = 'admin' | 'judge' | 'team' | 'viewer';

/** A position in metres. Never a cell: only [`crate::GridGeometry`] converts between the two. */
export interface Point2 {
  /** To the right (east), in metres. */
  readonly x_m: number;
  /** Up (north), in metres. */
  readonly y_m: number;
}

/** One place in both frames. */
export interface PointPair {
  /** Where the map has it. */
  readonly in_map: Point2;
  /** Where the truth has it. */
  readonly in_truth: Point2;
}

/** A rigid transform of the plane; as a pose, the place and heading of a frame seen from another.  Names carry both frames, and products then read correctly: `truth_from_map * map_from_robot`. */
export interface Pose2 {
  /** Translation along x in metres. */
  readonly x_m: number;
  /** Translation along y in metres. */
  readonly y_m: number;
  /** Rotation, counter-clockwise, in radians. */
  readonly theta_rad: number;
}

/** Why something was not done: RFC 9457. A kind may have members of its own. */
export interface Problem {
  readonly type: string;
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly hint?: string;
}

/** The rules by which a contest is judged. */
export interface ProfileName {
  /** With its version. */
  readonly name: string;
  /** For people. */
  readonly title: string;
}

/** When the public sees a new ranking. */
export type Public = 'held' | 'auto';

/** A publication. */
export interface Publication {
  /** Its event. */
  readonly seq: number;
  /** The ranking that it shows. */
  readonly ranking: number;
  /** When. */
  readonly at: string;
  /** Who published it; for judges. */
  readonly by?: string | null;
  /** What it says. */
  readonly note?: string | null;
  /** Hash of its event. */
  readonly hash: string;
}

/** A submission of the published ranking whose map may be compared. */
export interface PublishedMap {
  readonly id: string;
  readonly team: string;
  readonly mission: string;
  /** The figures of its sheet. */
  readonly pictures: readonly Figure[];
}

/** Submissions that judges should look at. */
export interface Queue {
  /** The most urgent first. */
  readonly items: readonly Submission[];
  /** Jobs that wait for a worker. */
  readonly waiting: number;
}

/** A place in the queue. */
export interface QueuePlace {
  /** From 1; 0 while it is worked on. */
  readonly place: number;
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** Why a value is undefined, or what to keep in mind when reading it. */
export type Reason = 'EMPTY_WINDOW' | 'NO_OCCUPIED_GT' | 'NO_OCCUPIED_MAP' | 'ZERO_VARIANCE' | 'MISSING_COLOUR' | 'NO_EDGES' | 'NO_TARGETS' | 'NO_REFERENCE' | 'NO_MATCH' | 'NO_CONSTRAINTS' | 'FRAME_MISMATCH' | 'BINARY_INPUT' | 'UNREACHABLE_START' | 'INSUFFICIENT_POINTS' | 'NO_FRONTIER' | 'UNKNOWN_MAY_READ_AS_FREE' | 'UNMATCHED_TIME' | 'DETECTION_MERGED' | 'EXCEEDS_ONE' | 'ALIGN_AMBIGUOUS' | 'PLACEMENT_BY_CHANCE' | 'ALIGN_FAILED' | 'MIRROR_UNDECIDED' | 'MAP_MIRRORED' | 'FRAME_DOUBTFUL' | 'SCALE_DOUBTFUL' | 'MAP_NEGATED' | 'NO_KNOWN_CELLS_IN_TRUTH' | 'PARTS_LOWER_BOUND' | 'TARGET_OUTSIDE' | 'RADIUS_TOO_SMALL' | 'DUPLICATE_ID' | 'UNSAFE_FRONTIER' | 'NOT_FINITE' | 'TOO_SMALL' | 'TOO_LARGE' | 'OVER_MEMORY' | 'NO_NAVIGATION' | 'NO_PATH' | 'NO_MAPS' | 'NO_ROBOT' | 'SPECK_LOOPS' | 'TOO_MANY_POINTS' | 'NOT_CERTIFIED' | 'WALLS_CONTRADICT' | 'NO_TRAJECTORY' | 'NO_AGGREGATE';

/** A file of a submission. */
export interface ReceivedFile {
  /** Path inside of the submission. */
  readonly name: string;
  /** Size. */
  readonly bytes: number;
  /** Hash. */
  readonly blake3: string;
}

/** What was taken: the receipt of whoever handed in. */
export interface ReceivedSubmission {
  /** Id of the submission. */
  readonly id: string;
  /** The how-manieth of the team in the mission, from 1. */
  readonly number: number;
  /** The team. */
  readonly team: string;
  /** The mission. */
  readonly mission: string;
  /** Its files; those that were kept too. */
  readonly files: readonly ReceivedFile[];
  /** Its event, with which it can be proven later. */
  readonly receipt: Head;
  /** Whether it came after the mission closed. */
  readonly late: boolean;
}

/** A displacement that the scans found, with what they say about it. */
export interface Refined {
  /** The pose of the second scan seen from the first. */
  readonly delta: Pose2;
  /** One per limit of the rule. */
  readonly numbers: readonly ReviewNumber[];
  /** Null where the scans give no covariance. */
  readonly ellipse: Ellipse | null;
  /** Direction along which the scans fix nothing, seen from the first pose; radians. */
  readonly degenerate_rad: number | null;
}

/** A rejudging. */
export interface Rejudging {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly state: RejudgingState;
}

/** A rejudging and what it would change. */
export interface RejudgingDetail {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly state: RejudgingState;
  /** Null until everything is measured. */
  readonly difference: Difference | null;
}

/** How a rejudging ended. */
export interface RejudgingEnd {
  readonly id: string;
  readonly state: RejudgingState;
}

/** A rejudging that was begun. */
export interface RejudgingId {
  readonly id: string;
}

/** How far a rejudging is. */
export type RejudgingState = 'applied' | 'dropped' | 'running' | 'ready';

/** How far a review is. */
export interface ReviewAnswer {
  /** The record as it is named to people. */
  readonly record: string;
  /** The log as it is named to people. */
  readonly log: string;
  /** Whom the summary is for. */
  readonly reviewer: string;
  /** How many relations have each status. */
  readonly counts: ReviewCounts;
  /** All limits of the rule. */
  readonly limits: readonly ReviewLimit[];
  /** Share of the decided relations that go to another person. */
  readonly second_share: number;
  /** How far first and second opinions agree. */
  readonly agreement: Agreement;
  /** Of this reviewer's last 20 decisions that carry seconds. */
  readonly rate_per_minute: number | null;
  /** Loops of accepted relations that do not close, the worst first. */
  readonly loops: readonly OpenLoop[];
  /** The path of the robot. */
  readonly run: RunView;
  /** Whether the page leads back to a contest; missing if not. */
  readonly contest?: boolean;
}

/** How many relations have each status. */
export interface ReviewCounts {
  /** Disputed ones too. */
  readonly proposed: number;
  /** By persons and rules. */
  readonly accepted: number;
  /** Accepted after a correction. */
  readonly adjusted: number;
  /** Found wrong. */
  readonly rejected: number;
  /** Proposed ones on which two opinions differ. */
  readonly disputed: number;
}

/** A limit of the rule. */
export interface ReviewLimit {
  /** Stable name for programs. */
  readonly name: string;
  /** The limit as a person reads it. */
  readonly words: string;
  /** Null if the value should be absent. */
  readonly limit: number | null;
  /** `m`, `rad`, or empty for shares and counts. */
  readonly unit: string;
  /** On which side of it values should lie. */
  readonly sense: LimitSense;
}

/** A value of a match beside its limit. */
export interface ReviewNumber {
  /** Stable name for programs. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Null where the scans give none. */
  readonly value: number | null;
  /** Null if the value should be absent. */
  readonly limit: number | null;
  /** `m`, `rad`, or empty for shares and counts. */
  readonly unit: string;
  /** Whether the limit is met. */
  readonly met: boolean;
}

/** A relation as a person is asked about it. */
export interface ReviewProposal {
  /** Name of the relation. */
  readonly id: string;
  /** Changes with every line of the relation; a decision names the version that it was made on. */
  readonly version: string;
  /** `proposed` while another person's opinion is hidden. */
  readonly status: string;
  /** Timestamp of the first scan, seconds. */
  readonly from_s: number;
  /** Timestamp of the second scan, seconds. */
  readonly to_s: number;
  /** What it was made from. */
  readonly source: string | null;
  /** The displacement to begin with: the proposed one while another person's opinion is hidden. */
  readonly delta: Pose2;
  /** The limit that it misses by the largest ratio; null if it misses none. */
  readonly doubt: DoubtOf | null;
  /** One per limit of the rule. */
  readonly numbers: readonly ReviewNumber[];
  /** Null where the scans give no covariance. */
  readonly ellipse: Ellipse | null;
  /** Direction along which the scans fix nothing, seen from the first pose; radians. */
  readonly degenerate_rad: number | null;
  /** In the frame of the first scan. */
  readonly first: ScanView;
  /** In the frame of the second scan. */
  readonly second: ScanView;
  /** Hits of other scans near the first one, in its frame. */
  readonly near: readonly (readonly [number, number])[];
  /** Null where the run has no pose at these times. */
  readonly where: Ends | null;
  /** Which opinion a decision would be: 1, 2 or 3. */
  readonly opinion: number;
  /** True if the opinions of others are hidden. */
  readonly blind: boolean;
  /** Empty while the opinions of others are hidden. */
  readonly history: readonly HistoryLine[];
}

/** A row of the list of relations. */
export interface ReviewRow {
  /** Name of the relation. */
  readonly id: string;
  /** `proposed` while another person's opinion is hidden. */
  readonly status: string;
  /** The ratio of the doubt; null without a doubt, or where it is no number. */
  readonly doubt: number | null;
  /** Which limit is missed. */
  readonly code: Doubt | null;
  /** The doubt in words. */
  readonly words: string | null;
  /** Timestamp of the first scan, seconds. */
  readonly from_s: number;
  /** Timestamp of the second scan, seconds. */
  readonly to_s: number;
  /** Who decided; null while that is hidden. */
  readonly reviewer: string | null;
  /** How many people have given one. */
  readonly opinions: number;
  /** Whether two of them differ. */
  readonly disputed: boolean;
}

/** A record under review. */
export interface ReviewedRecord {
  /** Its number in addresses, from 1. */
  readonly id: string;
  /** Its name. */
  readonly record: string;
}

/** The path of the run, from the relations between neighbours, or from the odometry where the record has none. */
export interface RunView {
  /** Positions of the keyframes, metres. */
  readonly path: readonly (readonly [number, number])[];
  /** Their timestamps, seconds. */
  readonly times: readonly number[];
}

/** How much was saved. */
export interface SavedCells {
  readonly saved: number;
}

/** The transform file of a map. */
export interface SavedFrame {
  /** Null if none was saved or given. */
  readonly file: AlignmentFile | null;
  /** Where it is kept, for people. */
  readonly saved_to: string | null;
}

/** A value, and the version of its submission. */
export interface SavedValue {
  /** The criterion. */
  readonly name: string;
  /** What counts; null while there are too few opinions, or those of others are hidden. */
  readonly value: Number | null;
  /** Of the own opinion, else of the last one. */
  readonly reason: string | null;
  readonly by: string | null;
  readonly at: string | null;
  /** Those that are shown. */
  readonly opinions: readonly Opinion[];
  /** Whether there are enough, and all are equal. */
  readonly agreed: boolean;
  readonly etag: string;
}

/** Points of a scan in the frame of its robot. */
export interface ScanView {
  /** Where beams ended, metres. */
  readonly hits: readonly (readonly [number, number])[];
  /** Where the scanner sits, metres. */
  readonly sensor: readonly [number, number];
  /** Polygon that the beams looked through. */
  readonly free: readonly (readonly [number, number])[];
}

/** What teams can take at most. */
export interface ServeLimits {
  /** Of one file, MiB. */
  readonly file_mib: number;
  /** Of one submission, MiB. */
  readonly submission_mib: number;
  /** Files of one submission. */
  readonly files: number;
  /** Of all submissions of a team, MiB. */
  readonly team_mib: number;
  /** Uploads of a team within a minute, broken ones included. */
  readonly uploads_per_minute: number;
  /** Free space of the disk below which nothing is taken, MiB. */
  readonly free_mib: number;
  /** Wrong codes of an address within a minute, before log-in is refused for the rest of it. */
  readonly wrong_codes_per_minute: number;
  /** Live scores of a session within a second. */
  readonly live_per_second: number;
  /** Of a JSON body, KiB. */
  readonly json_kib: number;
  /** Connections at a time. */
  readonly connections: number;
}

/** How a server runs the contest. */
export interface ServeSettings {
  /** What teams see of their own submissions before publication. */
  readonly feedback: Feedback;
  /** Who sees the truth. */
  readonly truth: TruthShown;
  /** Which submission of a team counts in a mission. */
  readonly counts: Counts;
  /** Whether a judge verifies each submission before publication. */
  readonly verify: boolean;
  /** Opinions per entered value; the median counts, all are listed. */
  readonly judges: number;
  /** When the public sees a new ranking. */
  readonly public: Public;
  /** When the public ranking is frozen. */
  readonly freeze?: string | null;
  /** Submissions per team and mission; broken ones do not count. */
  readonly submissions: number;
  /** What teams can take at most. */
  readonly limits: ServeLimits;
}

/** `p_outer = scale * R(theta) * p_inner + (x, y)`; with scale 1 a rigid transform.  Names carry both frames, as those of [`Pose2`] do: `truth_from_map`. */
export interface Similarity2 {
  /** Translation along x in metres. */
  readonly x_m: number;
  /** Translation along y in metres. */
  readonly y_m: number;
  /** Rotation, counter-clockwise, in radians. */
  readonly theta_rad: number;
  /** Scale; above 0. */
  readonly scale: number;
}

/** Along this direction the map may slide without the fit getting clearly worse: a corridor. */
export interface Slide {
  /** Direction in the frame of the truth, counter-clockwise from x, in radians, -pi/2 to pi/2. */
  readonly direction_rad: number;
  /** How far the map may move along it. */
  readonly forward_m: number;
  /** How far it may move against it. */
  readonly backward_m: number;
}

/** When each step was done; null if it was not. */
export interface StepTimes {
  readonly received: string;
  readonly checked: string | null;
  readonly measured: string | null;
  readonly verified: string | null;
  readonly published: string | null;
}

/** A submission as pages see it. */
export interface Submission {
  readonly id: string;
  readonly team: string;
  /** For people. */
  readonly team_name: string;
  readonly mission: string;
  /** The how-manieth of the team in the mission, from 1. */
  readonly number: number;
  readonly received_at: string;
  readonly late: boolean;
  readonly state: SubmissionState;
  readonly times: StepTimes;
  /** Null if nothing waits to be done with it. */
  readonly queue: QueuePlace | null;
  /** Why it is broken. */
  readonly error: string | null;
  readonly counts: boolean;
  /** Why it counts or does not, in words. */
  readonly counts_why: string;
  /** What a judge should look at, the most urgent first; empty for teams. */
  readonly attention: readonly Attention[];
  /** In the newest ranking; null where there is none, or not for who asks. */
  readonly score: number | null;
  /** Its event: what the team was told when it handed in. */
  readonly receipt: Head;
  /** Its version, for `If-Match`. */
  readonly etag: string;
}

/** A submission, whole. */
export interface SubmissionDetail {
  readonly id: string;
  readonly team: string;
  /** For people. */
  readonly team_name: string;
  readonly mission: string;
  /** The how-manieth of the team in the mission, from 1. */
  readonly number: number;
  readonly received_at: string;
  readonly late: boolean;
  readonly state: SubmissionState;
  readonly times: StepTimes;
  /** Null if nothing waits to be done with it. */
  readonly queue: QueuePlace | null;
  /** Why it is broken. */
  readonly error: string | null;
  readonly counts: boolean;
  /** Why it counts or does not, in words. */
  readonly counts_why: string;
  /** What a judge should look at, the most urgent first; empty for teams. */
  readonly attention: readonly Attention[];
  /** In the newest ranking; null where there is none, or not for who asks. */
  readonly score: number | null;
  /** Its event: what the team was told when it handed in. */
  readonly receipt: Head;
  /** Its version, for `If-Match`. */
  readonly etag: string;
  readonly files: readonly ReceivedFile[];
  readonly findings: readonly SubmissionFinding[];
  /** Of the ranking that who asks may see; empty if it counts in none. */
  readonly parts: readonly Part[];
  /** The formula of the score with its numbers. */
  readonly formula: string | null;
  /** `scored`, `broken` or `undefined`; null outside of a ranking. */
  readonly outcome: Outcome | null;
  /** What judges entered; for judges. */
  readonly values: readonly EnteredValue[];
  readonly notes: readonly Note[];
  readonly history: readonly Happening[];
  /** How the map was laid on the truth; null if it was not. */
  readonly frame: FrameOnTruth | null;
  /** Figures of its sheet, for whoever may see the truth. */
  readonly pictures: readonly Figure[];
}

/** What was noticed about a submission, as its team reads it. */
export interface SubmissionFinding {
  /** How much it matters. */
  readonly level: Level;
  /** Stable name for programs. */
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | null;
  /** The file, as the team calls it; missing where it is about no file of the team. */
  readonly file?: string | null;
  readonly line?: number | null;
}

/** How far a submission is. */
export type SubmissionState = 'received' | 'checked' | 'measured' | 'verified' | 'published' | 'broken';

export interface Team {
  readonly id: string;
  readonly name: string;
}

/** What a program logs in with. */
export interface Token {
  readonly name: string;
  readonly token: string;
}

/** The program that answers. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** Who sees the truth. */
export type TruthShown = 'judges' | 'published' | 'everyone';

/** Unit of a value. */
export type Unit = 'cells' | '1' | 'm' | 'm2' | 'deg' | 'deg/m' | '%' | 'points';

/** How much a team can hand in at once. */
export interface UploadLimits {
  /** Of one file. */
  readonly file_bytes: number;
  /** Of one submission. */
  readonly submission_bytes: number;
  /** Files of one submission. */
  readonly files: number;
}

/** An entered value. */
export interface ValueCell {
  /** What counts; null while there are too few opinions, or those of others are hidden. */
  readonly value: Number | null;
  /** How many there are. */
  readonly opinions: number;
  /** What this judge entered. */
  readonly own: Number | null;
  readonly reason: string | null;
  readonly by: string | null;
  /** What a new value would replace; 0 if nothing. */
  readonly version: number;
}

/** What a value would change. */
export interface ValuePreview {
  /** Of the submission in its mission. */
  readonly score: {
    /** Before. */
    readonly before: number | null;
    /** After. */
    readonly after: number | null;
  };
  readonly ranks: readonly ChangedRank[];
}

/** A team in a mission. */
export interface ValuesRow {
  readonly team: string;
  readonly mission: string;
  /** The one that counts; null if none does. */
  readonly submission: string | null;
  /** By criterion; those without an opinion are missing. */
  readonly cells: Readonly<Record<string, ValueCell>>;
}

/** Entered values by team, mission and criterion. */
export interface ValuesTable {
  readonly criteria: readonly Criterion[];
  readonly rows: readonly ValuesRow[];
}

/** How far an alignment can be trusted. */
export type Verdict = 'certain' | 'ambiguous' | 'failed' | 'mirrored';

/** What a verdict leaves. */
export interface VerdictAnswer {
  /** The line of the record. */
  readonly entry: unknown;
  /** The version of the relation. */
  readonly version: string;
  /** Whether it differs from an earlier opinion. */
  readonly disputed: boolean;
  readonly counts: ReviewCounts;
  /** What this person is still asked about. */
  readonly left: number;
  /** What comes next; null at the end. */
  readonly next: ReviewProposal | null;
}

/** What a decision leaves: the new version of its submission. */
export interface Version {
  readonly etag: string;
}

/** A program that does jobs. */
export interface Worker {
  readonly name: string;
  readonly version: string;
  /** Jobs that it does now. */
  readonly busy: number;
  readonly seen_at: string;
}
