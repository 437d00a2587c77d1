/**
 * A scripted client of a running server with cookies, CSRF token and master password. Returns every
 * response as it came; a broken connection has status 0.
 */
import type { RunningServer } from '../../e2e/testing/server/server.ts';

export const BASE = '/passwordBroker/api';
const SECONDS = 30;

export interface Answered {
  /** 0 without a response: the request may have been executed or not. */
  readonly status: number;
  readonly text: string;
}

export interface Caller {
  request(method: string, path: string, json?: unknown): Promise<Answered>;
  /** Sends a body unchanged. */
  send(method: string, path: string, body: FormData | Uint8Array): Promise<Answered>;
  /** Like `request`, but throws unless the status is a success, and returns the parsed JSON. */
  accepted<T = Record<string, unknown>>(method: string, path: string, json?: unknown): Promise<T>;
  /** Headers that authenticate other requests as this person. */
  headers(): Readonly<Record<string, string>>;
}

export const MASTER_PASSWORD = 'a quiet harbour at noon';

/** Signs up the first user and returns the signed-in client; the server creates the keys. */
export async function signUp(server: Pick<RunningServer, 'origin'>, setup_token = ''): Promise<Caller> {
  const caller = guestOf(server);
  await caller.request('GET', '/sanctum/csrf-cookie');
  await caller.accepted('POST', '/identity/api/registration', { user: userOf('Ada'), setup_token });
  return caller;
}

/** Creates another account as the site admin, with keys from the server, and signs in to it. */
export async function addUser(
  server: Pick<RunningServer, 'origin'>,
  admin: Caller,
  name: string,
): Promise<{ readonly userId: string; readonly caller: Caller }> {
  const user = userOf(name);
  const { user_id: userId } = await admin.accepted<{ user_id: string }>('POST', '/identity/api/registration', { user });
  return { userId, caller: await signIn(server, name) };
}

/** Signs in to an account of this file; the first one is Ada's. */
export async function signIn(server: Pick<RunningServer, 'origin'>, name: string): Promise<Caller> {
  const { email, password } = userOf(name);
  const caller = guestOf(server);
  await caller.request('GET', '/sanctum/csrf-cookie');
  await caller.accepted('POST', '/identity/api/login', { email, password });
  return caller;
}

/** Credentials of the person of that name. */
export const passwordOf = (name: string) => ({
  email: `${name.toLowerCase()}@example.org`,
  password: 'account password 1',
});

const userOf = (name: string) => ({
  username: name,
  email: `${name.toLowerCase()}@example.org`,
  password: 'account password 1',
  password_confirmation: 'account password 1',
  master_password: MASTER_PASSWORD,
  master_password_confirmation: MASTER_PASSWORD,
});

/** A client that is not signed in. @param own additional headers of each request */
export function guestOf({ origin }: Pick<RunningServer, 'origin'>, own: Readonly<Record<string, string>> = {}): Caller {
  const cookies = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
  };
  const headers = () => ({
    ...own,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
  });
  const send = async (method: string, path: string, body?: BodyInit, type?: string): Promise<Answered> => {
    try {
      const response = await fetch(origin + path, {
        method,
        headers: { ...headers(), ...(type === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(SECONDS * 1000),
      });
      keep(response);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  };
  const request: Caller['request'] = (method, path, json) =>
    json === undefined ? send(method, path) : send(method, path, JSON.stringify(json), 'application/json');
  const accepted: Caller['accepted'] = async <T>(method: string, path: string, json?: unknown) => {
    const answer = await request(method, path, json);
    if (answer.status < 200 || answer.status >= 300)
      throw new Error(`${method} ${path} → ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as T;
  };
  return { request, accepted, headers, send: (method, path, body) => send(method, path, body as BodyInit) };
}

/** Creates a root group and returns its id. */
export async function addGroup(caller: Caller, name: string): Promise<string> {
  const { entryGroup } = await caller.accepted<{ entryGroup: { entry_group_id: string } }>(
    'POST',
    `${BASE}/entryGroups`,
    {
      name,
      master_password: MASTER_PASSWORD,
    },
  );
  return entryGroup.entry_group_id;
}
