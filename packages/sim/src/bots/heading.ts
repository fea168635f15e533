/** The direction that the thinking bot has chosen so far: a unit vector. Bots think one after the other. */
export const heading = new Float64Array(2);

/** Keeps the heading when there is no way to go. */
export function setHeading(x: number, y: number): void {
  const length = Math.sqrt(x * x + y * y);
  if (length < 1e-9) return;
  heading[0] = x / length;
  heading[1] = y / length;
}
