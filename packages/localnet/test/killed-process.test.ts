import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { awaitFinality, lookUpFate } from '@engulf/chain/node/await-finality';
import { splitFee } from '@engulf/domain/money/bounty';
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner, lamports } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadOrCreateKeys } from '../src/setup/keys.ts';
import { placeTestChain } from '../src/testing/chain-template.ts';
import { findFreePorts } from '../src/testing/free-ports.ts';
import { keepSending, type Sent, signInstructions, signJoin, signTransfer } from '../src/testing/load.ts';
import {
  type LocalnetPlace,
  type SpawnedLocalnet,
  spawnAndKill,
  spawnLocalnet,
} from '../src/testing/spawn-localnet.ts';

const NETWORK_FEE = 5_000n;
/** What a join bids for its place where nobody else does. */
const JOIN_FEE = NETWORK_FEE + 500n;
const START_LAMPORTS = 50_000_000_000n;
const ENTRY_FEE = 1_000_019n;
const LOBBY_ID = 9n;

let place: LocalnetPlace;
let net: SpawnedLocalnet | undefined;

beforeEach(async () => {
  place = { dataDir: mkdtempSync(join(tmpdir(), 'engulf-killed-')), ...(await findFreePorts()) };
});
afterEach(async () => {
  await net?.kill();
  rmSync(place.dataDir, { recursive: true });
});

describe('a localnet killed under load', () => {
  test('keeps everything that any client has seen, and nothing else', { timeout: 240_000 }, async () => {
    await placeTestChain(place.dataDir);
    net = await spawnLocalnet(place);
    const { programId, treasury } = net;
    const rpc = createSolanaRpc(`http://127.0.0.1:${place.rpcPort}`);
    const superAdmin = (await loadOrCreateKeys(join(place.dataDir, 'keys')))['super-admin'];
    const [sender, player, sink] = await makeWallets(3);
    const sendAndFinalize = async (signed: Awaited<ReturnType<typeof signTransfer>>) => {
      await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
      expect(await awaitFinality({ rpc, ...signed, pollMs: 20 })).toMatchObject({ kind: 'finalized' });
    };
    for (const { address } of [sender, player]) {
      await rpc.requestAirdrop(address, lamports(START_LAMPORTS)).send();
    }
    const lobby = { programId, superAdmin, lobbyId: LOBBY_ID, entryFee: ENTRY_FEE, tokenMint: undefined };
    await sendAndFinalize(await signInstructions(rpc, superAdmin, [await createLobbyInstruction(lobby)]));
    const treasuryBefore = (await rpc.getBalance(treasury).send()).value;

    const transfers: Sent[] = [];
    const joins: Sent[] = [];
    let highestSlotShown = 0n;
    let highestSinkShown = 0n;
    let acknowledgedAndLost = 0;

    for (let round = 0; round < 6; round++) {
      let isKilled = false;
      const isStopped = () => isKilled;
      const watch = async (): Promise<void> => {
        while (!isKilled) {
          const shown = await rpc
            .getBalance(sink.address, { commitment: 'processed' })
            .send()
            .catch(() => undefined);
          if (!shown) continue;
          if (shown.value > highestSinkShown) highestSinkShown = shown.value;
          if (shown.context.slot > highestSlotShown) highestSlotShown = shown.context.slot;
        }
      };
      const load = Promise.all([
        watch(),
        keepSending(rpc, isStopped, transfers, async (count) => {
          const amount = 2_000_000n + BigInt(round * 10_000 + count);
          return { signed: await signTransfer(rpc, sender, sink.address, amount), lamports: amount };
        }),
        keepSending(rpc, isStopped, joins, async (count) => {
          const request = { rpc, programId, treasury, lobbyId: LOBBY_ID, entryFee: ENTRY_FEE };
          return { signed: await signJoin({ ...request, player }, count), lamports: ENTRY_FEE };
        }),
      ]);
      const sentBefore = [transfers.length, joins.length] as const;
      await new Promise((done) => setTimeout(done, 200 + Math.random() * 1_000));
      await vi.waitFor(() => {
        expect(transfers.length).toBeGreaterThan(sentBefore[0] + 2);
        expect(joins.length).toBeGreaterThan(sentBefore[1] + 2);
      }, 20_000);
      isKilled = true;
      await net.kill();
      await load;
      net = await spawnLocalnet(place);

      const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
      expect(height).toBeGreaterThan(highestSlotShown);
      const landed = new Set<Sent>();
      for (const sent of [...transfers, ...joins]) {
        const { value } = await rpc.getSignatureStatuses([sent.signature]).send();
        const status = value[0];
        if (status) {
          expect(status).toMatchObject({ err: null, confirmationStatus: 'finalized' });
          if (sent.slotShown !== undefined) expect(status.slot).toBe(sent.slotShown);
          landed.add(sent);
          continue;
        }
        if (sent.isAcknowledged) acknowledgedAndLost++;
        expect(await lookUpFate({ rpc, ...sent })).toMatchObject({ kind: 'expired' });
        await expect(rpc.sendTransaction(sent.wire, { encoding: 'base64' }).send()).rejects.toThrow();
      }
      expect(acknowledgedAndLost).toBe(0);

      const sum = (log: Sent[]) =>
        log.filter((sent) => landed.has(sent)).reduce((total, sent) => total + sent.lamports, 0n);
      const count = (log: Sent[]) => BigInt(log.filter((sent) => landed.has(sent)).length);
      const balanceOf = async (wallet: KeyPairSigner) => (await rpc.getBalance(wallet.address).send()).value;
      expect(await balanceOf(sink)).toBe(sum(transfers));
      expect(sum(transfers)).toBeGreaterThanOrEqual(highestSinkShown);
      expect(await balanceOf(sender)).toBe(START_LAMPORTS - sum(transfers) - count(transfers) * NETWORK_FEE);
      expect(await balanceOf(player)).toBe(START_LAMPORTS - sum(joins) - count(joins) * JOIN_FEE);
      const split = splitFee(ENTRY_FEE, 500);
      const pool = await readPool(rpc, (await readLobby(rpc, programId, LOBBY_ID))!);
      expect(pool).toBe(split.stake * count(joins));
      const treasuryNow = (await rpc.getBalance(treasury).send()).value;
      expect(treasuryNow - treasuryBefore).toBe(split.treasury * count(joins));
      const history = await rpc.getSignaturesForAddress(sink.address, { limit: 1000 }).send();
      expect(BigInt(history.length)).toBe(count(transfers));
    }
    expect(transfers.length).toBeGreaterThan(10);
    expect(joins.length).toBeGreaterThan(10);
  });
});

describe('a localnet killed during its first start', () => {
  test('completes its setup at the next start', { timeout: 120_000 }, async () => {
    for (const afterMs of [250, 500, 750]) await spawnAndKill(place, afterMs + Math.random() * 200);
    net = await spawnLocalnet(place);
    const rpc = createSolanaRpc(`http://127.0.0.1:${place.rpcPort}`);
    const { value: program } = await rpc.getAccountInfo(net.programId, { encoding: 'base64' }).send();
    expect(program?.executable).toBe(true);
  });
});

async function makeWallets(count: 3): Promise<[KeyPairSigner, KeyPairSigner, KeyPairSigner]> {
  const wallets = Array.from({ length: count }, () => generateKeyPairSigner());
  return (await Promise.all(wallets)) as [KeyPairSigner, KeyPairSigner, KeyPairSigner];
}
