/**
 * Serves the built client from a fixed list: requests cannot name other paths. Other GETs get `index.html`.
 */
import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { sha256Hex } from '../../platform/ids-and-digests.ts';
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
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface StaticFile {
  readonly path: string;
  readonly type: string;
  readonly cacheControl: string;
  /** Hash of the content, on demand. */
  readonly tag: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoded: readonly (readonly [string, string])[];
}

export type ServeStatic = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

const PAGE = 'index.html';
const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/;

export function importMapOf(folder: string): string | null {
  const page = join(folder, PAGE);
  return existsSync(page) ? importMapIn(readFileSync(page, 'utf8')) : null;
}

export const importMapIn = (page: string): string | null => IMPORT_MAP.exec(page)?.[1] ?? null;

export const headersOfFile = (path: string): Readonly<Record<string, string>> => ({
  'content-type': typeOf(path),
  ...headersOf(basename(path)),
});

/** Lists the folder at the first request; without a built client every page is 404. */
export function staticFiles(folder: string): ServeStatic {
  const files = once(() => new Map(filesBelow(folder).map((path) => [urlOf(folder, path), describe(path)])));
  return (request, reply) => {
    const [path = '/'] = (request.raw.url ?? '/').split('?');
    // An asset of another build: 404, not the page.
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
  // Only `assets/` has hashed names; the service worker must not be cached.
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
      // Weight 0 refuses an encoding (RFC 9110 §12.4.2).
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/i.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  const [encoding, path] = file.encoded.find(([name]) => accepted.has(name)) ?? [null, file.path];
  if (encoding !== null) reply.header('content-encoding', encoding);
  reply.type(file.type).header('content-length', String(statSync(path).size));
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(path));
}
