/** The built command line as a person uses it: in processes of its own, with a terminal where it asks. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPb } from './build-once.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What is typed, or found out from what the terminal has shown. */
type Answer = string | ((shown: string) => Promise<string>);

export interface Pb {
  readonly state: string;
  /** The built file. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Without a terminal. */
  run(
    arguments_: readonly string[],
    options?: { readonly input?: string; readonly more?: NodeJS.ProcessEnv },
  ): Promise<Ended>;
  /** On a terminal; each answer is typed when its question has appeared. `out` is what the terminal shows. */
  onTerminal(
    arguments_: readonly string[],
    answers: readonly (readonly [question: string, answer: Answer])[],
  ): Promise<Ended>;
  remove(): void;
}

/** A device without state. Builds the command line if the run has not. @param more variables of all runs */
export function newPb(more: NodeJS.ProcessEnv = {}): Pb {
  const folder = mkdtempSync(join(tmpdir(), 'pb-test-'));
  const built = process.env['PB_BUILT'];
  // A copy: its path tells the processes of this device from those of others.
  if (built === undefined) buildPb(folder);
  else cpSync(built, folder, { recursive: true });
  const program = join(folder, 'pb.js');
  const state = join(folder, 'state');
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, PB_STATE_DIR: state, LANG: 'C.UTF-8', ...more };
  return {
    state,
    program,
    environment,
    run: (arguments_, { input = '', more: own = {} } = {}) =>
      // `setsid`: in a session of its own, which has no terminal.
      ended('setsid', ['--wait', process.execPath, program, ...arguments_], { ...environment, ...own }, (child) => {
        // A command may end before it has read everything.
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(input);
      }),
    onTerminal(arguments_, answers) {
      const command = [process.execPath, program, ...arguments_]
        .map((one) => `'${one.replaceAll("'", "'\\''")}'`)
        .join(' ');
      return typedInto(command, answers, environment);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs a command line of the shell on a terminal, as `Pb.onTerminal`. */
export const typedInto = (
  command: string,
  answers: Parameters<Pb['onTerminal']>[1],
  environment: NodeJS.ProcessEnv,
): Promise<Ended> =>
  ended('script', ['-qefc', command, '/dev/null'], environment, (child) => {
    const waiting = [...answers];
    let shown = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      shown += chunk.toString('utf8');
      const [next] = waiting;
      if (next === undefined || !shown.includes(next[0])) return;
      waiting.shift();
      const [, answer] = next;
      const typed = typeof answer === 'string' ? Promise.resolve(answer) : answer(shown);
      shown = '';
      void typed.then((text) => child.stdin?.write(`${text}\r`));
    });
  });

type Child = ReturnType<typeof spawn>;

function ended(
  file: string,
  arguments_: readonly string[],
  env: NodeJS.ProcessEnv,
  use: (child: Child) => void,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, arguments_, { env, cwd: ROOT });
    let [out, err] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, out, err }));
    use(child);
  });
}
