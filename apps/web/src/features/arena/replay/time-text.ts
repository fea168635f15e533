/** '4:07', or '1:02:30' from an hour on. */
export function timeText(tick: number, ticksPerSecond: number): string {
  const seconds = Math.floor(tick / ticksPerSecond);
  const two = (value: number) => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
