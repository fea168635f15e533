/**
 * A power computed with the four basic operations only. `Math.pow` may differ in the last bit between
 * engines, so that a replay would drift; this gives the same bits everywhere. For tables, not for hot loops.
 */
export function powExact(base: number, exponent: number): number {
  if (!(base > 0)) throw new RangeError(`powExact needs a positive base, got ${base}`);
  return expExact(exponent * lnExact(base));
}

function lnExact(value: number): number {
  let mantissa = value;
  let twos = 0;
  while (mantissa > 1.5) {
    mantissa /= 2;
    twos++;
  }
  while (mantissa < 0.75) {
    mantissa *= 2;
    twos--;
  }
  const z = (mantissa - 1) / (mantissa + 1);
  const square = z * z;
  let power = z;
  let sum = 0;
  for (let n = 1; n < 40; n += 2) {
    sum += power / n;
    power *= square;
  }
  return 2 * sum + twos * Math.LN2;
}

function expExact(value: number): number {
  let halved = value;
  let halvings = 0;
  while (halved > 0.25 || halved < -0.25) {
    halved /= 2;
    halvings++;
  }
  let term = 1;
  let sum = 1;
  for (let n = 1; n < 16; n++) {
    term *= halved / n;
    sum += term;
  }
  for (; halvings > 0; halvings--) sum *= sum;
  return sum;
}
