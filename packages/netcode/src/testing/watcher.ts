import { strictEqual as same } from 'node:assert';
import { type ArenaDecoder, createArenaDecoder } from '../decode/arena-decoder.ts';
import type { ArenaUpdate, BodyView, Group } from '../decode/arena-view.ts';
import { decodeUpdate } from '../decode/decode-update.ts';
import type { ArenaFrame } from '../encode/arena-frame.ts';
import { encodeView } from '../encode/encode-view.ts';
import { createViewStream, type ViewStream } from '../encode/view-stream.ts';
import { createViewer, type Viewer } from '../view.ts';

/** Both ends of one stream, and the state of a client that only follows the update lists. */
export type Watcher = {
  readonly viewer: Viewer;
  readonly stream: ViewStream;
  readonly decoder: ArenaDecoder;
  readonly followed: { [kind in keyof typeof NO_ENTITIES]: Set<unknown> };
  /** The arena's ids of the bodies that the client knows. */
  readonly identities: WeakMap<BodyView, number>;
};

const NO_ENTITIES = { players: 0, cells: 0, massFood: 0, viruses: 0, food: 0, portals: 0 };
const KINDS = Object.keys(NO_ENTITIES) as (keyof typeof NO_ENTITIES)[];

export function createWatcher(frame: ArenaFrame): Watcher {
  return {
    viewer: createViewer(),
    stream: createViewStream(frame),
    decoder: createArenaDecoder(),
    followed: Object.fromEntries(KINDS.map((kind) => [kind, new Set()])) as Watcher['followed'],
    identities: new WeakMap(),
  };
}

export function watch(frame: ArenaFrame, watcher: Watcher): 'applied' | 'needsFull' {
  const message = encodeView(frame, watcher.stream, watcher.viewer).slice();
  const outcome = decodeUpdate(watcher.decoder, message);
  if (outcome !== 'applied') return outcome;
  assertSameTracks(frame, watcher);
  follow(watcher, watcher.decoder.update);
  watcher.decoder.view.bodies.forEach((body, track) => {
    const slot = watcher.stream.bodies[track]!;
    watcher.identities.set(body, frame.generation[slot]! * 65_536 + slot);
  });
  return outcome;
}

/** Throws unless the client's tracks are those of the room to the last bit, or their errors would grow. */
function assertSameTracks({ motion }: ArenaFrame, { stream, decoder: { tracks } }: Watcher): void {
  same(tracks.count, stream.count);
  const { count: _, ...columns } = tracks;
  for (const name of Object.keys(columns) as (keyof typeof columns)[]) {
    for (let track = 0; track < tracks.count; track++) {
      const known = tracks[name][track];
      const actual = motion.tracks[name][stream.bodies[track]!];
      // Without a call for each number.
      if (known !== actual) same(known, actual, name);
    }
  }
}

function follow({ followed }: Watcher, update: ArenaUpdate): void {
  for (const kind of KINDS) {
    const known = followed[kind];
    const group: Group<unknown> = update[kind];
    if (update.type === 'full') known.clear();
    for (const entity of group.remove) {
      if (!known.delete(entity)) throw new Error(`${kind}: removed what was not there`);
    }
    for (const entity of group.update) {
      if (!known.has(entity)) throw new Error(`${kind}: updated what was not there`);
    }
    for (const entity of group.add) {
      if (known.has(entity)) throw new Error(`${kind}: added twice`);
      known.add(entity);
    }
  }
}
