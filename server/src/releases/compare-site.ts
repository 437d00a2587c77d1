/**
 * A running site held against a release: each file in each encoding that a browser may ask for, what the page names beyond them, and what is given out where there
 * is no file (threats W8). It shows what was given to whoever asked now; a hostile server may give another one to somebody else.
 */
import { randomText, sha256 } from '../platform/secrets.ts';
import type { Release } from './release-manifest.ts';

export type Difference =
  | { readonly kind: 'changed' | 'missing' | 'unreadable'; readonly address: string }
  /** Named by a page or script of the site, and not in the release. */
  | { readonly kind: 'added'; readonly address: string }
  /** The page may run more than its own files. */
  | { readonly kind: 'policy'; readonly address: string };

const ENCODINGS = ['identity', 'gzip', 'br'] as const;
const AT_ONCE = 8;
const PATIENCE_MS = 30_000;
const PAGE = '/index.html';
/** What makes a page or script load something: an address of this site in quotation marks. */
const NAMED = /["'`(](\/?(?:assets\/)?[\w./-]+\.(?:js|mjs|css|wasm|html))["'`)]/g;

/** @param origin of the site, without a path */
export async function compareSite(origin: string, release: Release): Promise<readonly Difference[]> {
  const found = new Map<string, Difference>();
  const tell = (difference: Difference) => void found.set(`${difference.kind} ${difference.address}`, difference);
  const questions = Object.keys(release.files).flatMap((address) =>
    ENCODINGS.map((encoding) => async () => {
      const given = await ask(origin, address, encoding);
      if (given === null) return tell({ kind: 'unreadable', address });
      if (given.status !== 200) return tell({ kind: 'missing', address });
      if (digestOf(given.bytes) === release.files[address]?.sha256) return;
      tell({ kind: 'changed', address });
      for (const [named = '', ...others] of addressesIn(given.bytes, address)) {
        if (![named, ...others].some((one) => one in release.files)) tell({ kind: 'added', address: named });
      }
    }),
  );
  questions.push(
    // The page is the answer to every address of the client: it must be the same page.
    async () => {
      for (const address of ['/', `/entryGroup/${randomText(8)}`]) {
        const given = await ask(origin, address, 'identity');
        if (given === null) tell({ kind: 'unreadable', address });
        else if (digestOf(given.bytes) !== release.files[PAGE]?.sha256) tell({ kind: 'changed', address });
        else if (!isStrict(given.policy)) tell({ kind: 'policy', address });
      }
    },
    async () => {
      const address = `/assets/${randomText(8)}.js`;
      const given = await ask(origin, address, 'identity');
      if (given?.status === 200) tell({ kind: 'added', address });
    },
  );
  await inPortions(questions);
  return [...found.values()].toSorted((a, b) => (a.address + a.kind < b.address + b.kind ? -1 : 1));
}

interface Given {
  readonly status: number;
  /** Unpacked. */
  readonly bytes: Buffer;
  readonly policy: string;
}

/** Null when no whole answer came. A redirection is none: what lies elsewhere is not this site. */
async function ask(origin: string, address: string, encoding: string): Promise<Given | null> {
  try {
    const response = await fetch(origin + address, {
      headers: { 'accept-encoding': encoding },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, bytes, policy: response.headers.get('content-security-policy') ?? '' };
  } catch {
    return null;
  }
}

const digestOf = (bytes: Buffer) => sha256(bytes).toString('hex');

/** What a file names, each as it may be meant: from the root, as lists of what is loaded ahead are written, or from where the file lies. */
function addressesIn(bytes: Buffer, address: string): string[][] {
  return [...bytes.toString('latin1').matchAll(NAMED)].map(([, named = '']) =>
    ['/', address].map((from) => new URL(named, `http://site${from}`).pathname),
  );
}

/** Nothing but files of its own and the one text inside the page may run. */
function isStrict(policy: string): boolean {
  const directives = new Map(
    policy.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/);
      return [name.toLowerCase(), sources] as const;
    }),
  );
  const scripts = directives.get('script-src') ?? [];
  return (
    directives.get('default-src')?.join(' ') === "'none'" &&
    scripts.includes("'self'") &&
    scripts.every((source) => source === "'self'" || /^'sha256-[\w+/]+=*'$/.test(source)) &&
    directives.get('require-trusted-types-for')?.join(' ') === "'script'"
  );
}

async function inPortions(questions: readonly (() => Promise<void>)[]): Promise<void> {
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    await Promise.all(questions.slice(at, at + AT_ONCE).map((question) => question()));
  }
}
