/** How long a connection may be silent (threats §3.1.24): while bytes are due from the other side, not while we work. */
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
