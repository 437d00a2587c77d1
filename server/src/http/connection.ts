/** Timeout and minimum speed while the client sends; neither applies while the server works. */
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

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

/**
 * Closes a connection whose body falls behind the minimum speed by as much as the timeout (T55). Returns a
 * function that stops the check.
 */
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
