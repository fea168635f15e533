import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { joinOptionsSchema } from '@engulf/protocol/room/join-options';
import { hasCurrentProtocol } from '@engulf/protocol/version';
import type { Match } from '../match/match.ts';
import { takeSeat } from '../match/seats.ts';
import type { Admission } from './session.ts';

type JoinRefusal = Failure<
  | 'PROTOCOL_MISMATCH'
  | 'INVALID_REQUEST'
  | 'LOBBY_NOT_FOUND'
  | 'LOBBY_CLOSED'
  | 'JOIN_TICKET_INVALID'
  | 'SESSION_ENDED'
  | 'SPECTATE_NEEDS_WALLET'
>;

/** Decides who may come in: players by their ticket, spectators by their session cookie. */
export async function admit(
  match: Match,
  joinOptions: unknown,
  cookieHeader: string | undefined,
): Promise<Result<Admission, JoinRefusal>> {
  if (!hasCurrentProtocol(joinOptions)) return err(failure('PROTOCOL_MISMATCH'));
  const { data: options } = joinOptionsSchema.safeParse(joinOptions);
  if (!options) return err(failure('INVALID_REQUEST'));
  if (options.lobbyId !== match.lobby.id) return err(failure('LOBBY_NOT_FOUND'));
  if (match.world.clock.isEnded) return err(failure('LOBBY_CLOSED'));
  return options.type === 'player'
    ? admitPlayer(match, options.joinTicket)
    : admitSpectator(match, cookieHeader);
}

async function admitPlayer(match: Match, ticket: string): Promise<Result<Admission, JoinRefusal>> {
  const redeemed = await match.ports.redeemTicket(ticket, match.lobby.id);
  if (!redeemed.ok) return redeemed;
  const taken = takeSeat(match, redeemed.value);
  return taken.ok ? ok({ role: 'player', participant: taken.value }) : taken;
}

async function admitSpectator(
  match: Match,
  cookieHeader: string | undefined,
): Promise<Result<Admission, JoinRefusal>> {
  const user = await match.ports.identify(cookieHeader);
  if (!user) return err(failure('SPECTATE_NEEDS_WALLET'));
  return ok({ role: 'spectator', userId: user.userId });
}
