/** How far something is shown from where it is predicted, in world units, and how fast that changes. */
export type ShownError = { x: number; y: number; speedX: number; speedY: number };

/** How fast errors are closed, as the frequency of a critically damped spring. */
const CLOSE_PER_SECOND = 16;
/** Farther off than this is a burst or a teleport, not an error to smooth over. */
const SNAP_FROM_WORLD = 260;

export function createShownError(): ShownError {
  return { x: 0, y: 0, speedX: 0, speedY: 0 };
}

/** The prediction moved by this much, and the shown position did not. */
export function addError(error: ShownError, x: number, y: number): void {
  error.x += x;
  error.y += y;
  if (Math.hypot(error.x, error.y) >= SNAP_FROM_WORLD) Object.assign(error, createShownError());
}

export function closeError(error: ShownError, seconds: number): void {
  [error.x, error.speedX] = closeIn(error.x, error.speedX, seconds);
  [error.y, error.speedY] = closeIn(error.y, error.speedY, seconds);
}

/** A critically damped spring, so that the speed of the picture does not jump either. */
function closeIn(error: number, speed: number, seconds: number): [error: number, speed: number] {
  const kept = Math.exp(-CLOSE_PER_SECOND * seconds);
  const push = speed + CLOSE_PER_SECOND * error;
  return [(error + push * seconds) * kept, (speed - CLOSE_PER_SECOND * push * seconds) * kept];
}
