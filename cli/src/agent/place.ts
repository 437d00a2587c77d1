/** The address of the agent's socket. It lies in a folder that only this account can enter (ADR 38). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requirePrivate, statePath } from '../engine/state-folder.ts';

export interface Place {
  /** The folder of the state. */
  readonly state: string;
  /** Path that the running agent saved; null if none runs. @throws CommandError if another account can write it */
  socket(): string | null;
  /** Chooses a path and saves it. */
  newSocket(): string;
  forgetSocket(): void;
}

/** The path of a Unix socket has at most about 100 bytes. */
const LONGEST = 100;

/** @throws CommandError if another account can read the folder */
export function agentPlace(environment: NodeJS.ProcessEnv): Place {
  const state = statePath(environment);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  requirePrivate(state);
  const note = join(state, 'agent.socket');
  return {
    state,
    socket() {
      try {
        requirePrivate(note);
        return readFileSync(note, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    newSocket() {
      const path = freePath(state);
      writeFileSync(note, path, { mode: 0o600 });
      return path;
    },
    forgetSocket() {
      const path = this.socket();
      rmSync(note, { force: true });
      if (path === null || process.platform === 'win32') return;
      rmSync(path, { force: true });
      if (dirname(path) !== state) rmSync(dirname(path), { recursive: true, force: true });
    },
  };
}

function freePath(state: string): string {
  // A pipe of Windows lies in no folder: its name cannot be guessed.
  if (process.platform === 'win32') return `\\\\.\\pipe\\passwordbroker-${crypto.randomUUID()}`;
  const usual = join(state, 'agent.sock');
  if (Buffer.byteLength(usual) > LONGEST) return join(mkdtempSync(join(tmpdir(), 'pb-')), 'agent.sock');
  rmSync(usual, { force: true });
  return usual;
}
