/**
 * The HTTP API as data. One literal says, per call: method, path, who may call it, what goes in, what comes out. The server
 * mounts, authorises, validates and shapes the answer from it; the client calls with its types; OpenAPI is printed from it.
 */
import type * as z from 'zod/mini';
import type { GroupAction } from '../domain/policy.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Anyone; a person who is signed in; the person `:id` of the path, or somebody with a role of the site; a role of the site alone; or a role in the group
 * `:g` of the path that allows the action. Site readers are site admins and auditors (decision I14).
 */
export type Access =
  'anyone' | 'signed-in' | 'self-or-site-admin' | 'self-or-site-reader' | 'site-admin' | 'site-reader' | GroupAction;

/** What a bearer token may be for. */
export const SCOPES = ['read', 'write', 'offline'] as const;
export type Scope = (typeof SCOPES)[number];

/** Names in a path template, each a UUID unless the endpoint says otherwise: `/entryGroups/:g/entries/:e` → `'g' | 'e'`. */
export type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Params<Path extends string> = { readonly [Name in ParamName<Path>]: string };

type Schema = z.core.$ZodType;

/** A body of one form. */
interface SingleBody {
  readonly schema: Schema;
}

/**
 * A body of two forms (`api.md` §1.5): `plain` carries `master_password`, `sealed` comes from a client that seals by itself and
 * is recognised by the presence of its `marker` member.
 */
interface TwoFormBody {
  readonly plain: Schema;
  readonly sealed: Schema;
  /** `null`: nothing is sealed, the header `X-PB-Proof` is the marker. */
  readonly marker: string | null;
}

export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: Schema;
  readonly body?: SingleBody | TwoFormBody;
  /** What a token must be for; `null`: any will do. Absent: `read` for GET, `write` for the rest, nothing where anyone may call. */
  readonly scope?: Scope | null;
  /**
   * Needs the account password of the last ten minutes. `or-proof`: a proof of the open keyring does as well; `without-keys`: asked of an account without
   * keys in place of a proof; `changingAnother`: asked only to change these members of another account.
   */
  readonly fresh?: true | 'or-proof' | 'without-keys' | { readonly changingAnother: readonly string[] };
  /** Whoever brings no master password brings a proof that his keyring is open (`crypto.md` §15). */
  readonly proof?: true;
  /** Works while the disk of the server is nearly full. Every other call that is no GET answers 507 then. */
  readonly worksOnFullDisk?: true;
  /** Gives room on the disk back: a member, too, may take all of the reserve for it. */
  readonly makesRoom?: true;
  /** The act can be taken back: the answer's header `X-Operation-Id` names it. */
  readonly undoable?: true;
  /** A list by pages: the answer's header `Link` names the first one and, while there are older rows, the next one. */
  readonly paged?: true;
  /** Names of file parts of a multipart body; `*` admits any. Absent: file parts are ignored. */
  readonly files?: readonly string[];
  /** Bytes of a multipart body, or of JSON that the server leaves unread; default `LIMITS.bodyBytes`. */
  readonly bodyLimit?: number;
  /** Bytes of JSON, of a urlencoded body, and of all texts of a multipart one; default `LIMITS.bodyBytes`. Never large: it is parsed at once. */
  readonly jsonLimit?: number;
  /** Path parameters that are not UUIDs (invite tokens). */
  readonly textParams?: readonly string[];
  readonly answer: Answer;
}

interface Answer {
  readonly status: 200 | 201 | 204;
  /** Shape of a JSON answer; absent for 204 and for other media types. */
  readonly schema?: Schema;
  /** Media type where it is not JSON. */
  readonly type?: string;
}

export type QueryOf<E extends Endpoint> = E extends { query: infer S extends Schema } ? z.output<S> : undefined;
export type QueryInput<E extends Endpoint> = E extends { query: infer S extends Schema } ? z.input<S> : undefined;

/** The body as the handler sees it: always the sealed form where there are two. */
export type BodyOf<E extends Endpoint> = E extends { body: { sealed: infer S extends Schema } }
  ? z.output<S>
  : E extends { body: { schema: infer S extends Schema } }
    ? z.output<S>
    : undefined;
export type PlainBodyOf<E extends Endpoint> = E extends { body: { plain: infer S extends Schema } }
  ? z.output<S>
  : undefined;
export type AnswerOf<E extends Endpoint> = E extends { answer: { schema: infer S extends Schema } }
  ? z.output<S>
  : undefined;

/** Keeps the literal types of one endpoint; one that does not say who may call it does not compile. */
export function endpoint<const E extends Endpoint>(literal: E): E {
  return literal;
}

/** The scope that a token needs for the call; null for none. */
export function scopeOf({ scope, access, method }: Pick<Endpoint, 'scope' | 'access' | 'method'>): Scope | null {
  if (scope !== undefined) return scope;
  if (access === 'anyone') return null;
  return method === 'GET' ? 'read' : 'write';
}

/** `fillPath('/a/:g/b', {g: 'x'})` → `/a/x/b`. */
export function fillPath<const P extends string>(path: P, params: Params<P>): string {
  const values = params as Readonly<Record<string, string>>;
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

export const BASE = '/passwordBroker/api';
export const GROUP = `${BASE}/entryGroups/:g` as const;
export const ENTRY = `${GROUP}/entries/:e` as const;
export const FIELD = `${ENTRY}/fields/:f` as const;
