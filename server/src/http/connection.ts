/** Timeout and least speed of a connection while the client sends; neither counts while the server works. */
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

const socketOf = ({ raw }: FastifyRequest): Socket | null => (raw.socket instanceof Socket ? raw.socket : null);

/** Ends the timeout: the body is complete, and the rest is the server's work. */
export function allowSilence(request: FastifyRequest): void {
  socketOf(request)?.setTimeout(0);
}

/** Starts the timeout again while the answer is sent. */
export function endSilence(request: FastifyRequest): void {
  socketOf(request)?.setTimeout(request.server.server.timeout);
}

/** Bytes per second of a body. */
const LEAST_PACE = 1024;
/** Checks per timeout. */
const LOOKS = 30;

/**
 * Closes a connection whose body falls behind the least speed by as much as the timeout (T55). Time
 * in which the server does not read does not count.
 * @returns a function that stops the check
 */
export function demandPace(request: FastifyRequest): () => void {
  const socket = socketOf(request);
  const { timeout } = request.server.server;
  if (socket === null || timeout === 0) return () => {};
  // The body is complete: the remaining time is the server's.
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
