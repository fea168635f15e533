import type { PlayerId } from '@engulf/sim/players';
import { createInputLog, hashLogged } from '@engulf/sim/recording/input-log';
import type { InputClaim, InputStatement } from '@engulf/sim/recording/input-statement';
import type { WatchInputs } from '@engulf/sim/recording/replay';
import type { Segment } from '@engulf/sim/recording/segment';

/** What a player has signed, beside the hash of what was recorded of it; undefined if it speaks of anything else. */
type HeldClaim<Claim extends InputClaim> = {
  readonly claim: Claim;
  readonly rowsHash: Uint8Array | undefined;
};

export type PlayerInputs = {
  readonly statements: HeldClaim<InputStatement>[];
  /** When the line broke and came back, by turns. */
  readonly breaks: number[];
};

/** While a recording is played: what players have signed of it. */
export type InputGatherer = {
  readonly watch: WatchInputs;
  readonly byPlayer: ReadonlyMap<PlayerId, PlayerInputs>;
  /** Of the claims that the visitor kept: those that the recording goes far enough for. */
  readonly kept: readonly HeldClaim<InputClaim>[];
  /** Call after each step, before somebody else may have the slot of a player who is out. */
  noteStep(tick: number): void;
  /** Call after each segment that was played. */
  noteSegment(segment: Segment): void;
};

export function gatherInputs(keptClaims: readonly InputClaim[]): InputGatherer {
  const byPlayer = new Map<PlayerId, PlayerInputs>();
  const kept: HeldClaim<InputClaim>[] = [];
  const log = createInputLog('all');
  const waiting = keptClaims.toSorted((a, b) => b.to - a.to);
  const inputsOf = (player: PlayerId) => {
    const known = byPlayer.get(player) ?? { statements: [], breaks: [] };
    byPlayer.set(player, known);
    return known;
  };
  return {
    watch: {
      log,
      onStatement: (claim, rowsHash) => inputsOf(claim.player).statements.push({ claim, rowsHash }),
    },
    byPlayer,
    kept,
    noteStep(tick) {
      for (let claim = waiting.at(-1); claim && claim.to <= tick; claim = waiting.at(-1)) {
        waiting.pop();
        kept.push({ claim, rowsHash: hashLogged(log, claim) });
      }
    },
    noteSegment({ startTick, commands }) {
      for (const { after, command } of commands) {
        if (command.type !== 'disconnect' && command.type !== 'reconnect') continue;
        inputsOf(command.player).breaks.push(startTick + after);
      }
    },
  };
}
