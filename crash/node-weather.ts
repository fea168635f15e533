import type { Random } from './random.ts';

export type RpcRequest = {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
};

// biome-ignore lint/suspicious/noExplicitAny: answers of a node differ by method
export type Answer = { readonly id?: unknown; result?: any; error?: unknown };

type Fault = 'none' | 'drop' | 'deaf' | 'tooMany' | 'unavailable' | 'delay' | 'double';

/** How the node behaves for a while. */
type Climate =
  | { readonly kind: 'fair' }
  /** Loses and delays requests. */
  | { readonly kind: 'flaky' }
  /** Is so many blocks behind the cluster. */
  | { readonly kind: 'lagging'; readonly blocks: number }
  /** Was restored from a snapshot: knows accounts, but no transaction before this slot. */
  | { readonly kind: 'forgetful'; readonly sinceSlot: number };

export type Weather = {
  readonly climate: Climate;
  /** From now on the node is a good one. */
  calm(): void;
  faultFor(method: string): Fault;
  /** The answer as a node in this climate gives it; the same object if it is unchanged. */
  distort(request: RpcRequest, answer: Answer): Promise<Answer>;
  stop(): void;
};

const CHANGE_EVERY_MS = [1_000, 6_000] as const;
const SLOT_TOO_OLD = { code: -32016, message: 'Minimum context slot has not been reached' };

export function createWeather(random: Random, askNumber: (method: string) => Promise<number>): Weather {
  let climate: Climate = { kind: 'fair' };
  let isCalm = false;
  let timer: NodeJS.Timeout;
  /** What accounts looked like when they were last asked for in fair weather. */
  const remembered = new Map<string, Answer>();

  async function change(): Promise<void> {
    const kind = random.pick(['fair', 'flaky', 'flaky', 'lagging', 'lagging', 'forgetful'] as const);
    if (kind === 'lagging') climate = { kind, blocks: Math.round(random.between(28, 200)) };
    else if (kind === 'forgetful') climate = { kind, sinceSlot: await askNumber('getSlot') };
    else climate = { kind };
  }

  function scheduleChange(): void {
    timer = setTimeout(
      () => {
        change()
          .catch(() => undefined)
          .finally(() => !isCalm && scheduleChange());
      },
      random.between(...CHANGE_EVERY_MS),
    );
  }
  scheduleChange();

  return {
    get climate() {
      return climate;
    },
    calm: () => {
      isCalm = true;
      clearTimeout(timer);
      climate = { kind: 'fair' };
    },
    faultFor: () => {
      if (climate.kind !== 'flaky') return 'none';
      const faults = [
        'none',
        'none',
        'none',
        'drop',
        'deaf',
        'tooMany',
        'unavailable',
        'delay',
        'double',
      ] as const;
      return random.pick(faults);
    },
    distort: async (request, answer) => {
      const key = JSON.stringify([request.method, request.params]);
      if (climate.kind === 'lagging') return lag(request, answer, climate.blocks, remembered.get(key));
      if (climate.kind === 'forgetful') return forget(request, answer, climate.sinceSlot);
      if (request.method === 'getAccountInfo' || request.method === 'getBalance') remembered.set(key, answer);
      return answer;
    },
    stop: () => {
      isCalm = true;
      clearTimeout(timer);
    },
  };

  async function lag(
    { method, params }: RpcRequest,
    answer: Answer,
    blocks: number,
    older: Answer | undefined,
  ): Promise<Answer> {
    const newestSlot = (await askNumber('getSlot')) - blocks;
    const options = params?.find(
      (param) => typeof param === 'object' && param !== null && !Array.isArray(param),
    );
    const { minContextSlot = 0 } = (options ?? {}) as { minContextSlot?: number };
    if (minContextSlot > newestSlot) return { ...answer, result: undefined, error: SLOT_TOO_OLD };
    switch (method) {
      case 'getSlot':
      case 'getBlockHeight':
        return { ...answer, result: Math.max(0, answer.result - blocks) };
      case 'getSignatureStatuses':
        return {
          ...answer,
          result: {
            context: { ...answer.result.context, slot: newestSlot },
            value: answer.result.value.map((status: { slot: number } | null) =>
              status && status.slot > newestSlot ? null : status,
            ),
          },
        };
      case 'getTransaction':
        return answer.result && answer.result.slot > newestSlot ? { ...answer, result: null } : answer;
      case 'getSignaturesForAddress':
        return {
          ...answer,
          result: answer.result.filter(({ slot }: { slot: number }) => slot <= newestSlot),
        };
      case 'getAccountInfo':
      case 'getBalance': {
        const shown = older ?? answer;
        const context = { ...shown.result?.context, slot: newestSlot };
        return { ...answer, result: { ...shown.result, context } };
      }
      default:
        return answer;
    }
  }

  function forget({ method }: RpcRequest, answer: Answer, sinceSlot: number): Answer {
    const isKnown = (entry: { slot: number } | null) => entry !== null && entry.slot >= sinceSlot;
    switch (method) {
      case 'getSignatureStatuses': {
        const value = answer.result.value.map((status: { slot: number } | null) =>
          isKnown(status) ? status : null,
        );
        return { ...answer, result: { ...answer.result, value } };
      }
      case 'getTransaction':
        return isKnown(answer.result ?? null) ? answer : { ...answer, result: null };
      case 'getSignaturesForAddress':
        return { ...answer, result: answer.result.filter(isKnown) };
      default:
        return answer;
    }
  }
}
