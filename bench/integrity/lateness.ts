import { playerZoom, REFERENCE_SCREEN } from '@engulf/netcode/camera';
import { PAID_SPECTATOR_DELAY_SECONDS } from '@engulf/protocol/room/server-messages';
import { playerId } from '@engulf/sim/players';
import { MILLI } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import { castOf } from './cast.ts';
import { playWatched } from './play.ts';

/*
 * What it is worth to know where others were some seconds ago, as somebody does whom a spectator of a paid match tells: how far
 * they have gone since, whether they are still there, and how many more players somebody eats who heads for prey by what was
 * seen so long ago.
 */

const SEATS = 20;
/** So many of them are told where prey is. */
const HELPED = 5;
const MATCHES = 6;
const SECONDS = 600;
/** Infinity: they are told nothing. */
const DELAYS_SECONDS = [0, 2, 5, PAID_SPECTATOR_DELAY_SECONDS, 20, Infinity];

/** Everybody's place once a second, by player. */
type Second = Map<
  number,
  { readonly x: number; readonly y: number; readonly half: { w: number; h: number } }
>;

/** A table, for people. */
export function latenessTable(): string {
  const rows = DELAYS_SECONDS.map((delaySeconds) => {
    const { moved, stillTherePct, directionPct, gain } = measure(delaySeconds);
    return delaySeconds === Infinity
      ? `| told nothing | | | | ${gain} |`
      : `| ${delaySeconds} | ${moved} | ${stillTherePct} | ${directionPct} | ${gain} |`;
  });
  return [
    '| seconds late | moved since, in half screens | still within a screen, % | direction within 45°, % | eaten per head, told : others |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function measure(delaySeconds: number) {
  const isTold = delaySeconds !== Infinity;
  const moved: number[] = [];
  let [there, right, asked, directed] = [0, 0, 0, 0];
  const eaten = { helped: 0, others: 0 };
  for (let match = 0; match < MATCHES; match++) {
    const { honest, groups } = castOf(4_000 + match, SEATS - HELPED);
    const { accounts } = groups.find(({ kind }) => kind === 'whole-map sight')!;
    const helped = Array.from({ length: HELPED }, (_, index) => ({
      ...accounts[0]!,
      name: `helped ${index}`,
      role: isTold ? ('sight' as const) : ('honest' as const),
      mood: { ...accounts[0]!.mood },
      hand: { ...accounts[0]!.hand, goals: [] },
    }));
    const seats = [...helped, ...honest].map((account) => ({ account, friends: [], isActive: false }));
    const history: Second[] = [];
    playWatched(4_000 + match, seats, SECONDS, {
      sightDelayTicks: isTold ? 25 * delaySeconds : 0,
      onStep: (world, events, nameOf) => {
        for (const event of events) {
          if (event.type !== 'killed') continue;
          eaten[nameOf.get(event.killer)?.startsWith('helped') ? 'helped' : 'others']++;
        }
        if (world.clock.tick % 25 === 0) history.push(placesOf(world));
      },
    });
    for (let second = delaySeconds; second < history.length; second++) {
      compare(history[second - delaySeconds]!, history[second]!);
    }
  }
  const perHead = eaten.helped / HELPED / (eaten.others / (SEATS - HELPED));
  return {
    moved: rounded(moved.toSorted((a, b) => a - b)[Math.floor(moved.length / 2)] ?? 0),
    stillTherePct: Math.round((100 * there) / asked),
    directionPct: Math.round((100 * right) / directed),
    gain: rounded(perHead),
  };

  function compare(then: Second, now: Second): void {
    for (const [player, { x, y, half }] of now) {
      const before = then.get(player);
      if (!before) continue;
      asked++;
      const [dx, dy] = [x - before.x, y - before.y];
      moved.push(Math.hypot(dx, dy) / half.w);
      if (Math.abs(dx) < half.w && Math.abs(dy) < half.h) there++;
      // To the nearest who was off the screen then, seen from where the player is now.
      let nearest: { readonly to: number; readonly distance: number } | undefined;
      for (const [other, was] of then) {
        const [ox, oy] = [was.x - x, was.y - y];
        const distance = Math.hypot(ox, oy);
        if (other === player || !now.has(other) || (Math.abs(ox) < half.w && Math.abs(oy) < half.h)) continue;
        if (!nearest || distance < nearest.distance) nearest = { to: other, distance };
      }
      if (!nearest) continue;
      const [was, is] = [then.get(nearest.to)!, now.get(nearest.to)!];
      const cosine =
        ((was.x - x) * (is.x - x) + (was.y - y) * (is.y - y)) /
        (Math.hypot(was.x - x, was.y - y) * Math.hypot(is.x - x, is.y - y) || 1);
      directed++;
      if (cosine > Math.SQRT1_2) right++;
    }
  }
}

function placesOf({ players }: World): Second {
  const second: Second = new Map();
  for (let slot = 0; slot < players.top; slot++) {
    if (!players.isAlive[slot]) continue;
    const id = playerId(players, slot);
    const zoom = playerZoom(players.massMilli[slot]! / MILLI);
    const half = { w: REFERENCE_SCREEN.widthPx / zoom / 2, h: REFERENCE_SCREEN.heightPx / zoom / 2 };
    second.set(id, { x: players.centreX[slot]!, y: players.centreY[slot]!, half });
  }
  return second;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
