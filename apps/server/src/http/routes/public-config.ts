import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import { transactionSignature, walletAddress } from '@engulf/domain/ids/entity-ids';
import { type Currency, SOL_CURRENCY } from '@engulf/domain/money/currency';
import { type PublicConfig, readConfig, requestFaucet } from '@engulf/protocol/http/config';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { address } from '@solana/kit';
import type { FastifyInstance } from 'fastify';
import { listLobbies } from '../../lobbies/lobby-rows.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import type { Prices } from '../../prices/prices.ts';
import { serveCall } from '../serve-call.ts';

const FAUCET_GRANT = { lamports: 5_000_000_000n, tokens: 1_000_000_000n } as const;

export function registerPublicConfig(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  config: Config,
  prices: Prices,
): void {
  const memory = { ms: 1_000, maxKeys: 1, nowMs: context.nowMs };
  const described = rememberFor(memory, () => describeConfig(context, config, prices));
  serveCall(app, readConfig, async () => ok(await described(undefined)));
  const { test } = context.chain;
  if (!test) return;
  serveCall(app, requestFaucet, async ({ body }) => {
    try {
      const signature = await test.fund(address(body.wallet), FAUCET_GRANT);
      return ok({ status: 'success', signature: transactionSignature(signature) });
    } catch (error) {
      // The chain refuses addresses that cannot hold money or tokens, those of programs for example.
      context.logger.warn({ code: 'FAUCET_FAILED', err: error }, 'the faucet failed');
      return refuse('FAUCET_REFUSED');
    }
  });
}

async function describeConfig(
  context: Pick<Context, 'db' | 'chain'>,
  config: Config,
  prices: Prices,
): Promise<PublicConfig> {
  const { mode, publicRpcUrl, publicWsUrl, programId } = context.chain;
  const { treasury, feeBasisPoints } = await context.chain.readPlatform();
  const tokens = await listTokens(context);
  return {
    mode,
    rpcUrl: publicRpcUrl,
    wsUrl: publicWsUrl,
    programId: walletAddress(programId),
    treasury: walletAddress(treasury),
    platformFeeBasisPoints: feeBasisPoints,
    isBurnerWalletOffered: mode === 'embedded' && !config.isProduction,
    gameUrl: config.gameUrl,
    explorerUrl: config.explorerUrl,
    explorerAccountUrl: config.explorerAccountUrl,
    links: config.links,
    tabHiddenTimeoutMs: config.tabHiddenTimeoutMs,
    virusDepthMass: config.virusDepthMass,
    prices: describePrices(prices, [SOL_CURRENCY, ...tokens.map(({ mint }) => mint)]),
    tokens,
    protocolVersion: PROTOCOL_VERSION,
  };
}

function describePrices(prices: Prices, currencies: readonly Currency[]): PublicConfig['prices'] {
  const known = currencies.flatMap((currency) => {
    const microUsd = prices.microUsdOf(currency);
    return microUsd === undefined ? [] : [[currency, microUsd.toString()] as const];
  });
  return {
    usdMicro: Object.fromEntries(known),
    areExamples: prices.areExamples,
    maxAgeMs: prices.maxAgeMs,
  };
}

async function listTokens({ db }: Pick<Context, 'db'>): Promise<PublicConfig['tokens']> {
  const tokens = (await listLobbies(db)).flatMap(({ tokenSymbol, tokenDecimals, tokenMint }) =>
    tokenMint === null ? [] : [{ symbol: tokenSymbol, decimals: tokenDecimals, mint: tokenMint }],
  );
  return [...new Map(tokens.map((token) => [token.mint, token])).values()];
}
