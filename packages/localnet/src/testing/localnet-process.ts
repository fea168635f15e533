import { fileURLToPath } from 'node:url';
import { startLocalnet } from '../start-localnet.ts';

/** Runs a localnet in a separate process, so that a test can kill it. */
const [dataDir, rpcPort, wsPort] = process.argv.slice(2);
if (!dataDir) throw new Error('usage: localnet-process DATA_DIR RPC_PORT WS_PORT');

const net = await startLocalnet({
  dataDir,
  rpcPort: Number(rpcPort),
  wsPort: Number(wsPort),
  // Final within half a second, while a blockhash outlives the queue of a busy machine.
  slotTimeMs: 100,
  finalitySlots: 4,
  programSoPath: fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so')),
});
console.log(JSON.stringify({ programId: net.programId, treasury: net.treasury }));
