// Check bytes of a QR code: Reed-Solomon over GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (ISO/IEC 18004, 7.5).

const FIELD = 0x11d;
const exponents = new Uint8Array(512);
const logarithms = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  exponents[power] = value;
  exponents[power + 255] = value;
  logarithms[value] = power;
  value = value << 1 ^ (value & 0x80 ? FIELD : 0);
}

function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : exponents[logarithms[a] + logarithms[b]];
}

/** Coefficients of (x - a^0)(x - a^1) .. without the leading one. */
function generator(degree: number): readonly number[] {
  let coefficients = [1];
  for (let power = 0; power < degree; power += 1) {
    const next = [...coefficients, 0];
    coefficients.forEach((coefficient, at) => { next[at + 1] ^= times(coefficient, exponents[power]); });
    coefficients = next;
  }
  return coefficients.slice(1);
}

/** The remainder of the data, as `count` bytes. */
export function checkBytes(data: readonly number[], count: number): readonly number[] {
  const divisor = generator(count);
  const remainder = new Array<number>(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ (remainder.shift() ?? 0);
    remainder.push(0);
    divisor.forEach((coefficient, at) => { remainder[at] ^= times(coefficient, factor); });
  }
  return remainder;
}
