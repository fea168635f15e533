import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { numberedKey } from '@engulf/sim/keys';
import { createRandom, randomBelow } from '@engulf/sim/random';
import { standardRules } from '@engulf/sim/rules';
import type { Move } from '@engulf/sim/testing/random-play';
import { playMatch } from '@engulf/verify/testing/played-match';
import { signingPlayers } from '@engulf/verify/testing/signing-players';
import { verifyMatch } from '@engulf/verify/verify-match';
import { createHand, moveHand } from './busy-hand.ts';

/*
 * npm run bench:verify
 *
 * How long it takes to check a match for money with everything in it, what players signed included. Some 50 play at any time;
 * whoever dies is followed by somebody else. What the node is asked is not part of it. `--keep FOLDER` keeps the recording
 * and the facts, as a server gives them.
 */

/** So many come as die, about one every two and a half seconds. */
const JOIN_TICKS = 60;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    players: { type: 'string', default: '50' },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(options.minutes);
const players = Number(options.players);

const { match, recording, chain } = playMatch(
  { seed: 5, moves: busyMoves() },
  { rules: standardRules, pages: signingPlayers() },
);
if (options.keep !== undefined) {
  mkdirSync(options.keep, { recursive: true });
  writeFileSync(join(options.keep, 'match.egr'), recording);
  writeFileSync(join(options.keep, 'facts.json'), JSON.stringify(match));
}
const beforeMs = performance.now();
const before = process.cpuUsage();
const { isRight, line } = await verifyMatch(match, recording, chain);
const tookMs = performance.now() - beforeMs;
const { user, system } = process.cpuUsage(before);
if (!isRight) throw new Error(line);

const seconds = (ms: number) => Math.round(ms / 100) / 10;
const figures = {
  minutes,
  entries: match.entries.length,
  megabytes: Math.round(recording.length / 1e5) / 10,
  seconds: seconds(tookMs),
  cpuSeconds: seconds((user + system) / 1000),
};
if (options.json) console.log(JSON.stringify({ verify: [figures] }));
else console.table([figures]);

function* busyMoves(): Generator<Move[]> {
  const script = createRandom(numberedKey(77));
  const hands = Array.from({ length: players }, () => createHand(script));
  const tenMinutes = 600 * standardRules.stepsPerSecond;
  for (let tick = 0; tick < minutes * 60 * standardRules.stepsPerSecond; tick++) {
    // A day takes a while.
    if (tick > 0 && tick % tenMinutes === 0) console.error(`${(10 * tick) / tenMinutes} min played`);
    const moves: Move[] = [];
    if (tick < players || tick % JOIN_TICKS === 0) moves.push({ what: 'join', stake: 50_000_000n });
    hands.forEach((hand, who) => {
      moveHand(hand, script);
      // Clients send at most 20 pointers in 25 steps.
      if ((tick + who) % 5 !== 0) moves.push({ what: 'steer', who, x: hand.x, y: hand.y });
      if (randomBelow(script, 150) === 0) moves.push({ what: 'split', who, x: 0, y: 0 });
      if (randomBelow(script, 75) === 0) moves.push({ what: 'eject', who, x: 0, y: 0 });
    });
    yield moves;
  }
}
