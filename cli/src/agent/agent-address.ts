/** The address of the agent's socket, in a note in the state folder. The socket lies in a folder that only this account can enter (ADR 38). */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeStateFolder, requirePrivate, statePath } from '../engine/state-folder.ts';

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
  /** A free address, which nobody knows yet. */
  offer(): AgentAddress;
  /**
   * Writes an address down at which an agent listens already, so that another agent that starts now finds it.
   * @param isAlive whether an agent answers at this address
   * @returns false if another agent runs
   */
  claim(address: AgentAddress, isAlive: (address: AgentAddress) => Promise<boolean>): Promise<boolean>;
  /** Whether the note still has this address. */
  has(address: AgentAddress): boolean;
  /** Removes this address, not that of another agent. */
  release(address: AgentAddress): void;
}

/** The path of a Unix socket has at most about 100 bytes. */
const LONGEST = 100;

const isWindows = process.platform === 'win32';

/** @throws CommandError if another account can read the state folder */
export function agentNote(environment: NodeJS.ProcessEnv): AgentNote {
  const state = statePath(environment);
  makeStateFolder(state);
  const file = join(state, 'agent.json');

  /** Null also for a note that is damaged: the next agent replaces it. */
  const noted = (): AgentAddress | null => {
    requirePrivate(file);
    try {
      const { path, front, agent } = JSON.parse(readFileSync(file, 'utf8')) as Partial<AgentAddress>;
      return path === undefined || front === undefined || agent === undefined ? null : { path, front, agent };
    } catch (error) {
      const isUnreadable = ['ENOENT', undefined].includes((error as NodeJS.ErrnoException).code);
      if (isUnreadable) return null;
      throw error;
    }
  };
  const read = (): AgentAddress | null => {
    const address = noted();
    if (address === null || isWindows) return address;
    const folder = dirname(address.path);
    requirePrivate(folder);
    return existsSync(folder) ? address : null;
  };
  const removeSocket = ({ path }: AgentAddress) => {
    if (isWindows) return;
    rmSync(path, { force: true });
    if (dirname(path) !== state) rmSync(dirname(path), { recursive: true, force: true });
  };
  const write = (address: AgentAddress): boolean => {
    try {
      writeFileSync(file, JSON.stringify(address), { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  };
  const has = ({ path, agent }: AgentAddress) => {
    const found = noted();
    return found?.path === path && found.agent === agent;
  };
  return {
    state,
    read,
    has,
    offer: () => ({ path: freePath(state), front: crypto.randomUUID(), agent: crypto.randomUUID() }),
    async claim(address, isAlive) {
      if (write(address)) return true;
      const other = read();
      if (other !== null && (await isAlive(other))) return false;
      // An agent that was killed leaves its note.
      if (other !== null) removeSocket(other);
      rmSync(file, { force: true });
      return write(address);
    },
    release(address) {
      removeSocket(address);
      if (has(address)) rmSync(file, { force: true });
    },
  };
}

function freePath(state: string): string {
  if (isWindows) return `\\\\.\\pipe\\passwordbroker-${crypto.randomUUID()}`;
  const usual = join(state, `agent-${process.pid}.sock`);
  return Buffer.byteLength(usual) > LONGEST ? join(mkdtempSync(join(tmpdir(), 'pb-')), 'agent.sock') : usual;
}
