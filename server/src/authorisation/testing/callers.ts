/** The actors of the matrix with their credentials: by cookie with a valid CSRF token, and by a bearer token with all scopes. */
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { csrfCookie, login, me } from '@passwordbroker/core/contract/account/session';
import { PROOF_HEADER, prove } from '@passwordbroker/core/domain/keyring/proof';
import { hashOfSecret } from '../../http/auth/session.ts';
import { sha256 } from '../../platform/ids-and-digests.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { TestAnswer, TestClient, TestRequest } from '../../testing/test-client.ts';
import type { TestService } from '../../testing/test-service.ts';
import type { TestPerson } from '../../testing/test-person.ts';
import { ACTORS, type Actor } from './table.ts';

/** A sender with its credential. */
export class Caller {
  readonly actor: Actor;
  /** e.g. `Ad by bearer`. */
  readonly name: string;
  /** Owner of the keys that sign and open; for An and Ex a person with the right. */
  readonly person: TestPerson;
  readonly mode: 'cookie' | 'bearer';
  #client: TestClient;
  #token: string | null;
  #sessionId: string | null = null;

  constructor(actor: Actor, how: string, person: TestPerson, client: TestClient, token: string | null) {
    this.actor = actor;
    this.name = `${actor} ${how}`;
    this.person = person;
    this.mode = token === null ? 'cookie' : 'bearer';
    this.#client = client;
    this.#token = token;
  }

  get isSignedIn(): boolean {
    return this.actor !== 'An' && this.actor !== 'Ex';
  }

  async send(request: TestRequest): Promise<TestAnswer> {
    return this.#client.request(this.#withToken(request));
  }

  /**
   * Like `send`, for calls open to anyone: a guest uses a copy, so that a new session is not kept.
   * An ended cookie comes with a fresh CSRF token, as from a browser.
   */
  async sendOpenly(request: TestRequest): Promise<TestAnswer> {
    if (this.isSignedIn) return this.send(request);
    const copy = this.#client.copy();
    if (this.mode === 'cookie') await copy.request({ path: csrfCookie.path });
    return copy.request(this.#withToken(request));
  }

  /** The header of a proof for exactly this request. */
  async proofFor(request: TestRequest, now: number): Promise<Readonly<Record<string, string>>> {
    const body = Buffer.from(request.json === undefined ? '' : JSON.stringify(request.json));
    this.#sessionId ??= this.isSignedIn
      ? (await this.send({ path: me.path })).json<{ session_id: string }>().session_id
      : '';
    const about = {
      sessionId: this.#sessionId,
      method: request.method ?? 'GET',
      path: request.path,
      bodyDigest: new Uint8Array(sha256(body)),
    };
    return { [PROOF_HEADER]: await prove(this.person.keyring, about, now) };
  }

  /** Replaces a credential that a call has ended. */
  renew(client: TestClient, token: string | null): void {
    this.#client = client;
    this.#token = token;
    this.#sessionId = null;
  }

  #withToken(request: TestRequest): TestRequest {
    if (this.#token === null) return request;
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${this.#token}` } };
  }
}

export type People = Readonly<Record<Exclude<Actor, 'An' | 'Ex' | 'Sv'>, SignedIn>>;
const isPerson = (actor: Actor): actor is keyof People => !['An', 'Ex', 'Sv'].includes(actor);
const SIGNED_IN = ACTORS.filter(isPerson);

/**
 * All callers; the last account is deleted here. Ended credentials belonged to an admin, so
 * only the credential is the reason for a refusal.
 */
export async function makeCallers(
  app: TestApp,
  people: People,
  leaver: SignedIn,
  service: TestService,
): Promise<Caller[]> {
  const callers = [new Caller('An', 'without a credential', people.Ad, app.guest(), null)];
  for (const actor of SIGNED_IN) {
    const person = people[actor];
    callers.push(new Caller(actor, 'by cookie', person, person, null));
    callers.push(new Caller(actor, 'by bearer', person, app.guest(), await newToken(person, 'matrix')));
  }
  const program = new Caller('Sv', 'by credential', service, app.guest(), service.bearer);
  return [...callers, ...(await endedCallers(app, people.Ad, leaver)), program];
}

async function endedCallers(app: TestApp, ad: SignedIn, leaver: SignedIn): Promise<Caller[]> {
  const ended: Caller[] = [];
  const add = (how: string, client: TestClient, token: string | null) =>
    ended.push(new Caller('Ex', how, ad, client, token));
  const [left, older] = [await app.signIn(ad), await app.signIn(ad)];
  add('with a session that has ended', left.copy(), null);
  await left.request({ path: '/identity/api/logout' });
  const revoked = await newToken(ad, 'revoked');
  add('with a token that was revoked', app.guest(), revoked);
  await app.guest().request({
    method: 'POST',
    path: '/identity/api/logout',
    headers: { authorization: `Bearer ${revoked}` },
    withoutCsrf: true,
  });
  const olderToken = await newToken(ad, 'older');
  add('with a session of an older epoch', older.copy(), null);
  add('with a token of an older epoch', app.guest(), olderToken);
  add('with a session of a deleted account', leaver.copy(), null);
  add('with a token of a deleted account', app.guest(), await newToken(leaver, 'leaver'));
  const olderSecrets = [older.cookies.get('pb_session') ?? '', olderToken].map(hashOfSecret);
  await app.deps.db.transact(async (tx) => {
    await tx.updateTable('sessions').set({ epoch: 0 }).where('secret_hash', 'in', olderSecrets).execute();
    await tx.deleteFrom('users').where('user_id', '=', leaver.userId).execute();
  });
  return ended;
}

/** Gives a caller whose credential was used up a new one. */
export async function renewActor(
  app: TestApp,
  people: People,
  callers: readonly Caller[],
  { actor }: Caller,
): Promise<void> {
  if (!isPerson(actor)) return;
  const person = people[actor];
  await person.call(csrfCookie);
  await person.call(login, { body: { email: person.email, password: person.password } });
  for (const caller of callers) {
    if (caller.actor !== actor) continue;
    if (caller.mode === 'cookie') caller.renew(person, null);
    else caller.renew(app.guest(), await newToken(person, 'matrix'));
  }
}

const newToken = async (person: TestClient, name: string) =>
  (await person.call(createToken, { body: { token_name: name } })).token;
