/**
 * The HTTP API as data: one literal for each call. The server mounts, authorises and validates from
 * it, the client takes its types from it, and OpenAPI is generated from it.
 */
import type * as z from 'zod/mini';
import type { GroupAction } from '../domain/policy.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Required right of the caller. `self-or-…`: the person `:id` of the path or a role of the site. A
 * group action: a role in the group `:g` that allows it. Site readers are site admins and auditors
 * (I14).
 */
export type Access =
  'anyone' | 'signed-in' | 'self-or-site-admin' | 'self-or-site-reader' | 'site-admin' | 'site-reader' | GroupAction;

/** Scopes of a bearer token. */
export const SCOPES = ['read', 'write', 'offline'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Parameter names of a path template: `/entryGroups/:g/entries/:e` → `'g' | 'e'`. UUIDs by default.
 */
export type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Params<Path extends string> = { readonly [Name in ParamName<Path>]: string };

type Schema = z.core.$ZodType;

/** A body with a single form. */
interface SingleBody {
  readonly schema: Schema;
}

/**
 * A body with two forms: `plain` carries `master_password`, `sealed` is encrypted
 * by the client. The presence of the member `marker` selects `sealed`.
 */
interface TwoFormBody {
  readonly plain: Schema;
  readonly sealed: Schema;
  /** `null`: the body has no sealed members; the header `X-PB-Proof` is the marker. */
  readonly marker: string | null;
}

export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: Schema;
  readonly body?: SingleBody | TwoFormBody;
  /**
   * Required scope of a token; `null`: any. Default: `read` for GET, `write` otherwise; none where
   * anyone may call.
   */
  readonly scope?: Scope | null;
  /**
   * Requires the account password in the last ten minutes. `or-proof`: or a proof of the keyring.
   * `without-keys`: only for accounts without keys, instead of a proof. `changingAnother`: only to
   * change these members of another account.
   */
  readonly fresh?: true | 'or-proof' | 'without-keys' | { readonly changingAnother: readonly string[] };
  /** Requires a proof that the keyring is open if no master password is sent. */
  readonly proof?: true;
  /** Works while the server's disk is nearly full. All other calls except GET return 507 then. */
  readonly worksOnFullDisk?: true;
  /** Frees disk space: members may use the whole reserve for it too. */
  readonly makesRoom?: true;
  /** The operation can be undone; the response header `X-Operation-Id` names it. */
  readonly undoable?: true;
  /**
   * The response has an `ETag`; a request whose `If-None-Match` names it gets 304 without a body.
   */
  readonly conditional?: true;
  /**
   * A paginated list: the response header `Link` names the first and, if there is one, the next
   * page.
   */
  readonly paged?: true;
  /** Allowed names of multipart file parts; `*` allows any. Absent: file parts are ignored. */
  readonly files?: readonly string[];
  /**
   * Maximum bytes of a multipart body, or of JSON that is stored unparsed; default
   * `LIMITS.bodyBytes`.
   */
  readonly bodyLimit?: number;
  /**
   * Maximum bytes of a JSON or urlencoded body, and of all multipart texts; default
   * `LIMITS.bodyBytes`. Keep it small: the body is parsed at once.
   */
  readonly jsonLimit?: number;
  /** Path parameters that are no UUIDs (invite tokens). */
  readonly textParams?: readonly string[];
  readonly answer: Answer;
}

interface Answer {
  readonly status: 200 | 201 | 204;
  /** Schema of the JSON response; absent for 204 and other media types. */
  readonly schema?: Schema;
  /** Media type if it is not JSON. */
  readonly type?: string;
}

export type QueryOf<E extends Endpoint> = E extends { query: infer S extends Schema } ? z.output<S> : undefined;
export type QueryInput<E extends Endpoint> = E extends { query: infer S extends Schema } ? z.input<S> : undefined;

/** The body that the handler gets: the sealed form if there are two. */
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

/** Keeps the literal types of an endpoint. An endpoint without `access` does not compile. */
export function endpoint<const E extends Endpoint>(literal: E): E {
  return literal;
}

/** Scope that a token needs for the call; null if none. */
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
