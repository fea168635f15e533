import { signForSending } from '@engulf/chain/node/signed-transaction';
import { createLookupTable } from '@engulf/localnet/testing/lookup-table';
import { SOL_LOBBY, TOKEN_LOBBY } from '@engulf/localnet/testing/test-lobbies';
import { compressTransactionMessageUsingAddressLookupTables, type KeyPairSigner } from '@solana/kit';
import type { ExampleChain } from './example-chain.ts';
import { signingKey } from './signing-players.ts';
import type { TransactionExample } from './transaction-examples.ts';

/** What a twentieth for the platform, rounded down, leaves of the prices. */
export const STAKES = { sol: 95_000_019n, token: 23_750_007n } as const;

type Payers = { readonly [name in 'alice' | 'bob' | 'carol']: KeyPairSigner };

/** The first is a plain one in SOL. */
export async function joinExamples(
  { chain, net, lobbies, sol, token, land, inPool }: ExampleChain,
  { alice, bob, carol }: Payers,
): Promise<[TransactionExample, ...TransactionExample[]]> {
  const inputsKey = signingKey(11).publicHex;
  const inSol = { ...inPool(sol), stake: `${STAKES.sol}` };
  const inToken = { ...inPool(token), stake: `${STAKES.token}` };
  const table = await createLookupTable(chain, bob, [sol.address, net.treasury]);
  const compressed = compressTransactionMessageUsingAddressLookupTables(
    await lobbies.buildJoin(bob, SOL_LOBBY),
    { [table]: [sol.address, net.treasury] },
  );
  return [
    {
      what: 'a join in SOL',
      ...(await land(await lobbies.signJoin(alice, SOL_LOBBY))),
      joins: [{ ...inSol, wallet: alice.address, inputsKey: null }],
    },
    {
      what: 'a join in SOL whose memo names the key that the player signs its inputs with',
      ...(await land(await lobbies.signJoin(bob, { ...SOL_LOBBY, inputsKey }))),
      joins: [{ ...inSol, wallet: bob.address, inputsKey }],
    },
    {
      what: 'a join in SOL with accounts from a lookup table',
      ...(await land(await signForSending(compressed))),
      joins: [{ ...inSol, wallet: bob.address, inputsKey: null }],
    },
    {
      what: 'a join in a token, after two instructions that create the accounts of the treasury and of the pool',
      ...(await land(await lobbies.signJoin(carol, TOKEN_LOBBY))),
      joins: [{ ...inToken, wallet: carol.address, inputsKey: null }],
    },
  ];
}
