import { securityHeaders } from '../http/answer/security-headers.ts';
import { headersOfFile } from '../http/answer/static-files.ts';

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

export interface Expected {
  readonly origin: string;
  readonly connectOrigins: readonly string[];
  readonly importMap: string | null;
}

/**
 * Missing, different or additional headers (docs/spec/threats.md §3.2, W2–W4, W8). Compares texts, because
 * browsers apply more rules than we could model.
 */
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
