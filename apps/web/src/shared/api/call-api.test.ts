import { listActivity } from '@engulf/protocol/http/dashboard';
import { renameProfile } from '@engulf/protocol/user';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serverNowMs } from '../server-clock.ts';
import { callApi, describeApiFailure } from './call-api.ts';

const fetchMock = vi.fn<typeof fetch>();
vi.stubGlobal('fetch', fetchMock);
afterEach(() => fetchMock.mockReset());

const answer = (body: unknown, init: ResponseInit = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), init);

describe('callApi', () => {
  test('sends the body as JSON and parses the answer', async () => {
    fetchMock.mockResolvedValue(answer({ status: 'success', newValue: 'Wobble', extra: 1 }));
    expect(await callApi(renameProfile, { body: { name: 'Wobble' } })).toEqual({
      ok: true,
      value: { status: 'success', newValue: 'Wobble' },
    });
    const [path, init] = fetchMock.mock.calls[0]!;
    expect(path).toBe('/api/auth/profile/name');
    expect(init).toMatchObject({ method: 'PUT', body: '{"name":"Wobble"}', credentials: 'same-origin' });
  });

  test('appends the query to the path', async () => {
    fetchMock.mockResolvedValue(
      answer({ status: 'success', data: { data: [], currentPage: 2, lastPage: 2 } }),
    );
    await callApi(listActivity, { query: { page: 2 } });
    expect(fetchMock.mock.calls[0]![0]).toBe('/api/dashboard/list_activity?page=2');
  });

  test('learns the time of the server from its answers', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    fetchMock.mockResolvedValue(answer({ error: 'RATE_LIMITED' }, { status: 429, headers: { date } }));
    await callApi(listActivity, { query: { page: 1 } });
    expect(Math.abs(serverNowMs() - Date.parse(date))).toBeLessThan(3_000);
  });

  test('returns the code, message and body of a refused call', async () => {
    const body = { error: 'USERNAME_TAKEN', message: 'Username is already taken', sessionTTL: 3 };
    fetchMock.mockResolvedValue(answer(body, { status: 409 }));
    const result = await callApi(renameProfile, { body: { name: 'x' } });
    expect(result).toEqual({
      ok: false,
      error: { code: 'USERNAME_TAKEN', message: body.message, httpStatus: 409, body },
    });
    expect(!result.ok && describeApiFailure(result.error)).toEqual({
      title: 'Invalid Username',
      text: 'Username is already taken',
    });
  });

  test.each([
    [() => answer('<html>', { status: 502, statusText: 'Bad Gateway' }), 'HTTP 502: Bad Gateway'],
    [() => answer({ message: '' }, { status: 403, statusText: 'Forbidden' }), 'HTTP 403: Forbidden'],
    [() => answer({ error: 'LOBBY_OFFLINE' }, { status: 503 }), 'This lobby is currently offline'],
    [
      () => answer({ error: 'LOBBY_FULL', message: '' }, { status: 409 }),
      'This lobby is currently at maximum capacity',
    ],
    [() => answer({ error: 'NEW_CODE', message: '' }, { status: 400 }), 'Request failed'],
  ])('falls back to the registry when the server sends no message: %#', async (response, message) => {
    fetchMock.mockResolvedValue(response());
    expect(await callApi(renameProfile, { body: { name: 'x' } })).toMatchObject({ error: { message } });
  });

  test('shows the message of an answer without a code', async () => {
    fetchMock.mockResolvedValue(answer({ message: 'Back in a minute' }, { status: 503 }));
    expect(await callApi(renameProfile, { body: { name: 'x' } })).toMatchObject({
      error: { code: 'HTTP_ERROR', message: 'Back in a minute', httpStatus: 503 },
    });
  });

  test.each([
    ['the answer', () => new Promise<Response>(() => {})],
    ['the end of the answer', async () => new Response(new ReadableStream())],
  ])('reports a network failure when %s does not come in time', async (_, respond) => {
    const clock = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(clock.signal);
    fetchMock.mockImplementation(async (_path, init) => {
      const late = new Promise<never>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(clock.signal.reason));
      });
      const response = await Promise.race([respond(), late]);
      response.text = () => late;
      return response;
    });
    const called = callApi(renameProfile, { body: { name: 'x' } });
    setTimeout(() => clock.abort(), 1);
    expect(await called).toMatchObject({ error: { code: 'NETWORK_ERROR', httpStatus: null } });
  });

  test('reports a network failure and a malformed answer by different codes', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    fetchMock.mockRejectedValueOnce(new TypeError('offline'));
    expect(await callApi(renameProfile, { body: { name: 'x' } })).toMatchObject({
      error: { code: 'NETWORK_ERROR', httpStatus: null },
    });
    fetchMock.mockResolvedValueOnce(answer({ status: 'success' }));
    expect(await callApi(renameProfile, { body: { name: 'x' } })).toMatchObject({
      error: { code: 'REQUEST_FAILED', httpStatus: 200 },
    });
  });
});
