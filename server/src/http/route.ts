import type { AnswerOf, BodyOf, Endpoint, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Answer, Media, NotModified, SealedForm, WrittenJson } from './answer/answer.ts';
import type { ReceivedBody } from './body/body.ts';
import type { Actor, Context, RequestContext } from './context.ts';
import type { FieldTexts } from './validation.ts';

type Answers<E extends Endpoint> = AnswerOf<E> | Answer<AnswerOf<E>> | Media | NotModified | WrittenJson;
type Handler<E extends Endpoint, Body> = (context: Context<E, Body>) => Promise<Answers<E>> | Answers<E>;

type PlainOf<E extends Endpoint> = E extends { body: { plain: unknown } } ? PlainBodyOf<E> : BodyOf<E>;

/**
 * Handlers by form (docs/spec/api.md §1.5). `plain` uses the caller's keys on the server, so it is refused
 * first while that is switched off. It returns a result, or `sealedForm(body)` to continue with `sealed`.
 */
type Forms<E extends Endpoint> = E extends { body: { sealed: unknown } }
  ? {
      readonly sealed: Handler<E, BodyOf<E>>;
      readonly plain: (
        context: Context<E, PlainOf<E>>,
      ) => Promise<Answers<E> | SealedForm<BodyOf<E>>> | Answers<E> | SealedForm<BodyOf<E>>;
    }
  : { readonly plain: Handler<E, PlainOf<E>> };

/** Admission of spooled files; each function is called once, before anything is written. */
interface SpoolRule {
  /** Gets the preceding members (all of them for a small file). @throws AppError 403, 429 */
  readonly admit: (request: RequestContext, members: ReceivedBody['members']) => Promise<void>;
  /** Called once a place and disk space are free. @throws AppError 429 */
  readonly count: (request: RequestContext) => Promise<void>;
}

export interface RefusedBody {
  readonly members: ReceivedBody['members'];
  readonly params: Readonly<Record<string, string>>;
  /** By error key. */
  readonly found: FieldTexts;
}

export interface RouteOptions {
  /** Additional check of caller and headers before the body is read. @throws AppError 400, 401, 403 or 404 */
  readonly permit?: (request: RequestContext, params: Readonly<Record<string, string>>) => Promise<void>;
  /** Nothing of the caller is at stake: no cookie counts or is set. */
  readonly needsNoCsrf?: (members: ReceivedBody['members']) => boolean;
  /** Checks what the body or header must prove beside the role, before validation. @throws AppError 403 */
  readonly demand?: (request: RequestContext, members: ReceivedBody['members']) => Promise<void>;
  /** Called before a large body is read. @param announced Content-Length, 0 if absent @throws AppError 507 */
  readonly admitsBody?: (request: RequestContext, announced: number) => Promise<void>;
  /** The sealed form is too large for the event loop: the handler gets it unparsed in `unread`. */
  readonly leavesJsonUnread?: true;
  /** The endpoint's files are too large for memory: the handler gets them on disk in `spooled`. */
  readonly spoolsFiles?: SpoolRule;
  /** Also served while a recovery runs. */
  readonly duringRecovery?: true;
  /** Errors of a plain body beyond its schema, reported together. */
  readonly plainTexts?: (body: Pick<ReceivedBody, 'members' | 'files'>, actor: Actor | null) => FieldTexts;
  /** Additional errors of a body that its schema refuses, reported together; the schema's texts win. */
  readonly tellMore?: (request: RequestContext, refused: RefusedBody) => Promise<FieldTexts>;
  /** Error keys that differ from the member's path. */
  readonly errorKeys?: Readonly<Record<string, string>>;
}

type LooseHandler = (context: unknown) => unknown;

/** A mounted call without its types. */
export interface Route {
  readonly endpoint: Endpoint;
  /** The only handler, or that of the sealed form. */
  readonly sealed: LooseHandler | null;
  readonly plain: LooseHandler | null;
  readonly options: RouteOptions;
}

/** Binds an endpoint of the contract to its handler, or to one handler for each form. */
export function on<const E extends Endpoint>(
  endpoint: E,
  handlers: (E extends { body: { sealed: unknown } } ? never : Handler<E, BodyOf<E>>) | Forms<E>,
  options: RouteOptions = {},
): Route {
  if (typeof handlers === 'function') return { endpoint, sealed: handlers as LooseHandler, plain: null, options };
  const forms = handlers as { sealed?: LooseHandler; plain: LooseHandler };
  return { endpoint, sealed: forms.sealed ?? null, plain: forms.plain, options };
}
