import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** No browser or proxy reaches it. */
const MOST = 64;

/**
 * Serves pipelined requests one by one: thousands fit into one packet and would delay everyone else (T140).
 * Wraps the present request listeners.
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
