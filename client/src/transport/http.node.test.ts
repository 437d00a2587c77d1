import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { CONTRACT_VERSION, VERSION } from '@passwordbroker/core/contract/client';
import { AppError } from '@passwordbroker/core/contract/problem';
import * as session from '@passwordbroker/core/contract/account/session';
import { createHttp, type Http, type CookieJar } from './http.ts';
import type { ToProve } from './proofs.ts';
import { OfflineError, NetworkError } from './exchange.ts';
import { AnswerError } from './answers.ts';
import { exchangeByToken } from './token-exchange.ts';

/** Answers of the test server by `METHOD /path`. */
type Script = Record<string, (request: IncomingMessage, response: ServerResponse, body: string) => void>;

let server: Server;
let script: Script;
let seen: { call: string; xsrf: string | undefined; body: string }[];
let jar: CookieJar & { text: string };
let http: Http;

beforeEach(async () => {
  script = {};
  seen = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const call = `${request.method} ${request.url}`;
      seen.push({ call, xsrf: request.headers['x-xsrf-token'] as string | undefined, body });
      (script[call] ?? ((_, reply) => reply.writeHead(404).end()))(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  jar = {
    text: '',
    read: () => jar.text,
    write(cookie) {
      if (cookie.startsWith('XSRF-TOKEN=;')) jar.text = '';
    },
  };
  http = createHttp({ face: 'web', origin, cookies: jar });
  http.setSignedIn(true);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (value: unknown, status = 200) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const G = '/passwordBroker/api/entryGroups/g1';
const marks = { tags: [], icon: null, due_at: null, due_kind: null, rotate_days: null };
const entry: Entry = { entry_id: 'e', entry_group_id: 'g1', title: 'T', ...marks, created_at: 'c', updated_at: 'u' };

describe('the end of the session', () => {
  const list = `GET ${G}/entries`;
  const listEntries = () => http.call(entries.listAll, { params: { g: 'g1' } });

  test('rejects every pending call of the former person, and none of the next one', async () => {
    let arrived = () => undefined as void;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    script[list] = () => arrived();
    const waiting = listEntries();
    const ended = expect(waiting).rejects.toMatchObject({ code: 'unauthenticated', message: 'user is logout' });
    await arrival;
    http.setSignedIn(false);
    await ended;
    http.setSignedIn(true);
    script[list] = json([{ ...entry, login: null }]);
    expect(await listEntries()).toEqual([{ ...entry, login: null }]);
  });

  test('does not reject a call that needs no session', async () => {
    script['GET /identity/api/me'] = (_, response) => {
      http.setSignedIn(false);
      json({ message: 'guest', user: null, session_id: null })(_, response);
    };
    expect(await http.call(session.me)).toMatchObject({ message: 'guest' });
  });
});

describe('a call', () => {
  test('sends path, query and body, and returns only what the contract describes', async () => {
    jar.text = 'other=1; XSRF-TOKEN=a%20b';
    script[`POST ${G}/entries`] = json({ ...entry, extra: 'x' }, 201);
    script['GET /passwordBroker/api/entrySearch?page=2&q=a+%26b'] = json({
      data: [],
      current_page: 2,
      last_page: 1,
      per_page: 20,
      total: 0,
    });
    expect(await http.call(entries.create, { params: { g: 'g1' }, body: { title: 'T' } })).toEqual(entry);
    await http.call(entries.search, { query: { page: 2, q: 'a &b' } });
    expect(seen).toEqual([
      { call: `POST ${G}/entries`, xsrf: 'a b', body: '{"title":"T"}' },
      { call: 'GET /passwordBroker/api/entrySearch?page=2&q=a+%26b', xsrf: undefined, body: '' },
    ]);
  });

  test('fetches a missing CSRF cookie once for two concurrent calls', async () => {
    script['GET /sanctum/csrf-cookie'] = (_, response) => {
      jar.text = 'XSRF-TOKEN=fresh';
      response.writeHead(204).end();
    };
    script[`POST ${G}/entries`] = json(entry, 201);
    const create = () => http.call(entries.create, { params: { g: 'g1' }, body: { title: 'T' } });
    await Promise.all([create(), create()]);
    expect(seen.map(({ call, xsrf }) => [call, xsrf])).toEqual([
      ['GET /sanctum/csrf-cookie', undefined],
      [`POST ${G}/entries`, 'fresh'],
      [`POST ${G}/entries`, 'fresh'],
    ]);
  });

  test("'CSRF token mismatch.' drops the cookie and repeats the call once", async () => {
    jar.text = 'XSRF-TOKEN=old';
    script['GET /sanctum/csrf-cookie'] = (_, response) => {
      jar.text = 'XSRF-TOKEN=new';
      response.writeHead(204).end();
    };
    const mismatch = json({ message: 'CSRF token mismatch.', code: 'csrf_mismatch', request_id: 'r' }, 419);
    script[`POST ${G}/entries`] = (request, response) =>
      (request.headers['x-xsrf-token'] === 'new' ? json(entry, 201) : mismatch)(request, response);
    expect(await http.call(entries.create, { params: { g: 'g1' }, body: { title: 'T' } })).toEqual(entry);
    expect(seen.map(({ xsrf }) => xsrf)).toEqual(['old', undefined, 'new']);
  });

  test('a persistent mismatch is an error, not a loop', async () => {
    jar.text = 'XSRF-TOKEN=old';
    script['GET /sanctum/csrf-cookie'] = (_, response) => {
      jar.text = 'XSRF-TOKEN=new';
      response.writeHead(204).end();
    };
    script[`POST ${G}/entries`] = json({ message: 'CSRF token mismatch.', code: 'csrf_mismatch' }, 419);
    await expect(http.call(entries.create, { params: { g: 'g1' }, body: { title: 'T' } })).rejects.toMatchObject({
      code: 'csrf_mismatch',
      message: 'CSRF token mismatch.',
    });
    expect(seen).toHaveLength(3);
  });

  test('a refusal becomes the same AppError that the server threw', async () => {
    jar.text = 'XSRF-TOKEN=t';
    script[`POST ${G}/entries`] = json(
      {
        message: 'The title is required.',
        code: 'validation',
        errors: { title: ['The title is required.'] },
        details: { limit: 1 },
        request_id: 'r1',
      },
      422,
    );
    const failure = await http.call(entries.create, { params: { g: 'g1' }, body: { title: '' } }).catch((e) => e);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({
      code: 'validation',
      errors: { title: ['The title is required.'] },
      details: { limit: 1 },
      requestId: 'r1',
    });
  });

  test.each<[string, Script[string], string]>([
    ['a proxy’s error page', (_, response) => response.writeHead(502).end('<html>'), 'unavailable'],
    ['an unknown code', json({ message: 'no', code: 'constructor' }, 403), 'forbidden'],
    ['an unknown status', json([], 418), 'bad_request'],
    ['errors of wrong types', json({ message: 1, errors: 'x' }, 422), 'validation'],
  ])('a refusal without a proper body: %s', async (_, answer, code) => {
    script[`GET ${G}/entries`] = answer;
    await expect(http.call(entries.listAll, { params: { g: 'g1' } })).rejects.toMatchObject({ code });
  });
});

describe('a call that needs a proof', () => {
  const WRAPS = `${G}/entries/bulkEdit/wraps`;
  const wraps = () => http.call(entries.wraps, { params: { g: 'g1' }, body: { entries: ['e'] } });

  test('sends a proof of exactly this request', async () => {
    jar.text = 'XSRF-TOKEN=t';
    const proven: ToProve[] = [];
    http.setProver((request) => {
      proven.push(request);
      return Promise.resolve('v1;proof');
    });
    let header: unknown;
    script[`POST ${WRAPS}`] = (request, response, body) => {
      header = request.headers['x-pb-proof'];
      json({ gk_version: 1, rows: [] })(request, response);
      expect(proven).toEqual([{ method: 'POST', path: WRAPS, body, now: expect.any(Number) as number }]);
    };
    expect(await wraps()).toEqual({ gk_version: 1, rows: [] });
    expect(header).toBe('v1;proof');
  });

  test('adopts the server’s time and retries once', async () => {
    jar.text = 'XSRF-TOKEN=t';
    http.setProver(({ now }) => Promise.resolve(String(now)));
    const serverTime = 1_900_000_000;
    script[`POST ${WRAPS}`] = (request, response) => {
      const isFresh = Math.abs(Number(request.headers['x-pb-proof']) - serverTime * 1000) < 60_000;
      const expired = { message: 'no', code: 'proof_expired', details: { server_time: serverTime } };
      (isFresh ? json({ gk_version: 1, rows: [] }) : json(expired, 403))(request, response);
    };
    await wraps();
    await wraps();
    expect(seen).toHaveLength(3);
  });

  test('a second proof_expired is an error, not a loop', async () => {
    jar.text = 'XSRF-TOKEN=t';
    http.setProver(() => Promise.resolve('x'));
    script[`POST ${WRAPS}`] = json({ message: 'no', code: 'proof_expired', details: { server_time: 1 } }, 403);
    await expect(wraps()).rejects.toMatchObject({ code: 'proof_expired' });
    expect(seen).toHaveLength(2);
  });

  test('sends nothing while locked', async () => {
    jar.text = 'XSRF-TOKEN=t';
    http.setProver(() => Promise.reject(new Error('locked')));
    await expect(wraps()).rejects.toThrow('locked');
    expect(seen).toEqual([]);
  });
});

describe('an operation that can be undone', () => {
  test.each([
    ['with', { 'x-operation-id': 'o1' }, 'o1'],
    ['without', {}, null],
  ])('%s operation id in the answer', async (_, headers, operationId) => {
    jar.text = 'XSRF-TOKEN=t';
    script[`PUT ${G}/entries/e`] = (_request, response) =>
      response.writeHead(200, headers as Record<string, string>).end(JSON.stringify(entry));
    const act = http.callUndoable(entries.rename, { params: { g: 'g1', e: 'e' }, body: { title: 'T' } });
    expect(await act).toEqual({ value: entry, operationId });
  });

  test('sends the version to be replaced as If-Match', async () => {
    jar.text = 'XSRF-TOKEN=t';
    let version: string | undefined;
    script[`PUT ${G}/entries/e`] = (request, response) => {
      version = request.headers['if-match'];
      json(entry)(request, response);
    };
    await http.call(entries.rename, { params: { g: 'g1', e: 'e' }, body: { title: 'T' }, ifMatch: 0 });
    expect(version).toBe('0');
  });

  test.each([
    ['web', undefined],
    ['extension', 'Bearer none'],
  ] as const)(
    'says what program calls; without cookies there is always the header of tokens: %s',
    async (face, bearer) => {
      const asked: IncomingMessage[] = [];
      script['GET /identity/api/me'] = (request, response) => {
        asked.push(request);
        json({ message: 'guest', user: null, session_id: null })(request, response);
      };
      const how = face === 'web' ? { cookies: jar } : { cookies: null, exchange: exchangeByToken };
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await createHttp({ face, origin, ...how }).call(session.me);
      expect(asked[0]?.headers).toMatchObject({
        'x-pb-client': `${face}/${VERSION};contract=${CONTRACT_VERSION}`,
      });
      expect(asked[0]?.headers.authorization).toBe(bearer);
    },
  );
});

describe('answers outside the contract (M25)', () => {
  const deep = `{"trees":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const node = (depth: number): string =>
    `{"entry_group_id":"a","title":"t","materialized_path":"a","role":"admin","children":[${depth === 0 ? '' : node(depth - 1)}]}`;
  test.each([
    ['not JSON', '<html>'],
    ['empty', ''],
    ['wrong type', '{"trees":{}}'],
    [
      'an unknown role',
      '{"trees":[{"entry_group_id":"a","title":"t","materialized_path":"a","role":"owner","children":[]}]}',
    ],
    ['deep', deep],
    ['a deep tree of the right form', `{"trees":[${node(900)}]}`.replace(/"admin"(?!.*"admin")/, '1')],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('%s', async (_, text) => {
    script['GET /passwordBroker/api/entryGroupsAsTree'] = (_request, response) => response.writeHead(200).end(text);
    await expect(http.call(groups.tree)).rejects.toBeInstanceOf(AnswerError);
  });

  test('a member named __proto__ changes no prototype', async () => {
    script['GET /passwordBroker/api/entryGroupsAsTree'] = (_request, response) =>
      response.writeHead(200).end('{"__proto__":{"isAdmin":true},"trees":[]}');
    const answer = await http.call(groups.tree);
    expect(answer).toEqual({ trees: [] });
    expect('isAdmin' in answer).toBe(false);
  });

  test('an answer that is too large is not read to the end', async () => {
    script[`GET ${G}/entries/e/fields/f/file`] = (_request, response) =>
      response.writeHead(200).end(Buffer.alloc(100_000));
    const call = http.bytes(fields.file, { params: { g: 'g1', e: 'e', f: 'f' }, maxBytes: 1000 });
    await expect(call).rejects.toBeInstanceOf(NetworkError);
  });
});

describe('the session', () => {
  test('without a session only public calls are sent', async () => {
    http.setSignedIn(false);
    script['GET /identity/api/me'] = json({ message: 'guest', user: null, session_id: null });
    await expect(http.call(groups.tree)).rejects.toMatchObject({ message: 'user is logout' });
    expect(await http.call(session.me)).toEqual({ message: 'guest', user: null, session_id: null });
    expect(seen.map(({ call }) => call)).toEqual(['GET /identity/api/me']);
  });

  test('401 ends it once, and nothing more is sent', async () => {
    let ends = 0;
    http.onSessionEnded(() => (ends += 1));
    script[`GET ${G}/entries`] = json({ message: 'Unauthenticated.', code: 'unauthenticated' }, 401);
    const list = () => http.call(entries.listAll, { params: { g: 'g1' } });
    await expect(list()).rejects.toMatchObject({ message: 'Unauthenticated.' });
    await expect(list()).rejects.toMatchObject({ message: 'user is logout' });
    expect([ends, seen.length]).toEqual([1, 1]);
  });

  test('a wrong account password does not end a session', async () => {
    let ends = 0;
    jar.text = 'XSRF-TOKEN=t';
    http.onSessionEnded(() => (ends += 1));
    script['POST /identity/api/login'] = json(
      { message: 'Invalid email or password', code: 'invalid_credentials' },
      401,
    );
    const login = http.call(session.login, { body: { email: 'a@b.c', password: 'x' } });
    await expect(login).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(ends).toBe(0);
  });
});

describe('timeout and connection', () => {
  test('a call without an answer times out', async () => {
    script[`GET ${G}/entries`] = () => undefined;
    const call = http.call(entries.listAll, { params: { g: 'g1' }, silenceMs: 50 });
    await expect(call).rejects.toBeInstanceOf(NetworkError);
  });

  test('arriving bytes keep a call alive', async () => {
    script[`GET ${G}/entries/e/fields/f/file`] = (_request, response) => {
      response.writeHead(200, { 'content-length': '5' });
      let sent = 0;
      const timer = setInterval(() => {
        response.write('x');
        sent += 1;
        if (sent === 5) {
          clearInterval(timer);
          response.end();
        }
      }, 40);
    };
    const progress: number[] = [];
    const bytes = await http.bytes(fields.file, {
      params: { g: 'g1', e: 'e', f: 'f' },
      silenceMs: 120,
      onReceived: (received) => progress.push(received),
    });
    expect(bytes.length).toBe(5);
    expect(progress.at(-1)).toBe(5);
  });

  test('an aborted call rejects with the caller’s reason', async () => {
    script[`GET ${G}/entries`] = () => undefined;
    const stop = new AbortController();
    const call = http.call(entries.listAll, { params: { g: 'g1' }, signal: stop.signal });
    setTimeout(() => stop.abort(new DOMException('gone', 'AbortError')), 20);
    await expect(call).rejects.toMatchObject({ name: 'AbortError', message: 'gone' });
  });

  test('an unreachable server is a NetworkError', async () => {
    const closed = createHttp({ face: 'web', origin: 'http://127.0.0.1:1', cookies: jar });
    await expect(closed.call(session.me)).rejects.toBeInstanceOf(NetworkError);
  });
});

describe('while the database is offline (docs/spec/product.md §4)', () => {
  test('no call is sent, not even the session check, and pending calls are rejected', async () => {
    let hasArrived: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
    script[`GET ${G}/entries`] = () => hasArrived();
    script['GET /identity/api/me'] = json({ message: 'guest', user: null, session_id: null });
    const underWay = http.call(entries.listAll, { params: { g: 'g1' } });
    await arrived;
    http.setOffline(true);
    await expect(underWay).rejects.toBeInstanceOf(OfflineError);
    await expect(http.call(entries.listAll, { params: { g: 'g1' } })).rejects.toBeInstanceOf(OfflineError);
    await expect(http.call(session.me)).rejects.toThrow('Not available offline');
    await expect(http.call(session.csrfCookie)).rejects.toBeInstanceOf(NetworkError);
    expect(seen).toHaveLength(1);

    http.setOffline(false);
    expect(await http.call(session.me)).toMatchObject({ message: 'guest' });
  });

  test('public calls are rejected too, and their later requests are not sent', async () => {
    let hasArrived: () => void = () => undefined;
    const arrival = () => new Promise<void>((resolve) => (hasArrived = resolve));
    script['GET /identity/api/me'] = () => hasArrived();
    script['GET /sanctum/csrf-cookie'] = () => hasArrived();
    for (const [ask, count] of [
      [() => http.call(session.me), 1],
      // Its CSRF token is fetched first.
      [() => http.call(session.login, { body: { email: 'a@example.org', password: 'p' } }), 2],
    ] as const) {
      const arrived = arrival();
      const underWay = expect(ask()).rejects.toBeInstanceOf(OfflineError);
      await arrived;
      http.setOffline(true);
      await underWay;
      expect(seen).toHaveLength(count);
      http.setOffline(false);
    }
  });
});
