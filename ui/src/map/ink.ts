// Colours and strokes of what is drawn over maps. Each line has a halo, so that it shows on walls and on free cells.

export const INK = {
  base: '#1b4f8a',
  over: '#c8501e',
  pair: '#7b2d8e',
  worst: '#b00020',
  measure: '#00695c',
  handle: '#0b57d0',
  bent: '#6a1b9a',
  slide: '#ad1457',
  found: '#1b7f3b',
  missing: '#b00020',
  halo: '#ffffff',
  text: '#14171c',
} as const;

const FONT = '600 12px system-ui, sans-serif';

export function strokeWithHalo(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.strokeStyle = INK.halo;
  context.lineWidth = width + 2.5;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

export function writeWithHalo(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  context.font = FONT;
  context.lineJoin = 'round';
  context.strokeStyle = INK.halo;
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}
