// Everything the overlay page knows about one map on the truth.

import { path, postJson } from '../api/client.ts';
import type { Desk, LiveAnswer, MapInfo } from '../api/types.ts';
import { alignArgument, IDENTITY, type Point, type Transform } from '../map/geometry.ts';
import { planeOf } from '../map/map-planes.ts';
import { corners, type PlacedPlane, type Plane } from '../map/plane.ts';
import type { View } from '../map/view.ts';
import { AutoAlign } from './auto-align.ts';
import { DistanceTool } from './distance-tool.ts';
import { ExactDifference } from './exact-difference.ts';
import { LayerSet } from './layer-set.ts';
import { LiveFollower } from './live-requests.ts';
import { Look } from './look.ts';
import { PairFit } from './pair-fit.ts';
import { PlacementSession } from './placement-session.ts';
import { Saving } from './saving.ts';
import { words } from '../words.ts';

export type Tool = 'move' | 'pairs' | 'measure';

export interface Watcher {
  /** Something changed; the sentence is for screen readers and may be empty. */
  changed(sentence: string): void;
  failed(error: unknown): void;
}

export class OverlayModel {
  readonly session: PlacementSession;
  readonly look: Look;
  readonly fit: PairFit;
  readonly automatic: AutoAlign;
  readonly saving: Saving;
  readonly layers: LayerSet;
  readonly measure: DistanceTool;
  readonly difference: ExactDifference;
  live: LiveAnswer | null = null;
  tool: Tool = 'move';
  /** First half of a pair, in the frame of the map. */
  pendingPair: Point | null = null;
  cursor: Point | null = null;
  private readonly numbers: LiveFollower<Transform, LiveAnswer>;
  private measuredTransform: Transform | null = null;

  constructor(
    readonly desk: Desk, readonly map: MapInfo, readonly truthPlane: Plane, readonly mapPlane: Plane,
    private readonly watcher: Watcher,
  ) {
    const changed = (sentence: string): void => this.changed(sentence);
    const failed = (error: unknown): void => watcher.failed(error);
    const silently = (): void => this.changed('');
    this.session = new PlacementSession(map.frame, centreOf(mapPlane), changed);
    this.look = new Look(changed);
    this.fit = new PairFit(map.id, silently, failed);
    this.automatic = new AutoAlign(map.id, this.session, changed, failed);
    this.saving = new Saving(map.id, this.session, changed);
    this.layers = new LayerSet(map.id, changed, failed);
    this.measure = new DistanceTool(changed);
    this.difference = new ExactDifference(truthPlane, silently, failed);
    this.numbers = new LiveFollower<Transform, LiveAnswer>({
      send: (truth_from_map, exact) => postJson(path('submissions', map.id, 'live'), { truth_from_map, exact }),
      show: (answer) => {
        this.live = answer;
        watcher.changed('');
      },
      failed,
    }, true);
  }

  /** Null if truth or map could not be read. */
  static open(desk: Desk, map: MapInfo, watcher: Watcher): OverlayModel | null {
    const truthPlane = desk.truth && planeOf(desk.truth, 'truth', map.id);
    const mapPlane = planeOf(map, 'map');
    return truthPlane && mapPlane ? new OverlayModel(desk, map, truthPlane, mapPlane, watcher) : null;
  }

  start(): void {
    this.changed('');
    void this.layers.read();
    this.saving.readTag().catch((error: unknown) => this.watcher.failed(error));
  }

  truth(): PlacedPlane {
    return { plane: this.truthPlane, placement: IDENTITY };
  }

  placedMap(): PlacedPlane {
    return { plane: this.mapPlane, placement: this.session.transform };
  }

  setTool(tool: Tool): void {
    this.tool = this.tool === tool ? 'move' : tool;
    this.pendingPair = null;
    this.changed(words.said.tool(this.tool));
  }

  /** The numbers and the difference are asked for anew. */
  refresh(view: View | null): void {
    if (this.measuredTransform !== this.session.transform) {
      this.measuredTransform = this.session.transform;
      this.numbers.changed(this.session.transform);
    }
    if (view && this.look.mode === 'difference') {
      this.difference.wanted(this.map.id, 'truth', this.session.transform, view);
    }
  }

  /** Numbers of a newer transform, or exact ones, are on their way. */
  numbersWait(): boolean {
    return this.numbers.waits;
  }

  /** The numbers shown are exact and of the present transform. */
  numbersAreExact(): boolean {
    return this.live?.exact === true && !this.numbers.waits;
  }

  failed(error: unknown): void {
    this.watcher.failed(error);
  }

  refreshScreen(sentence: string): void {
    this.changed(sentence);
  }

  unsavedText(): string | null {
    return this.session.isUnsaved ? alignArgument(this.session.transform) : null;
  }

  private changed(sentence: string): void {
    this.fit.follow(this.session.placement);
    this.watcher.changed(sentence);
  }
}

function centreOf(plane: Plane): Point {
  const [upperLeft, , lowerRight] = corners(plane.geometry);
  return [(upperLeft[0] + lowerRight[0]) / 2, (upperLeft[1] + lowerRight[1]) / 2];
}
