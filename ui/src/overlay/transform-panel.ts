// The transform as four fields, the lock of the scale, undo and redo.

import { html, type TemplateResult } from 'lit';
import { alignArgument } from '../map/geometry.ts';
import { numberField } from '../parts/number-field.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';
import type { TransformField } from './placement-session.ts';

const FIELDS: readonly { field: TransformField; label: string; digits: number; step: string }[] = [
  { field: 'x', label: words.transform.x, digits: 4, step: '0.01' },
  { field: 'y', label: words.transform.y, digits: 4, step: '0.01' },
  { field: 'rotation', label: words.transform.rotation, digits: 4, step: '0.1' },
  { field: 'scale', label: words.transform.scale, digits: 6, step: '0.001' },
];

export function transformPanel(model: OverlayModel): TemplateResult {
  const { session } = model;
  return html`
    <section aria-label=${words.transform.title}>
      <h2>${words.transform.title}</h2>
      <div class="fields">
        ${FIELDS.map(({ field, label, digits, step }) => numberField({
          id: `field-${field}`, label, digits, step, value: session.field(field),
          isLocked: field === 'scale' && session.scaleIsLocked,
          change: (value) => session.setField(field, value),
        }))}
      </div>
      <label class="row">
        <input type="checkbox" id="unlock-scale" .checked=${!session.scaleIsLocked} @change=${(event: Event) => {
          session.scaleIsLocked = !(event.target as HTMLInputElement).checked;
          model.refreshScreen(session.scaleIsLocked ? words.said.scaleLocked : words.said.scaleUnlocked);
        }}>
        ${words.transform.unlock}
      </label>
      <p class="quiet">${(words.transform.source as Readonly<Record<string, string>>)[model.map.frame_source] ?? ''}
        <code id="align-argument">${alignArgument(session.transform)}</code></p>
    </section>`;
}
