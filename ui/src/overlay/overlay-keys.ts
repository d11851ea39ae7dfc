// Keys of the overlay.

import type { MapPane } from '../map/map-pane.ts';
import { panned, zoomedAbout } from '../map/view.ts';
import { arrowDirection, bracket, isArrow, letter, stepFactor, withControl, type Binding } from '../parts/keymap.ts';
import { openKeysDialog } from '../parts/keys-dialog.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';

const ROTATION_STEP_DEG = 0.1;
const ZOOM_STEP = 1.25;
const PAN_STEP_PIXELS = 60;

export interface OverlayKeyTargets {
  model(): OverlayModel | null;
  pane(): MapPane | null;
  showWhole(): void;
}

export function overlayKeys(targets: OverlayKeyTargets): Binding[] {
  return [...modeKeys(targets), ...moveKeys(targets), ...toolKeys(targets), ...viewKeys(() => targets.pane(), () => targets.showWhole())];
}

function modeKeys({ model }: OverlayKeyTargets): Binding[] {
  const does = words.keys.overlay;
  return [
    { keys: 'B', does: does.blend, matches: letter('b'), act: () => model()?.look.setMode('blend') },
    { keys: 'S', does: does.swipe, matches: letter('s'), act: () => model()?.look.setMode('swipe') },
    { keys: 'K', does: does.blink, matches: letter('k'), act: () => model()?.look.setMode('blink') },
    { keys: 'D', does: does.difference, matches: letter('d'), act: () => model()?.look.setMode('difference') },
    holding('T', does.truthAlone, 'base', model),
    holding('N', does.mapAlone, 'over', model),
  ];
}

function holding(key: string, does: string, alone: 'base' | 'over', model: () => OverlayModel | null): Binding {
  return {
    keys: words.keys.hold(key), does, matches: letter(key.toLowerCase()),
    act: () => model()?.look.setAlone(alone),
    release: () => model()?.look.setAlone(null),
  };
}

function moveKeys({ model }: OverlayKeyTargets): Binding[] {
  const does = words.keys.overlay;
  return [
    {
      keys: words.keys.arrows, does: does.move, matches: isArrow,
      act: (event) => {
        const current = model();
        if (!current) return;
        const step = current.truthPlane.geometry.cell_size_m * stepFactor(event);
        const [x, y] = arrowDirection(event);
        current.session.translate(x * step, y * step);
      },
    },
    {
      keys: '[ ]', does: does.rotate, matches: (event) => bracket(event) !== 0,
      act: (event) => model()?.session.rotate(-bracket(event) * ROTATION_STEP_DEG * stepFactor(event)),
    },
    { keys: 'Ctrl+Z', does: words.keys.undo, matches: withControl('z'), act: (event) => undoOrRedo(event, model()) },
    { keys: 'Ctrl+Y', does: words.keys.redo, matches: withControl('y'), act: () => model()?.session.redo() },
  ];
}

function undoOrRedo(event: KeyboardEvent, model: OverlayModel | null): void {
  if (event.shiftKey) model?.session.redo();
  else model?.session.undo();
}

function toolKeys({ model }: OverlayKeyTargets): Binding[] {
  const does = words.keys.overlay;
  return [
    { keys: 'P', does: does.pairs, matches: letter('p'), act: () => model()?.setTool('pairs') },
    { keys: 'M', does: does.measure, matches: letter('m'), act: () => model()?.setTool('measure') },
    { keys: 'A', does: does.align, matches: letter('a'), act: () => void model()?.automatic.align() },
    { keys: 'R', does: does.climb, matches: letter('r'), act: () => void model()?.automatic.climb() },
    { keys: 'Esc', does: does.escape, matches: (event) => event.key === 'Escape', act: () => backToMoving(model()) },
  ];
}

function backToMoving(model: OverlayModel | null): void {
  if (model && model.tool !== 'move') model.setTool('move');
}

/** Zoom, pan and the list of keys: on every page with a map. */
export function viewKeys(pane: () => MapPane | null, showWhole: () => void): Binding[] {
  const zoom = (factor: number): void => {
    const shown = pane();
    if (shown) shown.setView(zoomedAbout(shown.view(), [shown.view().width / 2, shown.view().height / 2], factor));
  };
  return [
    { keys: '+', does: words.keys.zoomIn, matches: (event) => event.key === '+' || event.key === '=', act: () => zoom(ZOOM_STEP) },
    { keys: '-', does: words.keys.zoomOut, matches: (event) => event.key === '-', act: () => zoom(1 / ZOOM_STEP) },
    { keys: '0', does: words.keys.whole, matches: letter('0'), act: showWhole },
    {
      keys: words.keys.controlArrows, does: words.keys.pan,
      matches: (event) => event.key.startsWith('Arrow') && event.ctrlKey,
      act: (event) => {
        const [x, y] = arrowDirection(event);
        const shown = pane();
        shown?.setView(panned(shown.view(), -x * PAN_STEP_PIXELS, y * PAN_STEP_PIXELS));
      },
    },
    { keys: '?', does: words.keys.list, matches: (event) => event.key === '?', act: openKeysDialog },
  ];
}
