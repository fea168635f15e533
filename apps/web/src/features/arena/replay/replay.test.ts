import { playerColourIndex } from '@engulf/domain/profile/colour';
import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import type { PlayerId } from '@engulf/sim/players';
import { playMatch } from '@engulf/verify/testing/played-match';
import { describe, expect, test } from 'vitest';
import { type ArenaModel, createArenaModel } from '../model/arena-model.ts';
import { createDescriber } from './describe-player.ts';
import { createRecordingPlayer } from './play-recording.ts';
import type { Update } from './playback.ts';
import type { ReplayAnswer, ReplayPort, ReplayRequest } from './replay-messages.ts';
import { createReplaySource } from './replay-source.ts';
import { REPLAY_TEXT } from './text.ts';

const TICKS_PER_SECOND = 25;
const MATCH_TICKS = 1_800;

/** People who come one after the other, circle and split; long enough for a keyframe. */
const evidence = playMatch({
  seed: 5,
  moves: Array.from({ length: MATCH_TICKS }, (_, tick) => {
    if (tick % 400 === 0) return [{ what: 'join' as const, stake: 500n }];
    const angle = tick / 60;
    return [
      { what: 'steer' as const, who: 0, x: 300 * Math.cos(angle), y: 300 * Math.sin(angle) },
      { what: 'steer' as const, who: 1, x: 300 * Math.sin(angle), y: 300 * Math.cos(angle) },
      ...(tick % 200 === 100 ? [{ what: 'split' as const, who: 0, x: 0, y: 0 }] : []),
    ];
  }),
});

/** The worker, in this thread: everything it has to say has been said when `settle` resolves. */
function createPort() {
  const answers: ReplayAnswer[] = [];
  let working: Promise<void> = Promise.resolve();
  const player = createRecordingPlayer(
    (answer) => {
      answers.push(answer);
      port.onAnswer(answer);
    },
    () => Promise.resolve(),
  );
  const port: ReplayPort = {
    send: (request) => {
      working = player.handle(request);
    },
    onAnswer: () => {},
    close: () => {},
  };
  const settle = () => working;
  return { port, answers, settle };
}

async function openFilm(recording = evidence.recording) {
  const { port, answers, settle } = createPort();
  port.send({ type: 'open', match: evidence.match, recording });
  await settle();
  return { port, answers, settle };
}

/** What a spectator would see. */
function shownBy(updates: readonly Update[]) {
  const decoder = createArenaDecoder();
  for (const { bytes } of updates) expect(decodeUpdate(decoder, bytes)).toBe('applied');
  const { view } = decoder;
  return {
    tick: view.tick,
    bodies: view.bodies.map(({ kind, x, y, radius }) => ({ kind, x, y, radius })).sort((a, b) => a.x - b.x),
    names: [...view.players.values()].flatMap(({ name, cells }) => (cells.length > 0 ? [name] : [])).sort(),
    food: view.food.size,
  };
}

const updatesIn = (answers: readonly ReplayAnswer[], jump: number) =>
  answers.flatMap((answer) => (answer.type === 'updates' && answer.jump === jump ? answer.updates : []));

describe('a recording that is played', () => {
  test('shows the same wherever one jumps to, before and after a keyframe, and backwards', async () => {
    const straight = await openFilm();
    straight.port.send({ type: 'seek', tick: 0, jump: 1 });
    await straight.settle();
    straight.port.send({ type: 'want', tick: MATCH_TICKS, stride: 1 });
    await straight.settle();
    const all = updatesIn(straight.answers, 1);
    expect(all.length).toBe(MATCH_TICKS + 1);

    const jumping = await openFilm();
    for (const [jump, tick] of [1_700, 450, 1_610, 90].entries()) {
      jumping.port.send({ type: 'seek', tick, jump: jump + 1 });
      await jumping.settle();
      const there = shownBy(updatesIn(jumping.answers, jump + 1));
      const expected = shownBy(all.slice(0, tick + 1));
      expect({ ...there, bodies: [] }).toEqual({ ...expected, bodies: [], tick });
      // Differences of positions are sent more finely than positions.
      for (const [i, { kind, x, y }] of expected.bodies.entries()) {
        const body = there.bodies[i]!;
        expect(body.kind).toBe(kind);
        expect(Math.hypot(body.x - x, body.y - y)).toBeLessThan(1);
      }
      expect(there.bodies.length).toBe(expected.bodies.length);
      expect(there.bodies.length).toBeGreaterThan(1);
    }
  });

  test('names everybody even if it is over before the whole match was looked through', async () => {
    const known = await openFilm();
    known.port.send({ type: 'seek', tick: MATCH_TICKS, jump: 1 });
    await known.settle();

    const hurried = createPort();
    hurried.port.onAnswer = ({ type }) => {
      if (type === 'opened') hurried.port.send({ type: 'seek', tick: MATCH_TICKS, jump: 1 });
    };
    hurried.port.send({ type: 'open', match: evidence.match, recording: evidence.recording });
    await hurried.settle();
    const { tick, names } = shownBy(updatesIn(hurried.answers, 1));
    expect(tick).toBe(MATCH_TICKS);
    expect(names).toEqual(shownBy(updatesIn(known.answers, 1)).names);
    expect(names).not.toContain(REPLAY_TEXT.unknown);
    expect(names.length).toBeGreaterThan(0);
  });

  test('shows people in the colours that they have chosen', () => {
    const chosen = evidence.match.entries.map(({ player, ...entry }, index) =>
      index === 0 ? { ...entry, player: { ...player, colour: 8 } } : { ...entry, player },
    );
    const { learn, describe: look } = createDescriber({ ...evidence.match, entries: chosen });
    learn(chosen.map(({ id: entry }, index) => ({ entry, player: index as PlayerId, fromTick: 0 })));
    expect(look(0 as PlayerId, 0n).colour).toBe(8);
    expect(look(1 as PlayerId, 0n).colour).toBe(playerColourIndex(chosen[1]!.player.id));
  });

  test('knows its keyframes, who joins when, and what happens in it', async () => {
    const { answers } = await openFilm();
    const opened = answers.find((answer) => answer.type === 'opened');
    expect(opened).toMatchObject({ finalTick: MATCH_TICKS, ticksPerSecond: TICKS_PER_SECOND });
    expect(opened?.keyframeTicks).toEqual([0, 1_500]);
    const joins = [0, 400, 800, 1_200, 1_600].map((tick, index) => [`entry-${index + 1}`, tick] as const);
    expect(opened?.joinTicks).toEqual(new Map(joins));
    const news = answers.flatMap((answer) => (answer.type === 'indexed' ? [answer.news] : []));
    expect(news.at(-1)).toMatchObject({ tick: MATCH_TICKS, difference: undefined });
    expect(news.flatMap(({ lives }) => lives).map(({ entry }) => entry)).toEqual(
      joins.map(([entry]) => entry),
    );
    const marks = news.flatMap((one) => one.marks);
    expect(marks.some(({ kind }) => kind === 'wave')).toBe(true);
  });

  test('says that it is damaged, and shows nothing', async () => {
    const recording = evidence.recording.slice();
    recording[recording.length >> 1]! ^= 1;
    const { answers } = await openFilm(recording);
    expect(answers).toEqual([{ type: 'failed', reason: expect.stringContaining('at byte') }]);
  });
});

describe('the film', () => {
  /** Runs frames of 20 ms. */
  async function openCinema() {
    const { port, settle } = createPort();
    const model = createArenaModel(() => {});
    const requests: ReplayRequest[] = [];
    const watched: ReplayPort = {
      ...port,
      send: (request) => {
        requests.push(request);
        port.send(request);
      },
    };
    const source = createReplaySource(model, watched);
    port.onAnswer = source.receive;
    source.open(evidence.match, evidence.recording);
    await settle();
    let nowMs = 1_000;
    const run = async (seconds: number) => {
      for (const endMs = nowMs + seconds * 1_000; nowMs < endMs; nowMs += 20) {
        model.advance(source.advance(nowMs), 0, () => {});
        await settle();
      }
      return source.position / TICKS_PER_SECOND;
    };
    const seek = async (seconds: number) => {
      source.seek(seconds * TICKS_PER_SECOND);
      await settle();
    };
    return { source, model, run, seek, requests };
  }

  const namesIn = ({ view }: ArenaModel) => [...view.players.values()].map(({ name }) => name).sort();

  test('runs at the speed one sets, stands still when paused, and stops at its end', async () => {
    const { source, model, run, seek } = await openCinema();
    await seek(10);
    expect(await run(1)).toBeCloseTo(11, 0);
    source.setSpeed(0.25);
    expect(await run(2)).toBeCloseTo(11.5, 0);
    source.setSpeed(16);
    expect(await run(1)).toBeCloseTo(27.5, -0.5);
    source.play(false);
    const paused = source.position;
    const shown = model.frame.tick;
    await run(1);
    expect([source.position, model.frame.tick]).toEqual([paused, shown]);
    source.play(true);
    await run(5);
    expect([source.position, source.isPlaying]).toEqual([MATCH_TICKS, false]);
    source.play(true);
    expect(await run(0.5)).toBeLessThan(10);
  });

  test('asks for more a few times a second, not with every frame', async () => {
    const { run, seek, requests } = await openCinema();
    await seek(10);
    requests.length = 0;
    expect(await run(2)).toBeCloseTo(12, 0);
    expect(requests.length).toBeGreaterThan(4);
    expect(requests.length).toBeLessThanOrEqual((2 * TICKS_PER_SECOND) / 4 + 1);
  });

  test('shows at once where one jumps to, paused or not, and nothing of where one was', async () => {
    const { source, model, run, seek } = await openCinema();
    await seek(60);
    await run(1);
    source.play(false);
    await seek(20);
    await run(0.1);
    expect(model.frame.tick / TICKS_PER_SECOND).toBeCloseTo(20, 0);
    const [first] = model.view.players.values();
    const there = model.locate(first!.id)!;
    const [cell] = first!.cells;
    expect(Math.hypot(there.x - cell!.x, there.y - cell!.y)).toBeLessThan(400);
    const atFirst = namesIn(model);
    await seek(70);
    await run(0.1);
    expect(model.frame.tick / TICKS_PER_SECOND).toBeCloseTo(70, 0);
    const straight = await openCinema();
    await straight.seek(70);
    await straight.run(0.1);
    expect(namesIn(model)).toEqual(namesIn(straight.model));
    expect(namesIn(model)).not.toEqual(atFirst);
  });
});
