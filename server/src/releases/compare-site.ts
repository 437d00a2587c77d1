/**
 * Compares a running site with a release (docs/spec/threats.md §3.2). A hostile server may answer other
 * callers differently.
 */
import { importMapIn, headersOfFile } from '../http/answer/static-files.ts';
import { randomText, sha256 } from '../platform/ids.ts';
import { askingOf, type Patience } from './ask-site.ts';
import type { Release } from './release-manifest.ts';
import { securityHeaders } from '../http/answer/security-headers.ts';

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
    ['/', address].map((from) => (URL.canParse(named, `http://site${from}`) ? pathOf(named, from) : named)),
  );
}

const pathOf = (named: string, from: string) => new URL(named, `http://site${from}`).pathname;

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
