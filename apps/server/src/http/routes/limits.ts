import { ok } from '@engulf/domain/errors/result';
import { walletAddress } from '@engulf/domain/ids/entity-ids';
import {
  readLimits,
  setDepositLimit as setDepositLimitCall,
  takeBreak as takeBreakCall,
} from '@engulf/protocol/http/limits';
import type { FastifyInstance } from 'fastify';
import { readOwnLimits, setDepositLimit, takeBreak } from '../../limits/own-limits.ts';
import type { Context } from '../../platform/context.ts';
import { serveCall, signedIn } from '../serve-call.ts';

export function registerLimits(app: FastifyInstance, context: Pick<Context, 'db' | 'nowMs'>): void {
  serveCall(
    app,
    readLimits,
    signedIn(context, async (user) => ok(await readOwnLimits(context, user))),
  );
  serveCall(
    app,
    setDepositLimitCall,
    signedIn(context, async (user, { body }) =>
      setDepositLimit(context, user, {
        tokenMint: body.tokenMint === null ? null : walletAddress(body.tokenMint),
        limit: body.limit === null ? null : BigInt(body.limit),
      }),
    ),
  );
  serveCall(
    app,
    takeBreakCall,
    signedIn(context, async (user, { body }) => ok(await takeBreak(context, user, body.days))),
  );
}
