import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { aBody, aFrame, aPlayer } from '../../../../testing/arena-fixtures.ts';
import type { Body } from '../../model/playout/bodies.ts';
import { areaOf } from './contacts.ts';
import { type CellState, createCellState, shapeCells } from './shape-cells.ts';

/** Draws cells that do not move until their membranes have come to rest. */
function settle(cells: Body[]): (cell: Body) => CellState {
  const states = new Map(cells.map((cell) => [cell, createCellState()]));
  const stateOf = (cell: Body) => states.get(cell)!;
  cells.sort((a, b) => a.radius - b.radius);
  const frame = aFrame({ cells, elapsedMs: 16 });
  for (let passed = 0; passed < 1_200; passed += 16) {
    frame.nowMs += 16;
    shapeCells(frame, stateOf, []);
  }
  return stateOf;
}

test('touching cells keep at least 85 % of their area, however they lie', () => {
  const shape = fc.record({
    x: fc.integer({ min: 3_300, max: 3_700 }),
    y: fc.integer({ min: 3_300, max: 3_700 }),
    radius: fc.integer({ min: 40, max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(shape, { minLength: 2, maxLength: 4 }), (shapes) => {
      const cells = shapes.map((each, id) => aBody({ id, player: aPlayer(`${id}`, id), ...each }));
      const stateOf = settle(cells);
      for (const cell of cells) expect(areaOf(stateOf(cell).body.offset)).toBeGreaterThanOrEqual(0.85);
    }),
    { numRuns: 60 },
  );
});

test('a cell at the shore is flattened where the water is, not at the end of the world', () => {
  const cell = aBody({ id: 1, player: aPlayer('MoonYolk'), x: 3_500 - 900 + 60, y: 3_500, radius: 100 });
  const state = createCellState();
  const frame = aFrame({ cells: [cell] });
  frame.tide.size = 1_800;
  for (let passed = 0; passed < 1_200; passed += 16) {
    frame.nowMs += 16;
    shapeCells(frame, () => state, []);
  }
  const west = state.body.offset.length / 2;
  expect(state.body.offset[west]).toBeLessThan(-0.2);
  expect(state.body.offset[0]).toBeGreaterThan(-0.05);
});
