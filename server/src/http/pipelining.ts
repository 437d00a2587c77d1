import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Queued requests of one connection; beyond it the connection is closed. No browser or proxy reaches it. */
const MOST = 64;

/**
 * Serves pipelined requests of a connection one after the other: thousands fit into one packet and would
 * delay everyone else (T140). Call it after the request listeners are added.
 */
export function serveOneAtATime(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  /** Queues of connections with a request in progress. */
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
