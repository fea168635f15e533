import { parseArgs } from 'node:util';
import { type MenuResult, measureMenu } from './menu/measure-menu.ts';

/*
 * The menu socket with real readers in other processes: updates of six lobbies, leaderboards and the global chat. The
 * server runs alone in its process, on an embedded database with its own thread, and is measured from inside: the CPU
 * time of the whole process, the database included.
 */

const READERS = [100, 1_000];
const MESSAGES_PER_SECOND = [0, 20];

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    readers: { type: 'string', multiple: true },
    messages: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '60' },
  },
});

const results: MenuResult[] = [];
for (const readers of options.readers?.map(Number) ?? READERS) {
  for (const messagesPerSecond of options.messages?.map(Number) ?? MESSAGES_PER_SECOND) {
    process.stderr.write(`${readers} readers, ${messagesPerSecond} messages a second …\n`);
    results.push(await measureMenu({ readers, messagesPerSecond, seconds: Number(options.seconds) }));
  }
}
if (options.json) console.log(JSON.stringify({ menu: results }));
else console.table(results);
