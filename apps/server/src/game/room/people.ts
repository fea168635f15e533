import type { Failure } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import type { Announce, Connection } from '../connection.ts';
import type { Match } from '../match/match.ts';
import { noteDrop } from '../match/outage.ts';
import type { Guest } from '../sockets/ingress.ts';
import { receive } from './receive.ts';
import { resumeVisit, returnSecondsOf, startVisit, suspendVisit } from './visit.ts';
import type { Admission, Visit } from './visit-state.ts';

/** Who is in a room, and who may come back to it on another connection. */
export function createPeople() {
  const connected = new Set<Visit>();
  /** By their tokens: those who are connected, and those whose seat is kept for a while. */
  const byToken = new Map<string, { readonly visit: Visit; forget(): void }>();

  let isEmptied = false;

  return { visits: () => [...connected], announce, seat, resume, find, disconnect };

  function find(token: string): Visit | undefined {
    return byToken.get(token)?.visit;
  }

  function seat(match: Match, admission: Admission, connection: Connection): Result<Guest, Failure> {
    const started = startVisit(match, admission, connection);
    if (!started.ok) return started;
    match.deps.meter?.connection('joined');
    return ok(welcome(match, started.value));
  }

  function resume(match: Match, visit: Visit, connection: Connection): Result<Guest, Failure> {
    byToken.get(visit.resumeToken)?.forget();
    // The old connection may still look open, because a network that fails sends no notice.
    if (connected.delete(visit)) {
      suspendVisit(match, visit);
      void visit.connection.close(CLOSE_CODES.left);
    }
    const resumed = resumeVisit(match, visit, connection);
    if (!resumed.ok) return resumed;
    match.deps.meter?.connection('reconnected');
    return ok(welcome(match, visit));
  }

  function welcome(match: Match, visit: Visit): Guest {
    const { connection, resumeToken } = visit;
    connected.add(visit);
    byToken.set(resumeToken, { visit, forget: () => byToken.delete(resumeToken) });
    return {
      receive: (type, body) => {
        try {
          receive(match, visit, type, body);
        } catch (error) {
          // Rethrown, it would end the process and with it every other lobby.
          match.logger.error({ code: 'MESSAGE_FAILED', err: error, type }, 'could not handle a message');
          connection.kick('Something went wrong. Please join again.');
        }
      },
      isOver: () => visit.admission.role === 'player' && visit.admission.participant.state === 'over',
      gone: (isForGood) => {
        try {
          // Otherwise it is on another connection by now.
          if (visit.connection === connection) takeLeave(match, visit, isForGood);
        } catch (error) {
          match.logger.error({ code: 'MESSAGE_FAILED', err: error }, 'could not take leave of a visitor');
        }
      },
    };
  }

  function takeLeave(match: Match, visit: Visit, isForGood: boolean): void {
    const returnSeconds = isForGood || isEmptied ? 0 : returnSecondsOf(match, visit);
    connected.delete(visit);
    byToken.get(visit.resumeToken)?.forget();
    suspendVisit(match, visit);
    if (!isForGood) noteLoss(match, visit);
    if (returnSeconds > 0) keep(match, visit, returnSeconds);
  }

  function noteLoss(match: Match, { admission, connection, isKicked }: Visit): void {
    match.deps.meter?.connection('dropped');
    if (isEmptied || isKicked || admission.role !== 'player' || admission.participant.connection) return;
    noteDrop(match, admission.participant, connection.address);
  }

  function keep(match: Match, visit: Visit, seconds: number): void {
    const { resumeToken } = visit;
    const cancel = match.deps.clock.setTimer(seconds * 1000, () => {
      // A truce holds the departure as well.
      if (match.outage.awaited) keep(match, visit, seconds);
      else byToken.delete(resumeToken);
    });
    byToken.set(resumeToken, {
      visit,
      forget: () => {
        cancel();
        byToken.delete(resumeToken);
      },
    });
  }

  function announce(...[type, payload]: Parameters<Announce>): void {
    for (const { connection } of connected) connection.send(type, payload);
  }

  /** Nobody can come back. Resolves when all are gone. */
  async function disconnect(closeCode: number): Promise<void> {
    isEmptied = true;
    for (const { forget } of [...byToken.values()]) forget();
    await Promise.all([...connected].map(({ connection }) => connection.close(closeCode)));
  }
}
