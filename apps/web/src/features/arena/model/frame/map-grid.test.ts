import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINIMAP_LABELS, minimapLabel, minimapMarker } from './map-grid.ts';

const MARGIN = 5.6 / 320;

describe('minimap', () => {
  test('has 25 fields, from A1 to E5', () => {
    expect(MINIMAP_LABELS).toHaveLength(25);
    expect(new Set(MINIMAP_LABELS).size).toBe(25);
    expect(MINIMAP_LABELS[0]).toBe('A1');
    expect(MINIMAP_LABELS[1]).toBe('B1');
    expect(MINIMAP_LABELS[24]).toBe('E5');
  });

  test.each([
    [0, 0, 'A1'],
    [1399.9, 0, 'A1'],
    [1400, 0, 'B1'],
    [0, 1400, 'A2'],
    [3500, 3500, 'C3'],
    [4500, 2000, 'D2'],
    [7000, 7000, 'E5'],
    [-50, 9000, 'A5'],
  ])('(%d, %d) is in %s', (x, y, label) => {
    expect(minimapLabel(x, y)).toBe(label);
  });

  test('keeps markers inside the map', () => {
    expect(minimapMarker(3500, 1750)).toEqual({ left: 0.5, top: 0.25 });
    expect(minimapMarker(0, 7000)).toEqual({ left: MARGIN, top: 1 - MARGIN });
    const position = fc.double({ min: -1e5, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(position, position, (x, y) => {
        const { left, top } = minimapMarker(x, y);
        for (const fraction of [left, top]) expect(fraction >= MARGIN && fraction <= 1 - MARGIN).toBe(true);
        expect(MINIMAP_LABELS).toContain(minimapLabel(x, y));
      }),
    );
  });
});
