import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256Hex } from '../platform/ids-and-digests.ts';
import type { PathRows } from './auth/authorise.ts';
import { EMPTY, UnreadJson } from './body/body.ts';
import type { ReceivedBody } from './body/body.ts';
import type { Actor, AnswerHead, Deps, Origin, RequestContext } from './context.ts';
import { clientOf, cookiesCount } from './auth/session.ts';

export function originOf(request: FastifyRequest): Origin {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 400);
  return {
    address: request.ip,
    agentHash: userAgent === '' ? null : hashOfAgent(userAgent),
    userAgent,
    client: clientOf(request),
  };
}

/** Browsers repeat theirs with every request. */
const AGENTS_KEPT = 200;
const agents = new Map<string, string>();

function hashOfAgent(userAgent: string): string {
  const known = agents.get(userAgent);
  if (known !== undefined) return known;
  const hash = sha256Hex(userAgent);
  if (agents.size >= AGENTS_KEPT) agents.clear();
  agents.set(userAgent, hash);
  return hash;
}

interface Received {
  readonly actor: Actor | null;
  readonly origin: Origin;
  readonly body: ReceivedBody;
  readonly method: string;
  readonly url: string;
}

export function contextOf(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  received: Received,
): RequestContext {
  const { actor, origin, body, method, url } = received;
  const own = cookiesCount(deps, request);
  return {
    deps,
    actor,
    origin,
    requestId: request.id,
    head: answerHead(deps, reply, own),
    header(name) {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
    cookie: (name) => (own ? (request.cookies[name] ?? null) : null),
    isPlainForm: false,
    files: body.files,
    spooled: body.spooled ?? [],
    unread: body === EMPTY ? null : unreadOf(body),
    signal: () => signalOf(reply),
    method,
    wireMethod: request.method,
    url,
    bodyDigest: body.digest,
  };
}

interface Read {
  readonly query: unknown;
  readonly body: unknown;
  readonly isPlainForm: boolean;
}

/** Copies each member: spreading takes longer than all checks before. */
export function fullContext(context: RequestContext, { params, group, entry, field }: PathRows, read: Read) {
  const { deps, actor, origin, requestId, head, header, cookie, files, spooled, unread, signal } = context;
  const { method, wireMethod, url, bodyDigest } = context;
  const { query, body, isPlainForm } = read;
  return {
    deps,
    actor,
    origin,
    requestId,
    head,
    header,
    cookie,
    isPlainForm,
    files,
    spooled,
    unread,
    signal,
    method,
    wireMethod,
    url,
    bodyDigest,
    params,
    group,
    entry,
    field,
    query,
    body,
  } satisfies RequestContext & PathRows & Read;
}

const unreadOf = ({ members }: ReceivedBody): UnreadJson | null =>
  Object.values(members).find((member) => member instanceof UnreadJson) ?? null;

/** Sets no cookies if the request's are ignored: other ports of this host share them. */
function answerHead({ config }: Deps, reply: FastifyReply, cookies: boolean): AnswerHead {
  const secure = config.publicUrl.startsWith('https:');
  return {
    setHeader: (name, value) => void reply.header(name, value),
    setCookie(name, value, { httpOnly, maxAge }) {
      if (!cookies) return;
      const lifetime = maxAge === undefined ? {} : { maxAge };
      reply.setCookie(name, value, { path: '/', sameSite: 'strict', secure, httpOnly, ...lifetime });
    },
  };
}

function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed && !reply.raw.writableFinished) gone.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
