/*
 * Small exact or conservative statistics. Everything that a finding rests on comes down to one of these.
 */

/** P(Z ≥ z) of a normal variable. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  // Abramowitz and Stegun 26.2.17 is too coarse far out, where findings lie: a continued fraction from 3 on.
  if (z > 3) {
    let fraction = 0;
    for (let k = 40; k > 0; k--) fraction = k / (z + fraction);
    return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / (z + fraction);
  }
  const t = 1 / (1 + 0.231_641_9 * z);
  const poly =
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
}

/** P(X ≥ hits) of a Poisson variable: no smaller than that of as many independent trials with the same sum of chances. */
export function poissonTail(hits: number, expected: number): number {
  if (hits <= expected) return 1;
  // In logarithms: with many expected, the first terms are too small for a number.
  let logarithm = hits * Math.log(expected) - expected;
  for (let k = 2; k <= hits; k++) logarithm -= Math.log(k);
  let term = Math.exp(logarithm);
  let sum = 0;
  for (let k = hits + 1; term > sum * 1e-15; k++) {
    sum += term;
    term *= expected / k;
  }
  return Math.min(1, sum);
}

/** P(T ≥ t) of Student's t with 6 degrees of freedom: tails for populations that are not quite normal. */
export function heavyTail(t: number): number {
  if (t < 0) return 1 - heavyTail(-t);
  // The closed form for 6 degrees of freedom.
  const s = 6 / (6 + t * t);
  const sine = t / Math.sqrt(6 + t * t);
  if (t < 8) return Math.max(0, 0.5 - 0.5 * sine * (1 + s / 2 + (3 * s * s) / 8));
  // Far out the difference above loses its digits: the rest of the series of 1 / √(1 - s) instead.
  let [coefficient, rest] = [5 / 16, 0];
  for (let k = 3; k < 60; k++) {
    rest += coefficient * s ** k;
    coefficient *= (2 * k + 1) / (2 * k + 2);
  }
  return 0.5 * sine * rest;
}

/**
 * The rank sum of `own` among `own` and `others`, minus what chance gives, with its variance. Ties share their ranks.
 * Sums over matches stay comparable, because each is compared only within itself.
 */
export function rankSurplus(
  own: readonly number[],
  others: readonly number[],
): { readonly surplus: number; readonly variance: number } {
  const total = own.length + others.length;
  if (own.length === 0 || others.length === 0) return { surplus: 0, variance: 0 };
  const all = [
    ...own.map((value) => ({ value, isOwn: true })),
    ...others.map((value) => ({ value, isOwn: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let ties = 0;
  for (let at = 0; at < total; ) {
    let end = at + 1;
    while (end < total && all[end]!.value === all[at]!.value) end++;
    const rank = (at + end + 1) / 2;
    for (let i = at; i < end; i++) if (all[i]!.isOwn) rankSum += rank;
    ties += (end - at) ** 3 - (end - at);
    at = end;
  }
  const surplus = (rankSum - (own.length * (total + 1)) / 2) / (total + 1);
  const spread = total + 1 - ties / (total * (total - 1));
  const variance = (own.length * others.length * spread) / 12 / (total + 1) ** 2;
  return { surplus, variance };
}

/** Of p-values: how many of the smallest can be called findings at a false-discovery rate (Benjamini-Hochberg). */
export function discoveries(pValues: readonly number[], rate: number): number {
  const sorted = pValues.toSorted((a, b) => a - b);
  let found = 0;
  for (const [index, p] of sorted.entries()) {
    if (p <= (rate * (index + 1)) / sorted.length) found = index + 1;
  }
  return found;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.floor(sorted.length / 2)]!;
}

/** The spread of the bulk of some values, in the unit of a standard deviation; a few extreme ones do not count. */
export function robustSpread(values: readonly number[], middle: number): number {
  return 1.4826 * median(values.map((value) => Math.abs(value - middle)));
}
