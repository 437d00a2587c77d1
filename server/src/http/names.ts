/** Names of members: the ones that are never accepted, and the nesting that forms spell with brackets. */
import qs from 'qs';
import { AppError } from '@passwordbroker/core/contract/problem';

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const SECRETS = new Set(['master_password', 'password', 'value']);
const DEPTH = 64;
const FORM_DEPTH = 16;
const FORM_LIST = 5000;
const FORM_MEMBERS = 5000;

/** One member of a form, its name as sent: `user[email]`. */
export type Pair = readonly [name: string, value: string];

export const partsOf = (name: string) => name.split(/[[\]]+/).filter((part) => part !== '');

/** Reads `a=1&b[c]=2`. Throws `bad_request` for broken percent encoding, and for very many members before any is made. */
export function pairsOf(text: string): Pair[] {
  let separators = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    separators += 1;
    if (separators > FORM_MEMBERS) throw new AppError('bad_request');
  }
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part.replaceAll('+', ' '));
    } catch {
      throw new AppError('bad_request');
    }
  };
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

/** Members of a form as an object: `user[email]`, `entries[]`, `entries[0]` (`api.md` §1.1). */
export function nest(pairs: readonly Pair[]): Record<string, unknown> {
  if (pairs.length > FORM_MEMBERS) throw new AppError('bad_request');
  const flat = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (partsOf(name).some((part) => FORBIDDEN.has(part))) throw new AppError('bad_request');
    const values = flat.get(name);
    if (values === undefined) flat.set(name, [value]);
    else values.push(value);
  }
  const single = [...flat].map(([name, values]) => [name, values.length === 1 ? values[0] : values] as const);
  try {
    // Given an object, the library only does the nesting; its types know texts alone.
    return qs.parse(Object.fromEntries(single) as Record<string, string>, {
      depth: FORM_DEPTH,
      strictDepth: true,
      arrayLimit: FORM_LIST,
    });
  } catch {
    throw new AppError('bad_request');
  }
}

/** Members of a query, flat; of a name that comes twice the last one counts. A secret in a query is refused (`api.md` §1.1). */
export function readQuery(url: string): Record<string, string> {
  const mark = url.indexOf('?');
  const members: Record<string, string> = Object.create(null) as Record<string, string>;
  if (mark < 0) return members;
  for (const [name, value] of pairsOf(url.slice(mark + 1))) {
    if (partsOf(name).some((part) => FORBIDDEN.has(part) || SECRETS.has(part.toLowerCase()))) {
      throw new AppError('bad_request');
    }
    members[name] = value;
  }
  return members;
}

/** Refuses forbidden names and absurd nesting anywhere below. Not recursive: the depth is the sender's choice. */
export function refuseForbiddenNames(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH) throw new AppError('bad_request');
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const name of Object.keys(value)) if (FORBIDDEN.has(name)) throw new AppError('bad_request');
      for (const member of Object.values(value)) if (typeof member === 'object') below.push(member);
    }
    level = below;
  }
}
