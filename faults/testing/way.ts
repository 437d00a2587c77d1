/**
 * A TCP proxy between two programs of this machine that can cut, stall and slow down connections
 * like a network.
 */
import { connect, createServer, type Socket } from 'node:net';

export interface Way {
  /** Port on which it listens. */
  readonly port: number;
  /** Sets the target ports, used in turn; skips a port that refuses. */
  leadTo(...ports: readonly number[]): void;
  /** Forwards everything (again), including stalled data. */
  pass(): void;
  /** Stalls all data silently, as if a host had vanished or packets were lost in one direction. */
  hold(direction?: 'both' | 'there' | 'back'): void;
  /** Delays all data by that time. */
  slow(ms: number): void;
  /** Closes every connection and accepts none. */
  cut(): void;
  /** Closes every new connection after that number of bytes. */
  cutAfter(bytes: () => number): void;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function openWay(...ports: readonly number[]): Promise<Way> {
  let ends = ports;
  let turn = 0;
  let state = { there: true, back: true, delay: 0, isCut: false };
  let allowance: () => number = () => Infinity;
  const pairs = new Set<Pair>();

  const pump = (from: Socket, to: Socket, direction: 'there' | 'back', left: { bytes: number }) => {
    from.on('data', (chunk: Buffer) => {
      left.bytes -= chunk.length;
      const arrives = left.bytes < 0 ? chunk.subarray(0, Math.max(0, chunk.length + left.bytes)) : chunk;
      const pass = () => {
        if (!to.destroyed) to.write(arrives);
        if (left.bytes < 0) for (const socket of [from, to]) socket.destroySoon();
      };
      if (state.delay > 0) setTimeout(pass, state.delay);
      else pass();
    });
    if (!state[direction]) from.pause();
  };
  const join = (near: Socket, [end, ...others]: readonly number[]) => {
    if (state.isCut || end === undefined) return void near.destroy();
    const far = connect(end, '127.0.0.1');
    const pair = { near, far };
    far.once('connect', () => {
      pairs.add(pair);
      const left = { bytes: allowance() };
      pump(near, far, 'there', left);
      pump(far, near, 'back', left);
      far.once('close', () => near.destroy());
      near.once('close', () => {
        pairs.delete(pair);
        far.destroy();
      });
    });
    far.once('error', () => (pairs.has(pair) ? near.destroy() : join(near, others)));
  };
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    turn += 1;
    const first = turn % Math.max(1, ends.length);
    join(near, [...ends.slice(first), ...ends.slice(0, first)]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The way has no port');
  const apply = () => {
    for (const { near, far } of pairs) {
      if (state.there) near.resume();
      else near.pause();
      if (state.back) far.resume();
      else far.pause();
    }
  };
  const end = () => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  };
  return {
    port: address.port,
    leadTo(...others) {
      ends = others;
    },
    pass() {
      state = { there: true, back: true, delay: 0, isCut: false };
      allowance = () => Infinity;
      apply();
    },
    hold(direction = 'both') {
      state = { ...state, there: direction === 'back', back: direction === 'there' };
      apply();
    },
    slow(ms) {
      state = { ...state, delay: ms };
    },
    cut() {
      state = { ...state, isCut: true };
      end();
    },
    cutAfter(bytes) {
      allowance = bytes;
      end();
    },
    close() {
      end();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
