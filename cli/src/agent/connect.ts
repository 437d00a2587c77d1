/** The front's side of the agent. */
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import type { CallOptions, Engine, InputOf, OperationName, OutputOf } from '../engine/operations.ts';
import { CommandError, EXIT } from '../failure.ts';
import { VERSION } from '@passwordbroker/core/contract/client';
import { type Progress, type Question, receive, type Reply, send } from './frames.ts';
import type { AgentAddress, AgentNote } from './agent-address.ts';

export interface AgentEngine extends Engine {
  /** Ends the agent, also one of another version. */
  stop(): Promise<void>;
  readonly isOtherVersion: boolean;
}

/** Null if no agent runs. @throws CommandError if another account could have put it there */
export async function connectAgent(note: AgentNote): Promise<AgentEngine | null> {
  const address = note.read();
  const socket = address === null ? null : await opened(address.path);
  if (address === null || socket === null) return null;
  // An error ends `messages`, too.
  socket.on('error', () => undefined);
  const messages = receive(socket);
  const next = async (): Promise<Record<string, unknown>> => {
    const { done, value } = await messages.next().catch(() => ({ done: true, value: null }) as const);
    if (done === true) throw ended();
    return value as Record<string, unknown>;
  };
  const tell = (message: unknown) => send(socket, message).catch(() => Promise.reject(ended()));
  const late = setTimeout(() => socket.destroy(), HELLO_MS);
  await tell({ front: address.front });
  const hello = await next();
  clearTimeout(late);
  if (hello['agent'] !== address.agent) {
    socket.destroy();
    throw new CommandError(EXIT.notTrusted, 'agent', 'What answers is not the agent of pb.');
  }
  const ask = async (question: Question, { signal, onProgress }: CallOptions = {}): Promise<Reply> => {
    await tell(question);
    const cancel = () => void send(socket, { cancel: true } satisfies Question).catch(() => undefined);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      for (;;) {
        const answer = (await next()) as unknown as Reply | Progress;
        if (!('progress' in answer)) return answer;
        onProgress?.(answer.progress);
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
  return {
    isOtherVersion: hello['version'] !== VERSION,
    async call<Name extends OperationName>(
      name: Name,
      input: InputOf<Name>,
      options?: CallOptions,
    ): Promise<OutputOf<Name>> {
      const reply = await ask({ name, input: input ?? null }, options);
      if ('failure' in reply) {
        const { exit, code, message, ...told } = reply.failure;
        throw new CommandError(exit, code, message, told);
      }
      return reply.value as OutputOf<Name>;
    },
    async stop() {
      await ask({ stop: true }).catch(() => undefined);
      socket.destroy();
    },
    end: () => socket.destroy(),
  };
}

const ended = () => new CommandError(EXIT.locked, 'locked', 'The agent has ended. Unlock again: pb unlock');

/** An agent that derives a key answers late; a stopped one never. */
const HELLO_MS = 20_000;

function opened(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    );
  });
}

/** Whether anything listens there. */
export async function isAnswering({ path }: AgentAddress): Promise<boolean> {
  const socket = await opened(path).catch(() => null);
  socket?.destroy();
  return socket !== null;
}

/** What the agent sees of the environment; in particular no NODE_OPTIONS. */
const PASSED =
  /^(?:PATH|HOME|LANG|LC_.*|TZ|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|https?_proxy|no_proxy|SystemRoot|TEMP|USERPROFILE)$/i;

/** The agent has no `eval`. It rests most of the time: little memory for young objects, and no threads for collecting them. */
const FLAGS = [
  '--disallow-code-generation-from-strings',
  '--no-warnings',
  '--expose-gc',
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
];

const STEPS = 500;
const STEP_MS = 20;

/** Starts an agent and connects to it. @throws CommandError if it does not answer within ten seconds */
export async function startAgent(note: AgentNote, environment: NodeJS.ProcessEnv): Promise<AgentEngine> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => PASSED.test(name)));
  const [, program = ''] = process.argv;
  const command = [process.execPath, ...FLAGS, program, 'agent'];
  // A crash writes no memory to the disk: it has keys in it.
  const withoutDump = process.platform === 'win32' ? [] : ['/bin/sh', '-c', 'ulimit -c 0; exec "$@"', 'sh'];
  const [file = '', ...arguments_] = [...withoutDump, ...command];
  spawn(file, arguments_, {
    // One arena: with one for each thread, glibc keeps freed memory.
    env: { ...env, MALLOC_ARENA_MAX: '1', PB_STATE_DIR: note.state },
    detached: true,
    stdio: 'ignore',
    cwd: note.state,
  }).unref();
  for (let step = 0; step < STEPS; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    const agent = await connectAgent(note).catch(() => null);
    if (agent !== null) return agent;
  }
  throw new CommandError(EXIT.failed, 'agent', 'The agent did not start.');
}
