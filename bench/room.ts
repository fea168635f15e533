import { parseArgs } from 'node:util';
import { measureRoom, type RoomResult } from './room/measure-room.ts';

/*
 * One room with real clients in other processes. The server runs alone in its process, without database or chain,
 * and is measured from inside: the CPU time of the whole process and the bytes on its sockets, framing included.
 */

const CLIENTS = [10, 50, 100, 200];

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    clients: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '15' },
  },
});

const results: RoomResult[] = [];
for (const clients of options.clients?.map(Number) ?? CLIENTS) {
  process.stderr.write(`${clients} clients …\n`);
  results.push(await measureRoom(clients, Number(options.seconds)));
}
if (options.json) console.log(JSON.stringify({ oneRoom: results }));
else console.table(results);
