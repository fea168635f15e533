import { describeFailure, failure, refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId, PaymentSessionId } from '@engulf/domain/ids/entity-ids';
import {
  joinLobby as joinLobbyCall,
  readPaymentStatus as readPaymentStatusCall,
  reportPaymentFailure as reportPaymentFailureCall,
  validateLobbyCode,
} from '@engulf/protocol/http/join-lobby';
import type { FastifyInstance } from 'fastify';
import { isRightCode, joinLobby } from '../../entries/join-lobby.ts';
import { readPaymentStatus, reportPaymentFailure } from '../../entries/payment-status.ts';
import { findLobby } from '../../lobbies/lobby-rows.ts';
import { confirmPayment } from '../../payments/confirm-payment.ts';
import type { Context } from '../../platform/context.ts';
import { serveCall, signedIn } from '../serve-call.ts';

export function registerServerBrowser(app: FastifyInstance, context: Context): void {
  serveCall(
    app,
    joinLobbyCall,
    signedIn(context, async (user, { body, client }) => {
      if (!isUuid(body.selectedLobbyId)) return refuse('LOBBY_NOT_FOUND');
      const lobbyId = body.selectedLobbyId as LobbyId;
      return body.transactionHash === undefined
        ? joinLobby(context, user, { lobbyId, lobbyCode: body.lobbyCode, client })
        : confirmPayment(context, user, lobbyId, body.transactionHash);
    }),
  );
  serveCall(
    app,
    validateLobbyCode,
    signedIn(context, async (_user, { body }) => {
      const lobby = isUuid(body.lobbyId) ? await findLobby(context.db, body.lobbyId as LobbyId) : undefined;
      if (!lobby) return refuse('LOBBY_NOT_FOUND');
      const valid = isRightCode(lobby, body.lobbyCode);
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
