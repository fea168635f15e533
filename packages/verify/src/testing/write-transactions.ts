import { writeFileSync } from 'node:fs';
import { startTestLocalnet } from '@engulf/localnet/testing/test-localnet';
import { anchorExamples } from './anchor-examples.ts';
import { claimExamples } from './claim-examples.ts';
import { startExampleChain } from './example-chain.ts';
import { joinExamples } from './join-examples.ts';
import { madeUpJoin } from './made-up-join.ts';
import { TRANSACTIONS_FILE, type TransactionExamples, transactionsText } from './transaction-examples.ts';

/* Each run makes others: keys, blockhashes and slots of the chain are new. */

const chain = await startTestLocalnet();
try {
  writeFileSync(TRANSACTIONS_FILE, transactionsText(await makeExamples()));
} finally {
  await chain.dispose();
}

async function makeExamples(): Promise<TransactionExamples> {
  const on = await startExampleChain(chain);
  const [alice, bob, carol] = [
    await chain.newWallet(),
    await chain.newWallet({ lamports: 1_000_000_000n, tokens: 1n }),
    await chain.newWallet({ lamports: 1_000_000_000n, tokens: 25_000_007n }),
  ];
  const joins = await joinExamples(on, { alice, bob, carol });
  const wallets = { alice: alice.address, bob: bob.address, carol: carol.address };
  const claims = await claimExamples(on, wallets, joins[0].signature);
  return {
    programId: chain.net.programId,
    lobbies: [on.sol, on.token].map((lobby) => ({ chainLobbyId: `${lobby.lobbyId}`, ...on.inPool(lobby) })),
    transactions: [...joins, ...claims, ...(await anchorExamples(on)), madeUpJoin()],
  };
}
