/** `on(endpoint, handler)`: ties what the contract says to what the server does. `dispatch.ts` runs it. */
import type { AnswerOf, BodyOf, Endpoint, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Answer, Media, NotModified, SealedForm, WrittenJson } from './answer/answer.ts';
import type { ReceivedBody } from './body/body.ts';
import type { Actor, Context, RequestContext } from './context.ts';
import type { FieldTexts } from './validation.ts';

type Answers<E extends Endpoint> = AnswerOf<E> | Answer<AnswerOf<E>> | Media | NotModified | WrittenJson;
type Handler<E extends Endpoint, Body> = (context: Context<E, Body>) => Promise<Answers<E>> | Answers<E>;

/** The body of the call that carries a master password. */
type PlainOf<E extends Endpoint> = E extends { body: { plain: unknown } } ? PlainBodyOf<E> : BodyOf<E>;

/**
 * Handlers by form (docs/spec/api.md §1.5). `plain` opens the caller's keys on the server: while that is switched off it is refused before anything
 * else. It answers by itself, or hands a sealed body on with `sealedForm(body)`.
 */
type Forms<E extends Endpoint> = E extends { body: { sealed: unknown } }
  ? {
      readonly sealed: Handler<E, BodyOf<E>>;
      readonly plain: (
        context: Context<E, PlainOf<E>>,
      ) => Promise<Answers<E> | SealedForm<BodyOf<E>>> | Answers<E> | SealedForm<BodyOf<E>>;
    }
  : { readonly plain: Handler<E, PlainOf<E>> };

/** Who may send files to the disk. Each is asked once, before anything of them is written. */
interface SpoolRule {
  /** With the members that came before the file (all of them, where it is small). Throws 403, 429. */
  readonly admit: (request: RequestContext, members: ReceivedBody['members']) => Promise<void>;
  /** When there is a place and room for them. Throws 429. */
  readonly count: (request: RequestContext) => Promise<void>;
}

export interface RefusedBody {
  readonly members: ReceivedBody['members'];
  readonly params: Readonly<Record<string, string>>;
  /** By error key. */
  readonly found: FieldTexts;
}

export interface RouteOptions {
  /** Who may call, and with which headers, where the contract's word is not enough. Throws 400, 401, 403 or 404; runs before the body is looked at. */
  readonly permit?: (request: RequestContext, params: Readonly<Record<string, string>>) => Promise<void>;
  /** Nothing of the caller's is at stake: no cookie counts or is set. */
  readonly needsNoCsrf?: (members: ReceivedBody['members']) => boolean;
  /** What the caller has to bring beside his role, in the body or its head. Throws 403; runs before anything is validated. */
  readonly demand?: (request: RequestContext, members: ReceivedBody['members']) => Promise<void>;
  /** Asked before a large body is read, when the caller may send it. @param announced bytes of the whole body; 0 where it does not say. Throws 507. */
  readonly admitsBody?: (request: RequestContext, announced: number) => Promise<void>;
  /** The sealed form is too large for the event loop: it is neither parsed nor validated, the handler finds it in `unread`. */
  readonly leavesJsonUnread?: true;
  /** The files that the endpoint names are too large for the memory: the handler finds them on the disk, in `spooled`. */
  readonly spoolsFiles?: SpoolRule;
  /** Also served while a recovery runs, which everybody else has to wait for. */
  readonly duringRecovery?: true;
  /** What is wrong with a body of the plain form beyond its schema, so that everything is told at once. */
  readonly plainTexts?: (body: Pick<ReceivedBody, 'members' | 'files'>, actor: Actor | null) => FieldTexts;
  /**
   * What else is wrong with a body that its schema refuses, so that everything is told at once; the schema's own texts win. The handler judges the bodies
   * that the schema takes.
   */
  readonly tellMore?: (request: RequestContext, refused: RefusedBody) => Promise<FieldTexts>;
  /** Error keys that differ from the member's place. */
  readonly errorKeys?: Readonly<Record<string, string>>;
}

type LooseHandler = (context: unknown) => unknown;

/** One mounted call, its types forgotten. */
export interface Route {
  readonly endpoint: Endpoint;
  /** The only handler, or that of the sealed form. */
  readonly sealed: LooseHandler | null;
  readonly plain: LooseHandler | null;
  readonly options: RouteOptions;
}

/** One call of the contract with its handler; two handlers where the body has two forms. */
export function on<const E extends Endpoint>(
  endpoint: E,
  handlers: (E extends { body: { sealed: unknown } } ? never : Handler<E, BodyOf<E>>) | Forms<E>,
  options: RouteOptions = {},
): Route {
  if (typeof handlers === 'function') return { endpoint, sealed: handlers as LooseHandler, plain: null, options };
  const forms = handlers as { sealed?: LooseHandler; plain: LooseHandler };
  return { endpoint, sealed: forms.sealed ?? null, plain: forms.plain, options };
}
