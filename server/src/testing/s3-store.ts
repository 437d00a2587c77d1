/**
 * An S3-compatible store in memory, path-style. It checks the signature (AWS Signature Version 4,
 * own code), the region, the clock and the SHA-256 of bodies. `s3-store.test.ts` tests the
 * signature with published examples.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hmacSha256, sameText, sha256 } from '../platform/ids-and-digests.ts';

/** A fault instead of the normal response. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly code: string; readonly location?: string }
  /** Never answers. */
  | { readonly kind: 'stall' }
  /** Closes the connection. */
  | { readonly kind: 'reset' }
  /** Changes a byte of stored or returned bodies. */
  | { readonly kind: 'damage' };

export interface S3Store {
  readonly origin: string;
  /** Stored bodies by `bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** All requests in order, such as `PUT bucket/key`, including refused ones. */
  readonly requests: readonly string[];
  /** Environment of a server that copies into the bucket `backups`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the fault for requests of these methods; null removes it. */
  setFault(fault: Fault | null, methods?: readonly string[]): void;
  /** How far the store's clock is ahead, in ms. */
  setClock(ahead: number): void;
  stop(): Promise<void>;
}

export const S3_KEYS = { access: 'PBTESTACCESSKEY', secret: 'pb/test+Secret/key0123456789abcdefghijkl' };
const REGION = 'eu-test-1';
const BUCKET = 'backups';
const SKEW_MS = 15 * 60_000;

export async function startS3Store({ bucket = BUCKET } = {}): Promise<S3Store> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let clockAhead = 0;
  let fault: Fault | null = null;
  let faulty: readonly string[] = [];

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const [, bucketName = '', ...parts] = decodeURIComponent(url.split('?')[0] ?? '').split('/');
    const key = parts.join('/');
    const place = `${bucketName}/${key}`;
    requests.push(`${method} ${place}`);
    const present = faulty.includes(method) ? fault : null;
    if (present?.kind === 'reset') return void request.socket.destroy();
    if (present?.kind === 'stall') return;
    const body = await bodyOf(request);
    if (present?.kind === 'answer') {
      if (present.location !== undefined) response.setHeader('location', present.location);
      return refuse(response, present.status, present.code);
    }
    const refusal = refusalOf({ method, url, headers: textHeaders(request), body }, Date.now() + clockAhead);
    if (refusal !== null) return refuse(response, ...refusal);
    if (bucketName !== bucket) return refuse(response, 404, 'NoSuchBucket');
    const stored = objects.get(place);
    if (method === 'PUT') objects.set(place, present === null ? body : damaged(body));
    else if (method === 'DELETE') objects.delete(place);
    else if (stored === undefined) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(method === 'DELETE' ? 204 : 200, { etag: '"none"' });
    response.end(method === 'GET' ? (present === null ? stored : damaged(stored ?? body)) : undefined);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    objects,
    requests,
    environment: {
      BACKUP_COPY: `s3://${BUCKET}/team`,
      BACKUP_S3_ENDPOINT: origin,
      BACKUP_S3_REGION: REGION,
      BACKUP_S3_ACCESS_KEY: S3_KEYS.access,
      BACKUP_S3_SECRET_KEY: S3_KEYS.secret,
    },
    setFault(next, methods = ['GET', 'PUT', 'DELETE']) {
      fault = next;
      faulty = methods;
    },
    setClock(ahead) {
      clockAhead = ahead;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const damaged = (body: Buffer): Buffer => {
  const changed = Buffer.from(body);
  changed[0] = (changed[0] ?? 0) ^ 1;
  return changed;
};

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  // Real stores repeat the access key in their errors.
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><AWSAccessKeyId>${S3_KEYS.access}</AWSAccessKeyId></Error>`,
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const textHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

interface Received {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Status and code of a refusal; null if the signature is valid. */
function refusalOf(received: Received & { readonly body: Buffer }, now: number): readonly [number, string] | null {
  const { headers, body } = received;
  const found = AUTHORIZATION.exec(headers['authorization'] ?? '');
  if (found === null) return [403, 'AccessDenied'];
  const [, access = '', date = '', region = '', signed = '', signature = ''] = found;
  const time = headers['x-amz-date'] ?? '';
  if (access !== S3_KEYS.access) return [403, 'InvalidAccessKeyId'];
  if (region !== REGION) return [400, 'AuthorizationHeaderMalformed'];
  if (!time.startsWith(date) || Math.abs(millisOf(time) - now) > SKEW_MS) return [403, 'RequestTimeTooSkewed'];
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.split(';').includes(name))) {
    return [403, 'AccessDenied'];
  }
  const expected = signatureOf(received, { signed: signed.split(';'), region, secret: S3_KEYS.secret });
  if (!sameText(expected, signature)) return [403, 'SignatureDoesNotMatch'];
  if (headers['x-amz-content-sha256'] !== sha256(body).toString('hex')) return [400, 'XAmzContentSHA256Mismatch'];
  return null;
}

const millisOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

interface Signing {
  /** Names of the signed headers, ascending. */
  readonly signed: readonly string[];
  readonly region: string;
  readonly secret: string;
}

/** The expected signature of a request, in hex. */
export function signatureOf({ method, url, headers }: Received, { signed, region, secret }: Signing): string {
  const [path = '', query = ''] = url.split('?');
  const time = headers['x-amz-date'] ?? '';
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const canonical = [
    method,
    path.split('/').map(encoded).join('/'),
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('='))
      .map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&'),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}`),
    '',
    signed.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(Buffer.from(canonical)).toString('hex')].join('\n');
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const part of scope) key = hmacSha256(key, Buffer.from(part));
  return hmacSha256(key, Buffer.from(toSign)).toString('hex');
}

/** Encodes as in RFC 3986, whatever the encoding was before. */
const encoded = (text: string): string =>
  encodeURIComponent(decodeURIComponent(text)).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
