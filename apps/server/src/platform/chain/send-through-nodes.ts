import type { Base64EncodedWireTransaction } from '@solana/kit';
import type { Chain } from './chain.ts';

/** Sends through every node: one of them is enough to reach the network. Throws what the first says if all refuse. */
export async function sendThroughNodes(
  { chain }: { readonly chain: Pick<Chain, 'nodes'> },
  wire: Base64EncodedWireTransaction,
): Promise<void> {
  const sent = await Promise.allSettled(
    chain.nodes.map(async (node) =>
      node.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send(),
    ),
  );
  const refusals = sent.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (refusals.length === sent.length) throw refusals[0];
}
