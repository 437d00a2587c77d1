/** Limits slow, pipelined and numerous connections. */
import { Socket } from 'node:net';
import type { FastifyRequest, FastifyReply } from 'fastify';
import type { RequestListener, Server } from 'node:http';
import { AppError } from '@passwordbroker/core/contract/problem';
import { isTrustedProxy, networkOf } from '../platform/networks.ts';
import type { Deps } from './context.ts';

const socketOf = ({ raw }: FastifyRequest): Socket | null => (raw.socket instanceof Socket ? raw.socket : null);

export function allowSilence(request: FastifyRequest): void {
  socketOf(request)?.setTimeout(0);
}

export function endSilence(request: FastifyRequest): void {
  socketOf(request)?.setTimeout(request.server.server.timeout);
}

/** Bytes per second. */
const LEAST_PACE = 1024;
const LOOKS = 30;

/** Closes a connection whose body lags the minimum speed by the timeout. Returns a function that stops the check. */
export function demandPace(request: FastifyRequest): () => void {
  const socket = socketOf(request);
  const { timeout } = request.server.server;
  if (socket === null || timeout === 0) return () => {};
  const isHere = () => {
    if (request.raw.complete) allowSilence(request);
    return request.raw.complete;
  };
  if (isHere()) return () => {};
  const look = timeout / LOOKS;
  let left = timeout;
  let seen = socket.bytesRead;
  const watch = setInterval(() => {
    if (isHere() || request.raw.readableLength > 0) return;
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    left = Math.min(timeout, left - look + (arrived / LEAST_PACE) * 1000);
    if (left <= 0) socket.destroy();
  }, look);
  watch.unref();
  return () => clearInterval(watch);
}

/** More than any browser or proxy needs. */
const MOST = 64;

/**
 * Serves pipelined requests one by one: thousands in a packet delay only their sender. Wraps the present
 * listeners.
 */
export function serveOneAtATime(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  /** Requests behind one in progress. */
  const lines = new WeakMap<Socket, (() => void)[]>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (line !== undefined && line.length >= MOST) return void socket.destroy();
    const serve = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : lines.get(socket)?.shift();
        if (next === undefined) lines.delete(socket);
        else setImmediate(next);
      });
      for (const listener of listeners) listener(request, response);
    };
    if (line !== undefined) return void line.push(serve);
    lines.set(socket, []);
    serve();
  });
}

const SECOND = 1000;
/** For a 503 to a connection over the limit. */
const TOLD_WITHIN = SECOND;
const WARN_EVERY = 60 * SECOND;
const RETRY_SECONDS = 5;
/** All `TRUST_PROXY` connections, never closed for others. */
const PROXIES = 'proxies';

interface Owner {
  readonly open: Set<Socket>;
  served: number;
}

/**
 * Limits connections in total and per address, and requests per address behind a trusted proxy.
 * @returns a check that throws `unavailable`
 */
export function limitConnections(
  server: Server,
  deps: Pick<Deps, 'config' | 'log'>,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { config, log } = deps;
  const { maxConnections, maxConnectionsPerAddress, trustProxy, hasUnnamedProxy } = config;
  const owners = new Map<string, Owner>();
  const refused = new WeakSet<Socket>();
  let open = 0;

  const drop = (name: string, owner: Owner, socket: Socket) => {
    if (!owner.open.delete(socket)) return;
    open -= 1;
    if (!refused.has(socket)) owner.served -= 1;
    if (owner.open.size === 0) owners.delete(name);
    socket.destroy();
  };

  /** Closes the busiest address's oldest connection; false if the newcomer has as many. */
  const makeRoom = (newcomer: string): boolean => {
    const own = newcomer === PROXIES ? 0 : (owners.get(newcomer)?.open.size ?? 0);
    let [name, most]: [string, Owner | undefined] = ['', undefined];
    for (const [other, owner] of owners) {
      if (other !== PROXIES && owner.open.size > Math.max(own, most?.open.size ?? 0)) [name, most] = [other, owner];
    }
    const [oldest] = most?.open ?? [];
    if (most === undefined || oldest === undefined) return false;
    drop(name, most, oldest);
    return true;
  };

  const warnings = { all: -Infinity, address: -Infinity };
  const warn = (about: keyof typeof warnings, members: object, text: string) => {
    if (performance.now() < warnings[about] + WARN_EVERY) return;
    warnings[about] = performance.now();
    log.warn(members, text);
  };

  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const isProxy = hasUnnamedProxy || isTrustedProxy(trustProxy, address);
    const name = isProxy ? PROXIES : networkOf(address);
    if (open >= maxConnections) {
      warn(
        'all',
        { count: open },
        'too many connections (MAX_CONNECTIONS): those of the addresses with most are closed',
      );
      if (!makeRoom(name)) return socket.destroy();
    }
    const owner = owners.get(name) ?? { open: new Set(), served: 0 };
    owners.set(name, owner);
    owner.open.add(socket);
    open += 1;
    socket.once('close', () => drop(name, owner, socket));
    if (!isProxy && owner.served >= maxConnectionsPerAddress) {
      const members = { address, count: owner.served };
      warn('address', members, 'too many connections of one address (MAX_CONNECTIONS_PER_ADDRESS): new ones get 503');
      refused.add(socket);
      const fuse = setTimeout(() => socket.destroy(), TOLD_WITHIN).unref();
      socket.once('close', () => clearTimeout(fuse));
    } else {
      owner.served += 1;
    }
  });

  const refuse = (reply: FastifyReply): never => {
    reply.header('connection', 'close');
    throw new AppError('unavailable', { retryAfter: RETRY_SECONDS });
  };

  const unfinished = new Map<string, number>();
  const add = (name: string, count: number) => {
    const sum = (unfinished.get(name) ?? 0) + count;
    if (sum === 0) unfinished.delete(name);
    else unfinished.set(name, sum);
  };

  return ({ raw: { socket }, ip }, reply) => {
    if (!(socket instanceof Socket)) return;
    if (refused.has(socket)) refuse(reply);
    if (!isTrustedProxy(trustProxy, socket.remoteAddress ?? '')) return;
    const name = networkOf(ip);
    if ((unfinished.get(name) ?? 0) >= maxConnectionsPerAddress) {
      const members = { address: ip, count: maxConnectionsPerAddress };
      warn('address', members, 'too many requests of one address (MAX_CONNECTIONS_PER_ADDRESS): new ones get 503');
      refuse(reply);
    }
    add(name, 1);
    reply.raw.once('close', () => add(name, -1));
  };
}
