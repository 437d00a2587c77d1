/** The process that alone holds keys. `pb unlock` starts it; it ends when the vault locks. */
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createNodeClient } from '../engine/node-platform.ts';
import { systemClipboard } from '../engine/clipboard.ts';
import type { Asked } from '../engine/node-platform.ts';
import { operationsOf } from '../engine/operations.ts';
import { openStateFolder } from '../engine/state-folder.ts';
import { EXIT, failureOf, NOT_SIGNED_IN } from '../failure.ts';
import { VERSION } from '@passwordbroker/core/contract/client';
import { type Progress, type Question, receive, type Reply, send } from './frames.ts';
import type { AgentAddress, AgentNote } from './agent-address.ts';
import { isAnswering } from './connect.ts';

/** The vault locks at the latest after this, however much it is used. */
const LONGEST_MS = 12 * 60 * 60 * 1000;
/** An agent that was not unlocked by then ends: the command that started it is gone. */
const UNUSED_MS = 120_000;

/** Commands that wait for their person are cut off after this. */
const GRACE_MS = 500;

const WATCH_MS = 2000;

const REST_MS = 1000;

function isNoted(note: AgentNote, address: AgentAddress): boolean {
  try {
    return note.has(address);
  } catch {
    return false;
  }
}

/** Serves until the vault locks; returns at once if an agent runs. The process may end then. */
export async function runAgent(note: AgentNote): Promise<void> {
  // With a listener of its own, a signal does not open Node's debugger.
  process.on('SIGUSR1', () => undefined);
  const address = note.offer();
  const client = createNodeClient(openStateFolder(note.state));
  const clipboard = systemClipboard();
  const operations = operationsOf(client, clipboard);

  const server = createServer((socket) => void serve(socket).catch(() => socket.destroy()));
  const sockets = new Set<Socket>();
  const ended = new Promise<void>((resolve) => server.once('close', resolve));
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    clearTimeout(unused);
    clearInterval(watch);
    client.keyring.lock();
    note.release(address);
    server.close();
    for (const socket of sockets) socket.end();
    setTimeout(() => sockets.forEach((socket) => socket.destroy()), GRACE_MS);
  };
  const unused = setTimeout(end, UNUSED_MS);
  // Two that started at once may both have taken the place of one that was killed; or the folder is gone.
  const watch = setInterval(() => {
    if (!isNoted(note, address)) end();
  }, WATCH_MS);
  client.keyring.onOpened(() => {
    clearTimeout(unused);
    setTimeout(end, LONGEST_MS).unref();
  });
  // The reply to the front that locks goes out first.
  client.keyring.onLocked(() => setTimeout(end, 100));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, end);

  let rest: NodeJS.Timeout | undefined;
  /** Frees the memory of the derivation and of large answers once nothing was asked for a moment. */
  const restSoon = () => {
    clearTimeout(rest);
    rest = setTimeout(() => globalThis.gc?.(), REST_MS);
  };

  async function serve(socket: Socket) {
    sockets.add(socket);
    const gone = new AbortController();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      gone.abort();
    });
    const messages = receive(socket);
    const { value: hello } = await messages.next();
    if ((hello as { front?: unknown } | undefined)?.front !== address.front) return socket.destroy();
    await send(socket, { version: VERSION, agent: address.agent });
    let cancelling = new AbortController();
    // One operation at a time; meanwhile it can be cancelled.
    let working = Promise.resolve();
    for await (const question of messages) {
      const asked = question as Question;
      if ('stop' in asked) {
        await send(socket, { value: null } satisfies Reply);
        return end();
      }
      if ('cancel' in asked) {
        cancelling.abort();
        continue;
      }
      client.touch();
      cancelling = new AbortController();
      const signal = AbortSignal.any([cancelling.signal, gone.signal]);
      const onProgress = paced((progress) => {
        client.touch();
        if (!signal.aborted) void send(socket, { progress } satisfies Progress).catch(() => undefined);
      });
      working = working
        .then(() => answer(asked, { signal, gone: gone.signal, onProgress }))
        .then((reply) => send(socket, reply))
        .catch(() => {
          socket.destroy();
          // The person has ended the command that asked for the master password.
          if (asked.name === 'unlock') end();
        })
        .finally(restSoon);
    }
  }

  async function answer({ name, input }: Extract<Question, { name: unknown }>, asked: Asked): Promise<Reply> {
    if (!Object.hasOwn(operations, name))
      return {
        failure: {
          exit: EXIT.otherVersion,
          code: 'other_version',
          message: 'The agent is of another version. Run: pb lock',
        },
      };
    const operation = operations[name] as (input: unknown, asked: Asked) => Promise<unknown>;
    try {
      return { value: (await operation(input, asked)) ?? null };
    } catch (error) {
      const failure = failureOf(error);
      // The end of the session locks the vault: a part of the operation may know only that.
      const isSignedOut = failure.exit === EXIT.locked && client.session.view().status === 'login';
      return { failure: isSignedOut ? SIGNED_OUT : failure };
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.path, resolve);
  });
  if (process.platform !== 'win32') chmodSync(address.path, 0o600);
  if (!(await note.claim(address, isAnswering))) end();
  await ended;
  await clipboard.end();
}

const SIGNED_OUT = { exit: EXIT.notSignedIn, code: 'unauthenticated', message: NOT_SIGNED_IN } as const;

const PACE_MS = 100;

/** Leaves out calls that follow too soon. */
function paced(tell: Asked['onProgress']): Asked['onProgress'] {
  let last = 0;
  return (work) => {
    const now = Date.now();
    if (now - last < PACE_MS) return;
    last = now;
    tell(work);
  };
}
