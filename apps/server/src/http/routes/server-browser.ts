import { describeFailure, failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId, PaymentSessionId } from '@engulf/domain/ids/entity-ids';
import {
  gatherPlayers as gatherPlayersCall,
  joinLobby as joinLobbyCall,
  leaveGathering as leaveGatheringCall,
  readPaymentStatus as readPaymentStatusCall,
  rejoinMatch as rejoinMatchCall,
  reportPaymentFailure as reportPaymentFailureCall,
  SIGNATURE_ALREADY_PROCESSED,
  validateLobbyCode,
} from '@engulf/protocol/http/join-lobby';
import type { FastifyInstance } from 'fastify';
import { gatherPlayers, leaveGathering } from '../../entries/gather-players.ts';
import { canBeCode, isRightCode, joinLobby } from '../../entries/join-lobby.ts';
import { readPaymentStatus, reportPaymentFailure } from '../../entries/payment-status.ts';
import { rejoinMatch } from '../../entries/rejoin-match.ts';
import { findLobby } from '../../lobbies/lobby-rows.ts';
import { confirmPayment, lookAtPayment } from '../../payments/confirm-payment.ts';
import type { Context } from '../../platform/context.ts';
import type { GuessLimits } from '../../platform/fleet/guess-limits.ts';
import type { Geo } from '../../platform/geo.ts';
import { readTraits } from '../../platform/session-traits.ts';
import { serveCall, signedIn } from '../serve-call.ts';

export function registerServerBrowser(
  app: FastifyInstance,
  context: Context,
  guesses: GuessLimits,
  geo: Geo,
): void {
  serveCall(
    app,
    joinLobbyCall,
    signedIn(context, async (user, { body, client, raw }) => {
      if (!isUuid(body.selectedLobbyId)) return refuse('LOBBY_NOT_FOUND');
      const lobbyId = body.selectedLobbyId as LobbyId;
      const { transactionHash } = body;
      if (transactionHash !== undefined) {
        const confirmed = await confirmPayment(context, user, lobbyId, transactionHash);
        if (confirmed.ok && transactionHash !== SIGNATURE_ALREADY_PROCESSED)
          void lookAtPayment(context, user, lobbyId, transactionHash);
        return confirmed;
      }
      const country = geo.countryOf(raw.ip);
      const traits = readTraits(raw.headers);
      const join = () =>
        joinLobby(context, user, { lobbyId, lobbyCode: body.lobbyCode, client, country, traits });
      if (body.lobbyCode === undefined) return join();
      const isWrong = (joined: Awaited<ReturnType<typeof join>>) =>
        !joined.ok && joined.error.code === 'INVALID_LOBBY_CODE' && canBeCode(body.lobbyCode);
      return guesses.limit({ user, client }, join, isWrong);
    }),
  );
  serveCall(
    app,
    gatherPlayersCall,
    signedIn(context, async (user, { body, client, raw }) => {
      if (!isUuid(body.lobbyId)) return refuse('LOBBY_NOT_FOUND');
      const { lobbyCode } = body;
      const country = geo.countryOf(raw.ip);
      const gather = async () => {
        const request = { lobbyId: body.lobbyId as LobbyId, lobbyCode, client, country };
        const gathered = await gatherPlayers(context, user, request);
        return gathered.ok ? ok({ status: 'success' as const }) : gathered;
      };
      if (lobbyCode === undefined) return gather();
      const isWrong = (gathered: Awaited<ReturnType<typeof gather>>) =>
        !gathered.ok && gathered.error.code === 'INVALID_LOBBY_CODE' && canBeCode(lobbyCode);
      return guesses.limit({ user, client }, gather, isWrong);
    }),
  );
  serveCall(
    app,
    leaveGatheringCall,
    signedIn(context, async (user) => {
      await leaveGathering(context, user);
      return ok({ status: 'success' });
    }),
  );
  serveCall(
    app,
    rejoinMatchCall,
    signedIn(context, (user) => rejoinMatch(context, user)),
  );
  serveCall(
    app,
    validateLobbyCode,
    signedIn(context, async (user, { body, client }) => {
      const validate = async () => {
        const lobby = isUuid(body.lobbyId) ? await findLobby(context.db, body.lobbyId as LobbyId) : undefined;
        return lobby ? ok({ valid: isRightCode(lobby, body.lobbyCode) }) : refuse('LOBBY_NOT_FOUND');
      };
      const checked = await guesses.limit(
        { user, client },
        validate,
        (result) => result.ok && !result.value.valid && canBeCode(body.lobbyCode),
      );
      if (!checked.ok) return checked;
      const { valid } = checked.value;
      const message = valid
        ? 'The lobby code is correct.'
        : describeFailure(failure('INVALID_LOBBY_CODE')).text;
      return ok({ valid, message });
    }),
  );
  serveCall(
    app,
    reportPaymentFailureCall,
    signedIn(context, async (user, { body }) => {
      if (isUuid(body.lobbyId)) await reportPaymentFailure(context, user, body.lobbyId as LobbyId);
      return ok({ status: 'success' });
    }),
  );
  serveCall(
    app,
    readPaymentStatusCall,
    signedIn(context, async (user, { query }) => {
      if (!isUuid(query.paymentSessionId)) return refuse('PAYMENT_SESSION_NOT_FOUND');
      return readPaymentStatus(context, user, query.paymentSessionId as PaymentSessionId);
    }),
  );
}

/** The protocol allows any short id, but the database throws on one that is not a UUID. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
