import { Agent, request } from 'node:http';
import { tokenOf } from './fill.ts';

export type CallResult = {
  readonly call: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
};

/** How many clients send requests in a loop, each as another player. */
export async function measureCall(
  url: string,
  path: (nth: number) => string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<CallResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latenciesMs: number[] = [];
  let failures = 0;
  let nth = 0;
  const endsAtMs = performance.now() + seconds * 1_000;
  const ask = async () => {
    while (performance.now() < endsAtMs) {
      const startedAtMs = performance.now();
      const isAnswered = await get(agent, `${url}${path(nth)}`, tokenOf(nth++ % 1_000));
      if (isAnswered) latenciesMs.push(performance.now() - startedAtMs);
      else failures++;
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  agent.destroy();
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => round(latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN);
  return {
    call: path(0),
    perSecond: Math.round(latenciesMs.length / seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  };
}

function get(agent: Agent, url: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers: { cookie: `engulf_session=${token}` } }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode === 200));
    });
    asked.once('error', () => resolve(false));
    asked.end();
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
