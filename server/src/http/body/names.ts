import { AppError } from '@passwordbroker/core/contract/problem';

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const SECRETS = new Set(['master_password', 'password', 'value']);
const DEPTH = 64;
const FORM_DEPTH = 8;
const FORM_NAMES = 1000;

/** Name as sent: `user[email]`. */
export type Pair = readonly [name: string, value: string];

export const partsOf = (name: string) => name.split(/[[\]]+/).filter((part) => part !== '');

/** `+` stays `+`. @throws AppError `bad_request` for broken encoding or over 1,000 names */
export function pairsOf(text: string): Pair[] {
  let separators = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    separators += 1;
    if (separators > FORM_NAMES) throw new AppError('bad_request');
  }
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part);
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

type Tree = Map<string, string[] | Tree>;

/**
 * Nests `user[email]`, `entries[]`, `entries[0]` (docs/spec/api.md §1.1). Indices 0 to n-1 or repeated names
 * make a list.
 * @throws AppError `bad_request` beyond 1,000 names or 8 levels, for malformed or clashing names
 */
export function nest(pairs: readonly Pair[]): Record<string, unknown> {
  if (pairs.length > FORM_NAMES) throw new AppError('bad_request');
  const root: Tree = new Map();
  for (const [name, value] of pairs) put(root, pathOf(name), value);
  return Object.fromEntries([...root].map(([name, node]) => [name, valueOf(node)]));
}

/** `user[keys][]` → `['user', 'keys', '']`. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open < 0) return [allowed(name)];
  const path = [allowed(name.slice(0, open))];
  for (let at = open; at < name.length;) {
    const close = name.indexOf(']', at);
    if (name[at] !== '[' || close < 0 || path.length >= FORM_DEPTH) throw new AppError('bad_request');
    path.push(allowed(name.slice(at + 1, close)));
    at = close + 1;
  }
  return path;
}

function allowed(part: string): string {
  if (FORBIDDEN.has(part)) throw new AppError('bad_request');
  return part;
}

function put(root: Tree, path: readonly string[], value: string): void {
  let tree = root;
  for (const [at, part] of path.entries()) {
    // `[]` appends to the list.
    const name = part === '' && at > 0 ? String(tree.size) : part;
    const node = tree.get(name);
    if (at === path.length - 1) {
      if (node instanceof Map) throw new AppError('bad_request');
      if (node === undefined) tree.set(name, [value]);
      else node.push(value);
      return;
    }
    if (Array.isArray(node)) throw new AppError('bad_request');
    const below: Tree = node ?? new Map();
    if (node === undefined) tree.set(name, below);
    tree = below;
  }
}

function valueOf(node: string[] | Tree): unknown {
  if (Array.isArray(node)) return node.length === 1 ? node[0] : node;
  const isList = [...node.keys()].every((name) => /^(?:0|[1-9]\d{0,2})$/.test(name) && Number(name) < node.size);
  if (isList) return Array.from({ length: node.size }, (_, at) => valueOf(node.get(String(at)) ?? []));
  return Object.fromEntries([...node].map(([name, below]) => [name, valueOf(below)]));
}

/** The last of a repeated name wins. @throws AppError `bad_request` for secrets (docs/spec/api.md §1.1) */
export function readQuery(url: string): Record<string, string> {
  const mark = url.indexOf('?');
  const members: Record<string, string> = Object.create(null) as Record<string, string>;
  if (mark < 0) return members;
  for (const [name, value] of pairsOf(url.slice(mark + 1).replaceAll('+', ' '))) {
    if (partsOf(name).some((part) => FORBIDDEN.has(part) || SECRETS.has(part.toLowerCase()))) {
      throw new AppError('bad_request');
    }
    members[name] = value;
  }
  return members;
}

/** `\\u` escapes could hide a name. */
export const mayNameForbidden = (json: string): boolean =>
  json.includes('\\u') || [...FORBIDDEN].some((name) => json.includes(name));

/** Not recursive: the sender chooses the depth. @throws AppError `bad_request`, also for deep nesting */
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
