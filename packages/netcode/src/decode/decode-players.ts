import { playerIdOf } from '@engulf/sim/players';
import { type BitReader, readBits, readVar } from '../format/bits.ts';
import { INPUT_BITS, INPUT_MASK } from '../format/message-format.ts';
import { type PlayerRow, readPlayerRow } from '../format/player-rows.ts';
import type { WorldHeader } from '../format/world-header.ts';
import type { ArenaDecoder } from './arena-decoder.ts';
import type { PlayerView } from './arena-view.ts';

export function readPlayers(reader: BitReader, { view, update }: ArenaDecoder, world: WorldHeader): void {
  while (readBits(reader, 1) === 1) {
    const slot = readBits(reader, world.playerBits);
    const row = readPlayerRow(reader);
    const known = view.players.get(slot);
    if (reader.isMalformed || slot >= world.maxPlayers || (!known && !row.identity)) {
      reader.isMalformed = true;
      return;
    }
    const player = known && isSamePlayer(known, row) ? known : createPlayer(slot, row);
    applyRow(player, row);
    view.players.set(slot, player);
    if (player.cells.length > 0) update.players.update.push(player);
  }
}

/** The receiver's own player and largest cell, sent only when they change. */
export function readOwn(reader: BitReader, { view }: ArenaDecoder, world: WorldHeader): void {
  if (readBits(reader, 1) === 0) return;
  const slot = readBits(reader, world.playerBits) - 1;
  const own = slot < 0 ? undefined : view.players.get(slot);
  const primary = slot < 0 ? undefined : view.bodies[readVar(reader)];
  if (slot >= 0 && (!own || primary?.player !== own)) {
    reader.isMalformed = true;
    return;
  }
  if (view.primary) view.primary.isPrimary = false;
  if (primary) primary.isPrimary = true;
  view.own = own;
  view.primary = primary;
}

export function readAcknowledged(reader: BitReader, { view }: ArenaDecoder): void {
  if (readBits(reader, 1) === 0) return;
  view.acknowledged =
    readBits(reader, 1) === 0 ? (view.acknowledged + 1) & INPUT_MASK : readBits(reader, INPUT_BITS);
}

function isSamePlayer(player: PlayerView, row: PlayerRow): boolean {
  return !row.identity || playerIdOf(player.slot, row.identity.generation) === player.id;
}

function createPlayer(slot: number, { identity }: PlayerRow): PlayerView {
  return {
    slot,
    id: playerIdOf(slot, identity!.generation),
    name: '',
    colour: 0,
    isBot: false,
    isAdmin: false,
    picture: undefined,
    reward: '',
    invulnerableUntilTick: 0,
    cells: [],
  };
}

function applyRow(player: PlayerView, { identity, reward }: PlayerRow): void {
  if (identity) {
    player.name = identity.name;
    player.colour = identity.colour;
    player.isBot = identity.isBot;
    player.isAdmin = identity.isAdmin;
    player.picture = identity.picture;
    player.invulnerableUntilTick = identity.invulnerableUntilTick;
  }
  if (reward !== undefined) player.reward = reward;
}
