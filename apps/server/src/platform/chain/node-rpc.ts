import { isNodeBusy, isNodeUnavailable } from '@engulf/chain/node/node-errors';
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit';
import type { Logger } from 'pino';

const NODE_ANSWERS_WITHIN_MS = 15_000;
const MAX_RETRIES = 4;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 4_000;
const START_WITHIN_MS = 300_000;
const PUBLIC_NODE_ANSWERS_WITHIN_MS = 5_000;

export function connectRpc(url: string): Node {
  return createSolanaRpcFromTransport(openTransport(url));
}

type Node = Rpc<SolanaRpcApi>;

/** The nodes of the configured providers, each for itself, and as one that answers as long as any of them does. */
export async function connectNodes(
  urls: readonly string[],
  logger: Logger,
  /** A tool that is called again and again does not say each time what the server said at its start. */
  isTool = false,
): Promise<{ readonly rpc: Node; readonly nodes: readonly Node[] }> {
  const [onlyUrl] = urls;
  if (onlyUrl === undefined) throw new Error('No Solana node is configured');
  if (urls.length === 1) {
    if (!isTool) {
      logger.warn(
        { code: 'ONE_NODE' },
        'one Solana node is configured, and believed about payments and pools: name a second provider in SOLANA_RPC_URL',
      );
    }
    const rpc = connectRpc(onlyUrl);
    return { rpc, nodes: [rpc] };
  }
  const unchecked = createSolanaRpcFromTransport(firstThatAnswers(urls.map(openTransport)));
  const genesisHash = await waitForNode(() => unchecked.getGenesisHash().send(), logger);
  const transports = urls.map((url) => openChecked(url, genesisHash, logger));
  return {
    rpc: createSolanaRpcFromTransport(firstThatAnswers(transports)),
    nodes: transports.map((transport) => createSolanaRpcFromTransport(transport)),
  };
}

/** Stays with the node that answered last. What a node answers, errors included, counts. */
function firstThatAnswers(transports: readonly RpcTransport[]): RpcTransport {
  let current = 0;
  return async <Answer>(request: Parameters<RpcTransport>[0]): Promise<Answer> => {
    const failures: unknown[] = [];
    for (const first = current; failures.length < transports.length; ) {
      const index = (first + failures.length) % transports.length;
      try {
        const answer = await transports[index]!<Answer>(request);
        current = index;
        return answer;
      } catch (error) {
        if (request.signal?.aborted) throw error;
        failures.push(error);
      }
    }
    throw failures[0];
  };
}

/**
 * A node of another cluster knows neither our payments nor our claims, or shows some that cost nothing. So a node is asked
 * nothing else before it has told its cluster, at the start or, if it is down then, when it is needed.
 */
function openChecked(url: string, genesisHash: string, logger: Logger): RpcTransport {
  const transport = openTransport(url);
  const unchecked = createSolanaRpcFromTransport(transport);
  // The rest of the address may be a key.
  const { host } = new URL(url);
  let isOurs: boolean | undefined;
  const askCluster = async (abortSignal?: AbortSignal): Promise<void> => {
    const theirs = await unchecked.getGenesisHash().send(abortSignal && { abortSignal });
    if (theirs !== genesisHash && isOurs === undefined)
      logger.error(
        { code: 'NODE_OF_OTHER_CLUSTER', host, genesisHash: theirs, expected: genesisHash },
        'a Solana node belongs to another cluster than the others and is not asked',
      );
    isOurs = theirs === genesisHash;
  };
  askCluster().catch(() => undefined);
  return async <Answer>(request: Parameters<RpcTransport>[0]) => {
    if (isOurs === undefined) await askCluster(request.signal);
    if (!isOurs) throw new Error(`The Solana node ${host} belongs to another cluster`);
    return transport<Answer>(request);
  };
}

/**
 * Browsers pay through the public node: on another cluster their payments would never be found. It may be out of the
 * server's reach, or answer browsers only, and then nobody can tell.
 */
export async function checkPublicNode(rpc: Node, publicUrl: string, logger: Logger): Promise<void> {
  const { host } = new URL(publicUrl);
  const abortSignal = AbortSignal.timeout(PUBLIC_NODE_ANSWERS_WITHIN_MS);
  const [ours, theirs] = await Promise.all(
    [rpc, connectRpc(publicUrl)].map((node) => node.getGenesisHash().send({ abortSignal })),
  ).catch((error: unknown) => {
    logger.warn(
      { code: 'PUBLIC_NODE_UNCHECKED', err: error, host },
      'it is not known whether the public Solana node is of the same cluster',
    );
    return [];
  });
  if (ours !== theirs)
    throw new Error(`PUBLIC_SOLANA_RPC_URL (${host}) is of another cluster than SOLANA_RPC_URL`);
}

/** A node that accepts a request and never answers must not block a payout for ever. */
function openTransport(url: string): RpcTransport {
  const transport = createDefaultRpcTransport({ url });
  const withTimeout: RpcTransport = ({ payload, signal }) => {
    const timeout = AbortSignal.timeout(NODE_ANSWERS_WITHIN_MS);
    return transport({ payload, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  };
  return withBackoff(withTimeout);
}

/** Repeats what a busy node refused. Safe for every request: a transaction sent twice is executed once. */
function withBackoff(transport: RpcTransport): RpcTransport {
  return async <Answer>(request: Parameters<RpcTransport>[0]): Promise<Answer> => {
    for (let retry = 0; ; retry++) {
      try {
        return (await transport(request)) as Answer;
      } catch (error) {
        if (retry === MAX_RETRIES || !isNodeBusy(error)) throw error;
        await pause(backoffMs(retry), request.signal);
      }
    }
  };
}

/** Waits until a node answers, so that a node that is busy or restarting does not end our start. */
export async function waitForNode<Answer>(ask: () => Promise<Answer>, logger: Logger): Promise<Answer> {
  const startedMs = performance.now();
  for (let retry = 0; ; retry++) {
    try {
      return await ask();
    } catch (error) {
      const waitedMs = Math.round(performance.now() - startedMs);
      if (!isNodeUnavailable(error) || waitedMs > START_WITHIN_MS) throw error;
      logger.warn({ code: 'NODE_UNAVAILABLE', err: error, waitedMs }, 'waiting for the Solana node');
      await pause(backoffMs(retry));
    }
  }
}

/** Half of the delay is random, so that processes which were refused together do not retry together. */
function backoffMs(retry: number): number {
  const ceilingMs = Math.min(FIRST_RETRY_MS * 2 ** retry, MAX_RETRY_MS);
  return ceilingMs / 2 + (Math.random() * ceilingMs) / 2;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
