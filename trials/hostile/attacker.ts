import type { Attack, Target } from './attack.ts';
import {
  consoleCalls,
  idleConnections,
  largeBodies,
  oldChatPages,
  pageFlood,
  pipelinedRequests,
  requestFlood,
  slowBodies,
  smallBodies,
  tinyPieces,
} from './http-attacks.ts';
import {
  badFrames,
  chatFlood,
  deafSpectators,
  deepFrames,
  emptyPieces,
  forgedTickets,
  fragments,
  manySockets,
  menuFragments,
  menuFrames,
  menuQuestions,
  seatHoarders,
  silentJoins,
  squatters,
} from './socket-attacks.ts';

/*
 * A process of its own, so that the attacker's work does not delay the honest player's clock. Started with the name of
 * an attack and its target; prints the counts of the answers.
 */

const ATTACKS: { readonly [name: string]: Attack } = {
  largeBodies,
  smallBodies,
  slowBodies,
  pipelinedRequests,
  tinyPieces,
  requestFlood,
  pageFlood,
  oldChatPages,
  consoleCalls,
  idleConnections,
  silentJoins,
  badFrames,
  deepFrames,
  emptyPieces,
  fragments,
  forgedTickets,
  deafSpectators,
  manySockets,
  squatters,
  seatHoarders,
  menuQuestions,
  menuFragments,
  menuFrames,
  chatFlood,
};

const [name, target] = process.argv.slice(2) as [string, string];
const counts: Record<string, number> = {};
await ATTACKS[name]!(JSON.parse(target) as Target, (status) => {
  const key = String(status ?? 'broken');
  counts[key] = (counts[key] ?? 0) + 1;
});
console.log(JSON.stringify(counts));
process.exit(0);
