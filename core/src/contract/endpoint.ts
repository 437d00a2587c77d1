/** The HTTP API as data, one literal for each call, for server, client and OpenAPI. */
import type * as z from 'zod/mini';
import type { GroupAction } from '../domain/policy.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `self-or-…`: the person `:id` of the path or a site role. `GroupAction`: a role in the group `:g`. */
export type Access =
  | 'anyone'
  | 'signed-in'
  | 'self-or-site-admin'
  | 'self-or-site-reader'
  | 'site-admin'
  | 'site-reader'
  | GroupAction;

export const SCOPES = ['read', 'write', 'offline'] as const;
export type Scope = (typeof SCOPES)[number];

/** `/entryGroups/:g/entries/:e` → `'g' | 'e'`. */
export type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Params<Path extends string> = { readonly [Name in ParamName<Path>]: string };

type Schema = z.core.$ZodType;

interface SingleBody {
  readonly schema: Schema;
}

/** `sealed` is encrypted by the client; the presence of the member `marker` selects it. */
interface TwoFormBody {
  readonly plain: Schema;
  readonly sealed: Schema;
  /** `null`: the header `X-PB-Proof` selects `sealed`. */
  readonly marker: string | null;
}

interface FreshMembers {
  readonly changingAnother: readonly string[];
  readonly changingOwnWithFactor: readonly string[];
}

/** The parts of an endpoint that a client needs to send a request. */
export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly query?: Schema;
  readonly body?: SingleBody | TwoFormBody;
  /** Token scope; `null`: any. Default: `read` for GET, otherwise `write`; none where anyone may call. */
  readonly scope?: Scope | null;
  /**
   * Requires a sign-in or `confirmPassword` of the last ten minutes. `or-proof`: or a proof of the keyring.
   * `without-keys`: only if the account has no keys. `with-factor`: only if it has a second factor.
   * `changingAnother`: only to change these members of another account. `changingOwnWithFactor`: only to change these
   * of the caller's account with a second factor.
   */
  readonly fresh?: true | 'or-proof' | 'without-keys' | 'with-factor' | FreshMembers;
  /** A service account may call it. It may also call each GET that needs the role of a member. */
  readonly service?: true;
  /** Refuses tokens. */
  readonly browserOnly?: true;
  /** Also works in a session that must set up a second factor first. Calls for `anyone` always do. */
  readonly whileRestricted?: true;
  /** Requires a proof that the keyring is open if no master password is sent. */
  readonly proof?: true;
  /** All other calls except GET return 507 while the disk is nearly full. */
  readonly worksOnFullDisk?: true;
  /** May use the whole disk reserve. */
  readonly makesRoom?: true;
  /** `X-Operation-Id` names the operation to undo. */
  readonly undoable?: true;
  /** The response has an `ETag`. */
  readonly conditional?: true;
  /** `Link` names the first and the next page. */
  readonly paged?: true;
  /** Names of multipart file parts; `*`: any. Others are ignored. */
  readonly files?: readonly string[];
  /** Maximum bytes of a multipart body or unparsed JSON; default `LIMITS.bodyBytes`. */
  readonly bodyLimit?: number;
  /**
   * Maximum bytes of a parsed body or of all multipart texts; default `LIMITS.bodyBytes`. Keep it small: it
   * blocks while it is parsed.
   */
  readonly jsonLimit?: number;
  /** Path parameters that are not UUIDs. */
  readonly textParams?: readonly string[];
  readonly answer: Answer;
}

export interface Endpoint extends Call {
  readonly summary: string;
}

interface Answer {
  readonly status: 200 | 201 | 204;
  readonly schema?: Schema;
  readonly type?: string;
}

export type QueryOf<E extends Call> = E extends { query: infer S extends Schema } ? z.output<S> : undefined;
export type QueryInput<E extends Call> = E extends { query: infer S extends Schema } ? z.input<S> : undefined;

/** The sealed form if there are two. */
export type BodyOf<E extends Call> = E extends { body: { sealed: infer S extends Schema } }
  ? z.output<S>
  : E extends { body: { schema: infer S extends Schema } }
    ? z.output<S>
    : undefined;
export type PlainBodyOf<E extends Call> = E extends { body: { plain: infer S extends Schema } }
  ? z.output<S>
  : undefined;
export type AnswerOf<E extends Call> = E extends { answer: { schema: infer S extends Schema } }
  ? z.output<S>
  : undefined;

/** An endpoint without `access` does not compile. */
export function endpoint<const E extends Endpoint>(literal: E): E {
  return literal;
}

/** An endpoint without summary and schemas, for the sign-in page; `endpoint` adds them for the contract. */
export function call<const C extends Call>(literal: C): C {
  return literal;
}

export function scopeOf({ scope, access, method }: Pick<Endpoint, 'scope' | 'access' | 'method'>): Scope | null {
  if (scope !== undefined) return scope;
  if (access === 'anyone') return null;
  return method === 'GET' ? 'read' : 'write';
}

export function fillPath<const P extends string>(path: P, params: Params<P>): string {
  const values = params as Readonly<Record<string, string>>;
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

export const BASE = '/passwordBroker/api';
export const GROUP = `${BASE}/entryGroups/:g` as const;
export const ENTRY = `${GROUP}/entries/:e` as const;
export const FIELD = `${ENTRY}/fields/:f` as const;
