import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { Context } from '../src/platform/context.ts';

type Node = Rpc<SolanaRpcApi>;
// biome-ignore lint/suspicious/noExplicitAny: the methods of a node have nothing in common
type Answer = (real: () => Promise<any>, params: readonly any[]) => Promise<unknown>;
type Answers = { readonly [Method in keyof SolanaRpcApi]?: Answer };

/** The real node, except that it answers some methods in its own way. */
export function fakeNode(node: Node, answers: Answers): Node {
  return new Proxy(node, {
    get: (_, method) => {
      const answer = answers[method as keyof Answers];
      const real = Reflect.get(node, method);
      if (!answer) return real;
      return (...params: unknown[]) => ({ send: () => answer(() => real(...params).send(), params) });
    },
  });
}

export function withNode(context: Context, answers: Answers): Context {
  return withNodes(context, fakeNode(context.chain.rpc, answers));
}

export function withNodes(context: Context, ...nodes: [Node, ...Node[]]): Context {
  return { ...context, chain: { ...context.chain, rpc: nodes[0], nodes } };
}

/** Lines that were logged with a code. */
export function withLog(context: Context): { readonly context: Context; readonly codes: string[] } {
  const codes: string[] = [];
  const note = (line: { code?: string }) => {
    if (line.code) codes.push(line.code);
  };
  const logger = { info: note, warn: note, error: note, debug: note } as unknown as Context['logger'];
  return { context: { ...context, logger }, codes };
}
