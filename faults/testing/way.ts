/** A way between two programs of this machine that can be cut, held up and slowed down: what a network does to them. */
import { connect, createServer, type Socket } from 'node:net';

export interface Way {
  /** Where one end of it is. */
  readonly port: number;
  /** Where new connections come out: at these ports in turn, at the next one where nobody answers. */
  leadTo(...ports: readonly number[]): void;
  /** Everything arrives (again), also what was held up. */
  pass(): void;
  /** Nothing arrives any more, and nobody is told: as when a host vanishes, or packets are lost in one direction. */
  hold(direction?: 'both' | 'there' | 'back'): void;
  /** What is sent arrives that much later. */
  slow(ms: number): void;
  /** Every connection ends, and none is taken. */
  cut(): void;
  /** Every new connection ends after so many bytes. */
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
