// Parts of a form as browsers send it: enough for the stand-in of the server.

export function partsOf(bytes, contentType) {
  const boundary = /boundary="?([^";]+)/.exec(contentType ?? '')?.[1];
  if (!boundary) return [];
  const mark = Buffer.from(`--${boundary}`);
  const parts = [];
  let from = bytes.indexOf(mark);
  while (from >= 0) {
    const to = bytes.indexOf(mark, from + mark.length);
    if (to < 0) break;
    const part = bytes.subarray(from + mark.length + 2, to - 2);
    const split = part.indexOf('\r\n\r\n');
    const head = part.subarray(0, split).toString();
    const name = /[; ]name="([^"]*)"/.exec(head)?.[1] ?? '';
    const filename = /filename="([^"]*)"/.exec(head)?.[1];
    parts.push({ name, filename, bytes: part.subarray(split + 4) });
    from = to;
  }
  return parts;
}
