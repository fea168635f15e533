/** In world units; the size is what to assume until the room has sent its own. */
export const WORLD = { size: 7_000, centre: 3_500, gridStep: 50 } as const;

const COLUMNS = ['A', 'B', 'C', 'D', 'E'] as const;
const ROWS = [1, 2, 3, 4, 5] as const;

/** Keeps markers inside the map: 5.6 of its 320 units. */
const MARKER_MARGIN = 5.6 / 320;

/** Letters are columns, numbers are rows. Row by row: A1, B1 … E5. */
export const MINIMAP_LABELS: readonly string[] = ROWS.flatMap((row) =>
  COLUMNS.map((column) => `${column}${row}`),
);

/** The field of a world position: 'D2'. A position outside the world belongs to the nearest field. */
export function minimapLabel(x: number, y: number, worldSize: number = WORLD.size): string {
  return `${COLUMNS[fieldIndex(x, worldSize)]}${ROWS[fieldIndex(y, worldSize)]}`;
}

/** Where to draw a marker, as fractions of the map's sides. */
export function minimapMarker(
  x: number,
  y: number,
  worldSize: number = WORLD.size,
): { readonly left: number; readonly top: number } {
  return { left: markerFraction(x, worldSize), top: markerFraction(y, worldSize) };
}

function fieldIndex(position: number, worldSize: number): number {
  const index = Math.floor((position / worldSize) * COLUMNS.length);
  return Math.min(COLUMNS.length - 1, Math.max(0, index));
}

function markerFraction(position: number, worldSize: number): number {
  return Math.min(1 - MARKER_MARGIN, Math.max(MARKER_MARGIN, position / worldSize));
}
