// Numbers as they are shown: a fixed number of digits, a minus sign only where something is left of the value.

export function fixed(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** As many digits as needed, at most `digits` behind the point: for fields that are edited. */
export function editable(value: number, digits: number): string {
  return String(Number(fixed(value, digits)));
}

export function seconds(value_s: number): string {
  return value_s < 1 ? `${Math.round(value_s * 1000)} ms` : `${value_s.toFixed(1)} s`;
}

export function clock(value_s: number): string {
  const minutes = Math.floor(Math.abs(value_s) / 60);
  const rest = (Math.abs(value_s) % 60).toFixed(1).padStart(4, '0');
  return `${value_s < 0 ? '-' : ''}${minutes}:${rest}`;
}
