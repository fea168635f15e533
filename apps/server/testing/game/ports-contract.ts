import { type EntryId, entryId, type LobbyId } from '@engulf/domain/ids/entity-ids';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EntryOutcome, GamePorts } from '../../src/game/ports.ts';

/** Ports with a ledger behind them, and what a test needs to look into it. */
type PortsUnderTest = {
  readonly ports: GamePorts;
  /** A new paid lobby. */
  openLobby(): Promise<LobbyId>;
  /** An entry that plays in the lobby with this stake. */
  enter(lobbyId: LobbyId, stake: bigint): Promise<EntryId>;
  balanceOf(lobbyId: LobbyId, entryId: EntryId): Promise<bigint>;
  /** Makes the next writes fail as if the database were gone. */
  failWrites(count: number): void;
  dispose(): Promise<void>;
};

const STAKE = 50n;
const forfeit = (amount: bigint): EntryOutcome => ({ kind: 'forfeit', amount, massMilli: 1_000 });
const cashout = (amount: bigint): EntryOutcome => ({ kind: 'cashout', amount, massMilli: 1_000 });
const KILLED: EntryOutcome = { kind: 'killed', amount: 0n, massMilli: 1_000 };

/** What the game relies on when it hands its money to the ports, whatever is behind them. */
export function describeMoneyContract(name: string, open: () => Promise<PortsUnderTest>): void {
  describe(`money through ${name}`, () => {
    let subject: PortsUnderTest;
    let lobbyId: LobbyId;
    let anna: EntryId;
    let boris: EntryId;
    let clara: EntryId;

    beforeAll(async () => {
      subject = await open();
    });
    beforeEach(async () => {
      lobbyId = await subject.openLobby();
      anna = await subject.enter(lobbyId, STAKE);
      boris = await subject.enter(lobbyId, STAKE);
      clara = await subject.enter(lobbyId, STAKE);
    });
    afterAll(() => subject.dispose());

    const move = (from: EntryId | 'spill', to: EntryId, amount: bigint) =>
      subject.ports.recordBountyMoves(lobbyId, [{ from, to, amount }]);
    const settle = (entry: EntryId, outcome: EntryOutcome) =>
      subject.ports.settleEntry(lobbyId, entry, outcome);

    test('a settlement sees the moves recorded before it', async () => {
      move(anna, boris, STAKE);
      move(boris, clara, 2n * STAKE);
      expect(await settle(clara, cashout(3n * STAKE))).toMatchObject({ amount: 3n * STAKE, isNew: true });
    });

    test('a settlement does not see the moves recorded after it', async () => {
      const settled = settle(boris, cashout(STAKE));
      move(anna, clara, 20n);
      expect(await settled).toMatchObject({ amount: STAKE, isNew: true });
      expect(await settle(clara, cashout(STAKE + 20n))).toMatchObject({ amount: STAKE + 20n });
      expect(await subject.balanceOf(lobbyId, anna)).toBe(STAKE - 20n);
    });

    test('a move can take from the spill what a settlement before it left there', async () => {
      const settled = settle(anna, forfeit(30n));
      move('spill', boris, 10n);
      move('spill', clara, 10n);
      expect(await settled).toMatchObject({ amount: 30n });
      expect(await settle(boris, cashout(STAKE + 10n))).toMatchObject({ amount: STAKE + 10n });
      expect(await settle(clara, cashout(STAKE + 10n))).toMatchObject({ amount: STAKE + 10n });
      expect(await subject.ports.readSpill(lobbyId)).toBe(0n);
    });

    test('settling twice grants the amount once, and the second answer names the first end', async () => {
      const fault = { kind: 'fault', amount: 0n, massMilli: 0 } as const;
      const both = [settle(anna, cashout(STAKE)), settle(anna, fault)];
      expect(await Promise.all(both)).toMatchObject([
        { amount: STAKE, isNew: true },
        { amount: STAKE, isNew: false, kind: 'cashout' },
      ]);
      expect(await subject.balanceOf(lobbyId, anna)).toBe(0n);
    });

    test('writes that fail are retried in order', async () => {
      subject.failWrites(3);
      move(anna, boris, STAKE);
      const killed = settle(anna, KILLED);
      move(boris, clara, STAKE);
      expect(await killed).toMatchObject({ amount: 0n });
      expect(await settle(clara, cashout(2n * STAKE))).toMatchObject({ amount: 2n * STAKE });
      expect(await subject.balanceOf(lobbyId, boris)).toBe(STAKE);
    });

    test('settling an unknown entry rejects at once and does not hold up the lobby', async () => {
      const unknown = settle(entryId('00000000-0000-4000-8000-000000000000'), KILLED);
      move(anna, boris, STAKE);
      const settled = settle(boris, cashout(2n * STAKE));
      await expect(unknown).rejects.toThrow('no entry');
      expect(await settled).toMatchObject({ amount: 2n * STAKE, isNew: true });
    });

    test('lobbies have separate money', async () => {
      const other = await subject.openLobby();
      const dora = await subject.enter(other, STAKE);
      const [here, there] = [settle(anna, forfeit(20n)), subject.ports.settleEntry(other, dora, forfeit(5n))];
      await Promise.all([here, there]);
      expect(await subject.ports.readSpill(lobbyId)).toBe(STAKE - 20n);
      expect(await subject.ports.readSpill(other)).toBe(STAKE - 5n);
    });
  });
}
