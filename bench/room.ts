import { calibrationMs } from './room/calibrate.ts';
import { measureRoom, type RoomResult, type RoomTraffic } from './room/measure-room.ts';
import { parseRoomOptions, type RoomOptions } from './room/options.ts';

/*
 * Rooms with real clients in other processes. The server runs alone in its process, without database or chain, and is
 * measured from inside: the CPU time of the thread that runs the rooms, and the bytes on its sockets, framing included.
 * A run in which the machine was too busy gives no figures of the processor.
 */

let options: RoomOptions;
try {
  options = parseRoomOptions(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}

const { rooms, processes, areBlind, seconds, runs } = options;
const machineMs = calibrationMs();
const results: (RoomResult | RoomTraffic)[] = [];
let refused = 0;
for (const clients of options.clients) {
  const measured: RoomResult[] = [];
  let traffic: RoomTraffic | undefined;
  for (let run = 1; run <= runs; run++) {
    process.stderr.write(`${clients} clients, run ${run} of ${runs} …\n`);
    const result = await measureRoom({ clients, rooms, processes, areBlind, seconds });
    if (!('why' in result)) {
      measured.push(result);
      continue;
    }
    process.stderr.write(`no figures of the processor: ${result.why}\n`);
    traffic = result.traffic;
    refused++;
  }
  const median = measured.toSorted((a, b) => a.tickCpuMsMean - b.tickCpuMsMean)[measured.length >> 1];
  const best = median ?? traffic;
  if (best) results.push(best);
}
if (options.isJson) console.log(JSON.stringify({ calibrationMs: machineMs, refused, results }));
else {
  console.log(`calibration: ${machineMs.toFixed(1)} ms`);
  console.table(results.map(({ bytesByKind: _, ...figures }) => figures));
  console.log('bytes a second for each client, by kind of message');
  console.table(results.map(({ clients, bytesByKind }) => ({ clients, ...bytesByKind })));
}
// Without a figure that was asked for, the run has failed.
process.exit(
  results.length === options.clients.length && results.every((result) => 'tickCpuMsMean' in result) ? 0 : 1,
);
