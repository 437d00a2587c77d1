/** How long a connection may be silent, and how slow (docs/spec/threats.md §3.1.24): while bytes are due from the other side, not while we work. */
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

const socketOf = ({ raw }: FastifyRequest): Socket | null => (raw.socket instanceof Socket ? raw.socket : null);

/** The body is here: what now takes time, a queue or the work itself, is not the caller's silence. */
export function allowSilence(request: FastifyRequest): void {
  socketOf(request)?.setTimeout(0);
}

/** The answer leaves: whoever does not take it ends as anyone who stalls. */
export function endSilence(request: FastifyRequest): void {
  socketOf(request)?.setTimeout(request.server.server.timeout);
}

/** Bytes a second of a body; who sends less for as long as a silence may last is dripping. */
const LEAST_PACE = 1024;
/** How often it is looked at while a silence may last. */
const LOOKS = 30;

/**
 * From now on a body is due. Bytes that come one by one would never be a silence: who stays behind the least pace by as much as a silence may last
 * is cut off (T55). What waits for us, on a slow disk say, is not held against the sender.
 * @returns how to end it, once the body is there
 */
export function demandPace(request: FastifyRequest): () => void {
  const socket = socketOf(request);
  const { timeout } = request.server.server;
  if (socket === null || timeout === 0) return () => {};
  // All of it is here: the time that it takes now is ours, and no silence either.
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
