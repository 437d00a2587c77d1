/** The address of the agent's socket, in a note in the state folder. The socket lies in a folder that only this account can enter (ADR 38). */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requirePrivate, statePath } from '../engine/state-folder.ts';

export interface AgentAddress {
  readonly path: string;
  /** Random texts: the agent answers only who shows `front`, and the front trusts only who shows `agent`. */
  readonly front: string;
  readonly agent: string;
}

export interface AgentNote {
  /** The folder of the state, absolute. */
  readonly state: string;
  /** Of the running agent; null if none runs. @throws CommandError if another account can write the note or the socket's folder */
  read(): AgentAddress | null;
  /**
   * Writes a new address down, unless an agent runs: then null.
   * @param isAlive whether an agent answers at this address
   */
  claim(isAlive: (address: AgentAddress) => Promise<boolean>): Promise<AgentAddress | null>;
  /** Removes this address, not that of another agent. */
  release(address: AgentAddress): void;
}

/** The path of a Unix socket has at most about 100 bytes. */
const LONGEST = 100;

const isWindows = process.platform === 'win32';

/** @throws CommandError if another account can read the state folder */
export function agentNote(environment: NodeJS.ProcessEnv): AgentNote {
  const state = statePath(environment);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  requirePrivate(state);
  const file = join(state, 'agent.json');

  const read = (): AgentAddress | null => {
    requirePrivate(file);
    if (!existsSync(file)) return null;
    const address = JSON.parse(readFileSync(file, 'utf8')) as AgentAddress;
    if (isWindows) return address;
    const folder = dirname(address.path);
    requirePrivate(folder);
    return existsSync(folder) ? address : null;
  };
  const removeSocket = ({ path }: AgentAddress) => {
    if (isWindows) return;
    rmSync(path, { force: true });
    if (dirname(path) !== state) rmSync(dirname(path), { recursive: true, force: true });
  };
  const write = (): AgentAddress | null => {
    const address = { path: freePath(state), front: crypto.randomUUID(), agent: crypto.randomUUID() };
    try {
      writeFileSync(file, JSON.stringify(address), { mode: 0o600, flag: 'wx' });
      return address;
    } catch (error) {
      removeSocket(address);
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
      throw error;
    }
  };
  return {
    state,
    read,
    async claim(isAlive) {
      const first = write();
      if (first !== null) return first;
      const other = read();
      if (other !== null && (await isAlive(other))) return null;
      // An agent that was killed leaves its note.
      if (other !== null) removeSocket(other);
      rmSync(file, { force: true });
      return write();
    },
    release(address) {
      removeSocket(address);
      if (existsSync(file) && read()?.path === address.path) rmSync(file, { force: true });
    },
  };
}

function freePath(state: string): string {
  if (isWindows) return `\\\\.\\pipe\\passwordbroker-${crypto.randomUUID()}`;
  const usual = join(state, `agent-${process.pid}.sock`);
  return Buffer.byteLength(usual) > LONGEST ? join(mkdtempSync(join(tmpdir(), 'pb-')), 'agent.sock') : usual;
}
