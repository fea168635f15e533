import { describe, expect, it } from 'vitest';
import { clampVolume, readStoredVolume } from './volume.ts';

describe('volume', () => {
  it.each([
    [-1, 0],
    [0.5, 0.5],
    [7, 1],
  ])('%d is set as %d', (volume, clamped) => {
    expect(clampVolume(volume)).toBe(clamped);
  });

  it.each([
    [null, 0.2],
    ['', 0.2],
    [' ', 0.2],
    ['loud', 0.2],
    ['1.01', 0.2],
    ['-0.1', 0.2],
    ['Infinity', 0.2],
    ['0', 0],
    ['0.35', 0.35],
    ['1', 1],
  ])('stored %j is read as %d', (stored, volume) => {
    expect(readStoredVolume(stored)).toBe(volume);
  });
});
