/**
 * A network namespace for one program, with two links: one to clients, one to the database. Needs
 * root and `ip`.
 */
import { execFileSync } from 'node:child_process';

export interface Namespace {
  /** Prefix of the command to run inside. */
  readonly command: readonly string[];
  /** Address of the program for clients. */
  readonly address: string;
  /** Address of this machine for the program, on the database link. */
  readonly outside: string;
  /** Addresses of the database link, for pg_hba.conf. */
  readonly range: string;
  /** Drops all packets of the database link silently. */
  unplug(): void;
  plug(): void;
  /** Call after the program has ended. */
  remove(): void;
}

const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** @throws if namespaces cannot be created here */
export function openNamespace(): Namespace {
  // Interface names have at most 15 characters.
  const name = `pb${process.pid}`;
  const net = `10.${200 + (process.pid % 50)}.${process.pid % 250}`;
  const cables = [
    { near: `${name}p`, far: 'people', ours: `${net}.1`, theirs: `${net}.2` },
    { near: `${name}d`, far: 'database', ours: `${net}.5`, theirs: `${net}.6` },
  ] as const;
  const [people, database] = cables;
  const remove = () => {
    for (const { near } of cables) tryTo(() => ip('link', 'del', near));
    tryTo(() => ip('netns', 'del', name));
  };
  try {
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    for (const { near, far, ours, theirs } of cables) {
      ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
      ip('addr', 'add', `${ours}/30`, 'dev', near);
      ip('link', 'set', near, 'up');
      ip('-n', name, 'addr', 'add', `${theirs}/30`, 'dev', far);
      ip('-n', name, 'link', 'set', far, 'up');
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    command: ['ip', 'netns', 'exec', name],
    address: people.theirs,
    outside: database.ours,
    range: `${net}.4/30`,
    unplug: () => void ip('link', 'set', database.near, 'down'),
    plug: () => void ip('link', 'set', database.near, 'up'),
    remove,
  };
}

export function canOpen(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    openNamespace().remove();
    return true;
  } catch {
    return false;
  }
}

/** Ignores errors of removing what does not exist any more. */
function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // Removed already.
  }
}
