/** A network of its own for one program, with two cables: one to people, one to the database. The kernel's own network, where the machine lets somebody make one (root, `ip`). */
import { execFileSync } from 'node:child_process';

export interface Namespace {
  /** Before the program that is to run inside. */
  readonly command: readonly string[];
  /** Where people outside find the program. */
  readonly address: string;
  /** Where the program finds this machine, by the other cable. */
  readonly outside: string;
  /** Addresses of the cable to the database, for who decides about them. */
  readonly range: string;
  /** Takes the cable to the database out: packets go nowhere, and nobody is told. */
  unplug(): void;
  plug(): void;
  /** After the program has ended. */
  remove(): void;
}

const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** @throws where nobody may make one */
export function openNamespace(): Namespace {
  // Names of cables have fifteen letters at most.
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

/** What is not there any more need not be removed. */
function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // Gone already.
  }
}
