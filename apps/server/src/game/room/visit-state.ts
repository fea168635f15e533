import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { Connection } from '../connection.ts';
import type { Participant } from '../match/roster.ts';
import type { MessageGate } from './message-gate.ts';

/** Who wants to come in. */
export type Visitor = {
  readonly cookieHeader: string | undefined;
  /** The address that limits count by. */
  readonly address: string;
};

/** Who was let in. */
export type Admission = {
  /** Uses messages by name: see the protocol's plain-messages.ts. */
  readonly isPlain: boolean;
} & (
  | { readonly role: 'player'; readonly participant: Participant }
  | {
      readonly role: 'spectator';
      readonly userId: UserId;
      /** Checked again from time to time, because spectators may sign out. */
      readonly cookieHeader: string | undefined;
    }
);

/** One person's time in the room. It survives a reconnect. */
export type Visit = {
  /** Both are new when the player has taken another seat. */
  admission: Admission;
  gate: MessageGate;
  /** Chat messages in progress, handled one at a time so that lines keep their order. */
  readonly talk: { tail: Promise<void>; pending: number };
  connection: Connection;
  /** Another seat is being taken. */
  isTakingSeat: boolean;
  isKicked: boolean;
};

export function userOf({ admission }: Visit): UserId {
  return admission.role === 'player' ? admission.participant.seat.userId : admission.userId;
}
