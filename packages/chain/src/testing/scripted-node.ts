import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';

type Script = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** A node that answers from a script; a thrown error is a broken connection. Everything up to the transport is real. */
export function scriptedNode(script: Script) {
  const asked: string[] = [];
  const transport = (async ({ payload }: { payload: unknown }) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] };
    asked.push(method);
    const answer = script[method];
    if (!answer) throw new Error(`The script has no answer to ${method}`);
    return { jsonrpc: '2.0', id, result: answer(params) };
  }) as RpcTransport;
  return { rpc: createSolanaRpcFromTransport(transport), asked };
}
