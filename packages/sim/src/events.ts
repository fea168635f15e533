import type { PlayerId } from './players.ts';
import type { PortalPhase } from './portals.ts';

/** What a step reports. Amounts are in base units of the lobby's token, masses in thousandths. */
export type ArenaEvent =
  | { readonly type: 'spawned'; readonly player: PlayerId; readonly isBot: boolean; readonly stake: bigint }
  | {
      readonly type: 'cellEaten';
      readonly eater: PlayerId;
      readonly prey: PlayerId;
      readonly massMilli: number;
      readonly bountyMoved: bigint;
    }
  | {
      readonly type: 'killed';
      readonly victim: PlayerId;
      readonly killer: PlayerId;
      readonly bountyMoved: bigint;
      readonly massMilli: number;
    }
  | { readonly type: 'burst'; readonly player: PlayerId; readonly pieces: number }
  | { readonly type: 'virusShot' }
  | { readonly type: 'portalPhase'; readonly phase: PortalPhase; readonly count: number }
  | {
      readonly type: 'exited';
      readonly player: PlayerId;
      readonly bounty: bigint;
      readonly massMilli: number;
    }
  | {
      readonly type: 'departed';
      readonly player: PlayerId;
      readonly refund: bigint;
      readonly spilled: bigint;
      readonly massMilli: number;
    }
  | { readonly type: 'spillShared'; readonly each: bigint; readonly players: readonly PlayerId[] }
  /** How long it lasts at most; 0 when it is over. */
  | { readonly type: 'truce'; readonly secondsLeft: number }
  | { readonly type: 'closing'; readonly secondsLeft: number }
  | {
      readonly type: 'bountyReturned';
      readonly player: PlayerId;
      readonly bounty: bigint;
      readonly massMilli: number;
      readonly reason: EndReason;
    }
  | { readonly type: 'ended'; readonly reason: EndReason; readonly spillKept: bigint };

export type EndReason = 'closed' | 'fault';
