import { describe, expect, test } from 'vitest';
import { createWitness, fateText } from './fate.ts';

const cell = (name: string, id: number, mass: number) => ({ kind: 'cell', mass, player: { id, name } });
const me = (mass: number) => cell('me', 1, mass);
const chompsky = (mass: number) => cell('Chompsky', 2, mass);

describe('how somebody was eaten', () => {
  test('a killer that divided just before has split onto its prey', () => {
    const witness = createWitness();
    witness.note([me(100), chompsky(280)], 1, 0);
    witness.note([me(100), chompsky(140), chompsky(140)], 1, 500);
    const fate = witness.fateBy('Chompsky')!;
    expect(fate).toMatchObject({ kind: 'splitOnto', times: 1.4 });
    expect(fateText(fate, 'Chompsky').what).toBe('Split onto you by Chompsky, 1.4 times your mass.');
  });

  test.each([
    ['inPieces', [me(60), me(40), chompsky(300)]],
    ['byGiant', [me(40), chompsky(2_287)]],
    ['caught', [me(100), chompsky(200)]],
  ])('%s is told by what was in sight', (kind, cells) => {
    const witness = createWitness();
    witness.note(cells, 1, 0);
    expect(witness.fateBy('Chompsky')?.kind).toBe(kind);
  });

  test('nothing is said of somebody who was not in sight', () => {
    const witness = createWitness();
    witness.note([me(100), chompsky(200)], 1, 0);
    witness.note([me(100)], 1, 2_000);
    expect(witness.fateBy('Chompsky')).toBeUndefined();
    expect(witness.fateBy('Wobbles')).toBeUndefined();
  });

  test('what the killer gained by eating does not count', () => {
    const witness = createWitness();
    witness.note([me(100), chompsky(200)], 1, 0);
    witness.note([chompsky(300)], undefined, 200);
    expect(witness.fateBy('Chompsky')?.times).toBe(2);
  });
});
