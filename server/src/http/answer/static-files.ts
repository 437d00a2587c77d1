/**
 * The built web client. Every file is known before the first is given out, so no request can name another one. Names with a hash never change their
 * content; any other GET answers `index.html`, because the client has the routes.
 */
import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { sha256Hex } from '../../platform/secrets.ts';
import {
  CLOSED_WORKER_POLICY,
  KDF_WORKER_POLICY,
  KEYRING_WORKER_POLICY,
  PAGE_HEADERS,
  SERVICE_WORKER_POLICY,
} from './security-headers.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** Encodings in the order of preference, with the ending of the file that holds it. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface StaticFile {
  readonly path: string;
  readonly type: string;
  readonly cacheControl: string;
  /** Told apart by its content, which is read when somebody asks for the file: the start does not wait for it. */
  readonly tag: () => string;
  /** Beside, or in place of, those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Encoding → path of the precompressed copy. */
  readonly encoded: readonly (readonly [string, string])[];
}

export type ServeStatic = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

const PAGE = 'index.html';
const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/;

/** The digests of what the built page loads later, as the page has them inside itself; null where it has none, or is not built. */
export function importMapOf(folder: string): string | null {
  const page = join(folder, PAGE);
  return existsSync(page) ? importMapIn(readFileSync(page, 'utf8')) : null;
}

/** The same, of the text of a page. */
export const importMapIn = (page: string): string | null => IMPORT_MAP.exec(page)?.[1] ?? null;

/** What a file of the client comes with beside, or in place of, the headers of every answer; its type as well. */
export const headersOfFile = (path: string): Readonly<Record<string, string>> => ({
  'content-type': typeOf(path),
  ...headersOf(basename(path)),
});

/** Reads the folder once, for the first who asks; without a built client every page is 404. */
export function staticFiles(folder: string): ServeStatic {
  const files = once(() => new Map(filesBelow(folder).map((path) => [urlOf(folder, path), describe(path)])));
  return (request, reply) => {
    const [path = '/'] = (request.raw.url ?? '/').split('?');
    // A file of another build is gone; a page in its place would only fail later and less clearly.
    const file = files().get(path) ?? (path.startsWith('/assets/') ? undefined : files().get(`/${PAGE}`));
    if (file === undefined) throw new AppError('not_found');
    return send(file, request, reply);
  };
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return [...walk(folder)].filter((path) => TYPES[extname(path)] !== undefined);
}

const urlOf = (folder: string, path: string) => `/${relative(folder, path).split(sep).join('/')}`;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function describe(path: string): StaticFile {
  // The bundler writes hashed names into assets/ and nowhere else; the service worker least of all may be kept.
  const isHashed = path.includes(`${sep}assets${sep}`);
  return {
    path,
    type: typeOf(path),
    cacheControl: isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    tag: once(() => `"${sha256Hex(readFileSync(path, 'latin1')).slice(0, 32)}"`),
    headers: headersOf(basename(path)),
    encoded: ENCODINGS.map(([encoding, ending]) => [encoding, path + ending] as const).filter(([, copy]) =>
      existsSync(copy),
    ),
  };
}

const typeOf = (path: string) => TYPES[extname(path)] ?? 'application/octet-stream';

/** Workers by the name of their entry file (`?worker` in the build): a worker has its own policy, never the page's. */
const WORKER_POLICIES: Readonly<Record<string, string>> = {
  'kdf-worker': KDF_WORKER_POLICY,
  'keyring-worker': KEYRING_WORKER_POLICY,
  'service-worker': SERVICE_WORKER_POLICY,
  'strength-worker': CLOSED_WORKER_POLICY,
};

function headersOf(name: string): Readonly<Record<string, string>> {
  if (name === PAGE) return PAGE_HEADERS;
  const policy = WORKER_POLICIES[/^[a-z]+-worker(?=[-.])/.exec(name)?.[0] ?? ''];
  return policy === undefined ? {} : { 'content-security-policy': policy };
}

function send(file: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const tag = file.tag();
  reply.header('cache-control', file.cacheControl).header('etag', tag).header('vary', 'Accept-Encoding');
  reply.headers(file.headers);
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  const accepted = new Set(
    String(request.headers['accept-encoding'] ?? '')
      .split(',')
      // A weight of 0 refuses an encoding (RFC 9110 §12.4.2).
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/i.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  const [encoding, path] = file.encoded.find(([name]) => accepted.has(name)) ?? [null, file.path];
  if (encoding !== null) reply.header('content-encoding', encoding);
  reply.type(file.type).header('content-length', String(statSync(path).size));
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(path));
}
