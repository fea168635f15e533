/**
 * World units between two pointers that the arena can tell apart. No hand is steadier than that, and it makes recordings,
 * which consist mostly of pointers, smaller.
 */
export const POINTER_STEP = 4;

/** Adding 0 turns -0 into 0: they steer alike, but their bytes differ. */
export function quantisePointer(offset: number): number {
  return Math.round(offset / POINTER_STEP) * POINTER_STEP + 0;
}
