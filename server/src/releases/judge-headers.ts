/**
 * The headers of an answer held against those that this release gives (docs/spec/threats.md §3.2, W2–W4, W8). Compared as they are written, not as they might be meant: a browser reads the
 * first of two directives, a special one before a general one, and more than we know of.
 */
import { securityHeaders } from '../http/answer/security-headers.ts';
import { headersOfFile } from '../http/answer/static-files.ts';

type Headers = ReadonlyMap<string, readonly string[]>;

/** How an answer travels and is kept, not what a browser does with it. Those beginning with `x-` or `cf-` mean nothing to browsers, but for what a release sends itself. */
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

export interface Expected {
  /** Origin of the site. */
  readonly origin: string;
  /** As the site is configured (`CONNECT_ORIGINS`). */
  readonly connectOrigins: readonly string[];
  /** The one text inside the page. */
  readonly importMap: string | null;
}

/** @returns the names of the headers that are missing, other than those of the release's file, or more than those */
export function strangeHeaders(file: string, given: Headers, expected: Expected): readonly string[] {
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
