import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { Connection } from '../connection.ts';
import type { Participant } from '../match/roster.ts';
import type { MessageGate } from './message-gate.ts';

/** Who was let in. */
export type Admission =
  | { readonly role: 'player'; readonly participant: Participant }
  | {
      readonly role: 'spectator';
      readonly userId: UserId;
      readonly name: string;
      /** Checked again from time to time, because spectators may sign out. */
      readonly cookieHeader: string | undefined;
    };

/** One person's time in the room. It survives a broken line. */
export type Visit = {
  readonly admission: Admission;
  readonly gate: MessageGate;
  /** With it, the visitor comes back on another connection. */
  readonly resumeToken: string;
  /** Chat messages in progress, handled one at a time so that lines keep their order. */
  readonly talk: { tail: Promise<void>; pending: number };
  connection: Connection;
  isKicked: boolean;
};

export function userOf({ admission }: Visit): UserId {
  return admission.role === 'player' ? admission.participant.seat.userId : admission.userId;
}
