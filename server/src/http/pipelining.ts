/** Serves the requests of one connection one after the other: thousands of them fit into one packet, and served at once they would keep all others waiting (T140). */
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait; a client with more is no browser or proxy, and its connection is closed. */
const MOST = 64;

/** Puts itself before the listeners that the server has for requests. */
export function serveOneAtATime(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  /** Of connections that are being served: what waits. */
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
