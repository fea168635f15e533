import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';

export type RpcError = {
  readonly code: number | bigint;
  readonly message: string;
  readonly data?: unknown;
};

export type RpcReply = { readonly result: unknown } | { readonly error: RpcError };

export type RpcRequest = {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: readonly unknown[];
};

export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  unsupportedTransactionVersion: -32015,
} as const;

/** Undefined if the value is not a request. A missing id becomes null, as in Solana's nodes. */
export function readRequest(value: unknown): RpcRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof method !== 'string') return undefined;
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method,
    params: Array.isArray(params) ? params : [],
  };
}

export function replyText(id: RpcRequest['id'], reply: RpcReply): string {
  return stringifyJsonWithBigInts({ jsonrpc: '2.0', ...reply, id });
}

/** For results that are stored as text. */
export function resultText(id: RpcRequest['id'], result: string): string {
  return `{"jsonrpc":"2.0","result":${result},"id":${JSON.stringify(id)}}`;
}

export function failure(code: number, message: string, data?: unknown): { readonly error: RpcError } {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}
