/**
 * Compares a running site with a release (docs/spec/threats.md §3.2). A hostile server may answer other
 * callers differently.
 */
import { urlOf } from '@passwordbroker/core/domain/url';
import { importMapIn, headersOfFile } from '../http/answer/static-files.ts';
import { randomText, sha256 } from '../platform/ids-and-digests.ts';
import { securityHeaders } from '../http/answer/security-headers.ts';
import { Agent as PlainAgent, request as askPlainly, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as askSecurely } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';

export type Difference =
  | { readonly kind: 'changed' | 'missing' | 'unreadable'; readonly address: string }
  /** Referenced by the site, but not in the release. */
  | { readonly kind: 'added'; readonly address: string }
  /** Missing, different or additional. */
  | { readonly kind: 'header'; readonly address: string; readonly name: string };

const ENCODINGS = ['identity', 'gzip', 'br'] as const;
const AT_ONCE = 8;
/** A slow site must not hold its auditor for hours. */
const PATIENCE: Patience = { answer: 30_000, all: 600_000 };
/** Appended code may reference other files. */
const SPARE = 64 * 1024;
const PAGE = '/index.html';
/** A quoted address, which a page or script may load. */
const NAMED = /["'`(](\/?(?:assets\/)?[\w./-]+\.(?:js|mjs|css|wasm|html))["'`)]/g;

interface Site {
  /** Without a path. */
  readonly origin: string;
  /** As configured in `CONNECT_ORIGINS`. */
  readonly connectOrigins: readonly string[];
}

/** Bounded in time and memory, whatever the site sends. */
export async function compareSite(site: Site, release: Release, patience = PATIENCE): Promise<readonly Difference[]> {
  const found = new Map<string, Difference>();
  const tell = (difference: Difference) => void found.set(Object.values(difference).join(' '), difference);
  const asking = askingOf(site.origin, patience, AT_ONCE);
  const mostOf = (file: string) => (release.files[file]?.size ?? 0) + SPARE;

  const page = await asking.ask({ address: PAGE, encoding: 'identity', most: mostOf(PAGE) });
  // A changed page is reported anyway, so its import map may be used.
  const expected = { ...site, importMap: importMapIn(page?.bytes.toString() ?? '') };

  const compare = (address: string, file: string) =>
    ENCODINGS.map((encoding) => async () => {
      const given = await asking.ask({ address, encoding, most: mostOf(file) });
      if (given === null) return tell({ kind: 'unreadable', address });
      if (given.status !== 200) return tell({ kind: 'missing', address });
      for (const name of strangeHeaders(file, given.headers, expected)) tell({ kind: 'header', address, name });
      if (digestOf(given.bytes) === release.files[file]?.sha256) return;
      tell({ kind: 'changed', address });
      for (const [named = '', ...others] of addressesIn(given.bytes, address)) {
        if (![named, ...others].some((one) => one in release.files)) tell({ kind: 'added', address: named });
      }
    });
  const strangers = ENCODINGS.map((encoding) => async () => {
    const address = `/assets/${randomText(8)}.js`;
    const given = await asking.ask({ address, encoding, most: 0 });
    if (given === null) tell({ kind: 'unreadable', address });
    else if (given.status < 400) tell({ kind: 'added', address });
  });
  try {
    await inPortions([
      ...Object.keys(release.files).flatMap((address) => compare(address, address)),
      // Every client address must return the same page.
      ...['/', `/entryGroup/${randomText(8)}`].flatMap((address) => compare(address, PAGE)),
      ...strangers,
    ]);
  } finally {
    asking.end();
  }
  return [...found.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const placeOf = ({ address, kind }: Difference) => `${address} ${kind}`;

const digestOf = (bytes: Buffer) => sha256(bytes).toString('hex');

/** Each reference as it may be meant: relative to the root or to the file. */
function addressesIn(bytes: Buffer, address: string): string[][] {
  return [...bytes.toString('latin1').matchAll(NAMED)].map(([, named = '']) =>
    ['/', address].map((from) => urlOf(named, `http://site${from}`)?.pathname ?? named),
  );
}

async function inPortions(questions: readonly (() => Promise<void>)[]): Promise<void> {
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    await Promise.all(questions.slice(at, at + AT_ONCE).map((question) => question()));
  }
}

type Headers = ReadonlyMap<string, readonly string[]>;

/** Transport and caches. Browsers ignore unknown headers with `x-` or `cf-`. */
const OF_TRANSPORT = new Set([
  'accept-ranges',
  'age',
  'alt-svc',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'pragma',
  'server',
  'server-timing',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'via',
]);
const MEANT_FOR_NOBODY = /^(x|cf)-/;

interface Expected {
  readonly origin: string;
  readonly connectOrigins: readonly string[];
  readonly importMap: string | null;
}

/**
 * Missing, different or additional headers (docs/spec/threats.md §3.2, W2–W4, W8). Compares texts, because
 * browsers apply more rules than we could model.
 */
function strangeHeaders(file: string, given: Headers, expected: Expected): readonly string[] {
  const { origin, connectOrigins, importMap } = expected;
  const own: Readonly<Record<string, string>> = {
    ...securityHeaders({ publicUrl: origin, connectOrigins }, importMap),
    ...headersOfFile(file),
  };
  const strange = Object.keys(own).filter((name) => {
    const values = given.get(name) ?? [];
    return values.length !== 1 || values[0] !== own[name];
  });
  const more = [...given.keys()].filter(
    (name) => !(name in own) && !OF_TRANSPORT.has(name) && !MEANT_FOR_NOBODY.test(name),
  );
  return [...strange, ...more].toSorted();
}

interface Given {
  readonly status: number;
  /** Unpacked; longer than `most` if cut off. */
  readonly bytes: Buffer;
  /** Names in lower case; with those of 1xx responses. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

interface Question {
  readonly address: string;
  readonly encoding: string;
  /** Unpacked bytes after which reading ends. */
  readonly most: number;
}

interface Asking {
  /** Null if incomplete, late or in an unknown encoding. */
  ask(question: Question): Promise<Given | null>;
  end(): void;
}

/** In ms, for one response and for all. */
interface Patience {
  readonly answer: number;
  readonly all: number;
}

/** Requests to a possibly hostile site: bounded in length and time, without redirects. */
export function askingOf(origin: string, patience: Patience, atOnce: number): Asking {
  const isSecure = origin.startsWith('https:');
  const options = { keepAlive: true, maxSockets: atOnce };
  const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
  const open = isSecure ? askSecurely : askPlainly;
  const until = performance.now() + patience.all;

  const ask = ({ address, encoding, most }: Question) =>
    new Promise<Given | null>((resolve) => {
      const left = Math.min(patience.answer, until - performance.now());
      if (left <= 0) return resolve(null);
      const hints: string[] = [];
      const request = open(origin + address, { agent, headers: { 'accept-encoding': encoding } });
      // Absolute: slow single bytes do not extend it.
      const timer = setTimeout(() => tell(null), left);
      const tell = (given: Given | null) => {
        clearTimeout(timer);
        resolve(given);
        request.destroy();
      };
      request.on('information', ({ rawHeaders }) => void hints.push(...rawHeaders));
      let isAnswered = false;
      request.on('error', () => tell(null));
      // After a complete response it may still be unpacked.
      request.on('close', () => isAnswered || tell(null));
      request.on('response', (answer) => {
        isAnswered = true;
        const headers = listed([...hints, ...answer.rawHeaders]);
        const status = answer.statusCode ?? 0;
        void read(answer, headers.get('content-encoding') ?? [], most).then(
          (bytes) => tell(bytes === null ? null : { status, bytes, headers }),
          () => tell(null),
        );
      });
      request.end();
    });
  return { ask, end: () => agent.destroy() };
}

function listed(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[at + 1] ?? '']);
  }
  return headers;
}

async function read(answer: IncomingMessage, packed: readonly string[], most: number): Promise<Buffer | null> {
  const plain = unpacked(answer, packed.join(', ').trim().toLowerCase());
  if (plain === null) return null;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of plain as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    // Only a part of a decompression bomb is ever in memory.
    if (length > most) break;
  }
  return Buffer.concat(parts);
}

function unpacked(answer: IncomingMessage, encoding: string): Readable | null {
  if (encoding === '' || encoding === 'identity') return answer;
  const unpack = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : null;
  if (unpack === null) return null;
  answer.on('error', (error) => unpack.destroy(error));
  return answer.pipe(unpack);
}

/** Every file of the web client with its SHA-256, written by the build. */
const Release = z.object({
  version: z.string(),
  /** By address. */
  files: z.record(
    z.string().check(z.regex(/^\/[\w./-]+$/)),
    z.object({ size: z.number(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
});
type Release = z.output<typeof Release>;

/** Null if missing or invalid. */
export async function readRelease(path: string): Promise<Release | null> {
  try {
    const release = Release.parse(JSON.parse(await readFile(path, 'utf8')));
    return '/index.html' in release.files ? release : null;
  } catch {
    return null;
  }
}
