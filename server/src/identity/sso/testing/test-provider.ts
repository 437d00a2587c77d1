/**
 * An identity provider on loopback that signs what a test wants. Its clock is that of the app. `sso/real-provider.test.ts`
 * uses a real one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';

export interface TestProvider {
  readonly issuer: string;
  /** Claims of the next ID tokens, beside or in place of the right ones. */
  claims: Record<string, unknown>;
  /** In place of the signed ID token. */
  forge: ((claims: Record<string, unknown>) => Promise<string>) | null;
  /** In place of any answer. */
  misbehave: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  /** Members of the discovery in place of the right ones. */
  discovery: Record<string, unknown>;
  readonly requests: string[];
  /** Signs with a key that it did not have before. */
  rotate(): Promise<void>;
  /** A person signs in there: the query with which the browser comes back. */
  signIn(url: string): string;
  /** Signs any claims as its own. */
  readonly sign: (claims: Record<string, unknown>, type?: string) => Promise<string>;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'vault', secret: 'client-secret' };

export async function startTestProvider(clock: { now(): number }): Promise<TestProvider> {
  let key = await newKey();
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string }>();
  const seconds = () => Math.floor(clock.now() / 1000);
  const server = createServer((request, response) => {
    provider.requests.push(request.url ?? '');
    if (provider.misbehave?.(request, response) === true) return;
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider does not listen');
  const issuer = `http://127.0.0.1:${address.port}`;

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (pathname === '/.well-known/openid-configuration') return [200, { ...discovered(), ...provider.discovery }];
    if (pathname === '/keys') return [200, { keys: [key.jwk] }];
    if (pathname !== '/token') return [404, {}];
    const sent = new URLSearchParams(await bodyOf(request));
    const known = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    if (known === undefined || (await challengeOf(sent.get('code_verifier') ?? '')) !== known.challenge) {
      return [400, { error: 'invalid_grant' }];
    }
    const claims = { ...usual(known.nonce), ...provider.claims };
    const id_token = await (provider.forge ?? provider.sign)(claims);
    return [200, { access_token: 'x', token_type: 'Bearer', id_token }];
  }
  const discovered = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    end_session_endpoint: `${issuer}/logout`,
    authorization_response_iss_parameter_supported: true,
  });
  const usual = (nonce: string) => ({
    iss: issuer,
    aud: CLIENT.id,
    sub: 'sub-1',
    nonce,
    iat: seconds(),
    exp: seconds() + 300,
    email: 'eve@example.org',
    email_verified: true,
    name: 'Eve',
  });
  const provider: TestProvider = {
    issuer,
    claims: {},
    forge: null,
    misbehave: null,
    discovery: {},
    requests: [],
    async rotate() {
      key = await newKey();
    },
    signIn(url) {
      const { searchParams } = new URL(url);
      const code = `code-${codes.size}-${seconds()}-${searchParams.get('nonce')}`;
      codes.set(code, { nonce: searchParams.get('nonce') ?? '', challenge: searchParams.get('code_challenge') ?? '' });
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer }).toString();
    },
    sign: (claims, typ) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid, ...(typ === undefined ? {} : { typ }) })
        .sign(key.privateKey),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;
}

let keys = 0;
async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  keys += 1;
  const kid = `key-${keys}`;
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } };
}

/** Forged in the ways that a library may overlook. */
export const unsigned = async (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode();
export const signedByClientSecret = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.secret.padEnd(32, '-')));
/** @param header more of it */
export async function signedByStranger(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  const { privateKey }: { readonly privateKey: CryptoKey } = await generateKeyPair('RS256');
  return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256' }).sign(privateKey);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
  return Buffer.from(digest).toString('base64url');
}
