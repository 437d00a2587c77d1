/**
 * A PostgreSQL server of the machine's distribution for one test run: in a temporary folder, under an
 * unprivileged account, as durable as in production. Reached through a socket in that folder or a port of the
 * loopback interface.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryFolder } from './memory-folder.ts';

const DISTRIBUTION = '/usr/lib/postgresql';
const OLDEST = 15;
const ACCOUNTS = ['postgres', 'nobody'];
const STARTS_WITHIN_MS = 30_000;
/** Names the socket if no network port is used. */
const SOCKET_PORT = 5432;

export interface Cluster {
  readonly folder: string;
  readonly port: number;
  /** URL of one of its databases. */
  url(database: string): string;
  /** Kills the process with SIGKILL and resolves when it has exited. */
  kill(): Promise<void>;
  /** Starts again on the same data after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Folder with `postgres` and `initdb`; null if no recent enough version is installed. */
export function postgresPrograms(): string | null {
  const versions = existsSync(DISTRIBUTION) ? readdirSync(DISTRIBUTION).map(Number) : [];
  const [newest] = versions.filter((version) => version >= OLDEST).sort((a, b) => b - a);
  const named = process.env['POSTGRES_BIN'] ?? (newest === undefined ? '' : join(DISTRIBUTION, String(newest), 'bin'));
  return named !== '' && existsSync(join(named, 'postgres')) && existsSync(join(named, 'initdb')) ? named : null;
}

interface ClusterOptions {
  /** Also listens on this port of the loopback interface. */
  readonly port?: number;
  /** Lines of postgresql.conf, e.g. `max_connections=20`. */
  readonly settings?: readonly string[];
  /** Stores the data in memory if it has room, for databases that live as long as a test. */
  readonly isInMemory?: boolean;
}

/** Creates and starts a new server. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { port, settings = [], isInMemory = false } = options;
  const { programs, account, folder } = newPlace(isInMemory ? memoryFolder(ROOM) : tmpdir());
  const cluster = join(folder, 'cluster');
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', cluster, '-U', 'vault', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--data-checksums'],
    { ...account, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  return runCluster({ programs, folder, cluster, account, port, settings });
}

interface NewCluster {
  readonly programs: string;
  readonly folder: string;
  readonly cluster: string;
  readonly account: Account | null;
  readonly port: number | undefined;
  readonly settings: readonly string[];
}

async function runCluster({ programs, folder, cluster, account, port, settings }: NewCluster): Promise<Cluster> {
  const options = [
    `unix_socket_directories=${folder}`,
    `listen_addresses=${port === undefined ? '' : '127.0.0.1'}`,
    `port=${port ?? SOCKET_PORT}`,
    'max_connections=400',
    'shared_buffers=64MB',
    'logging_collector=off',
    ...settings,
  ];
  let server: ChildProcess;
  const gone = () =>
    new Promise<void>((resolve) => {
      if (server.exitCode !== null || server.signalCode !== null) resolve();
      else server.once('exit', () => resolve());
    });
  const launch = async () => {
    const args = ['-D', cluster, ...options.flatMap((option) => ['-c', option])];
    server = spawn(join(programs, 'postgres'), args, { ...account, cwd: folder, stdio: 'ignore' });
    await untilReady(programs, { folder, port: port ?? SOCKET_PORT, server });
  };
  await launch();
  return {
    folder,
    port: port ?? SOCKET_PORT,
    url: (database) =>
      port === undefined
        ? `postgres:///${database}?host=${encodeURIComponent(folder)}&user=vault`
        : `postgres://vault@127.0.0.1:${port}/${database}`,
    async kill() {
      server.kill('SIGKILL');
      await gone();
    },
    async restart() {
      const start = performance.now();
      for (;;) {
        try {
          return await launch();
        } catch (error) {
          // Processes of the killed server need a moment to exit.
          if (performance.now() - start > STARTS_WITHIN_MS) throw error;
          await wait(200);
        }
      }
    },
    async stop() {
      // SIGINT cuts the connections and shuts down cleanly.
      server.kill('SIGINT');
      await gone();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A standby that follows the first server by streaming replication, asynchronously until `primary` is
 * configured otherwise.
 */
export async function startStandby(primary: Cluster, port: number): Promise<Cluster> {
  const { programs, account, folder } = newPlace(tmpdir());
  const cluster = join(folder, 'cluster');
  const from = ['-h', primary.folder, '-p', String(primary.port), '-U', 'vault'];
  const copied = spawnSync(join(programs, 'pg_basebackup'), [...from, '-D', cluster, '-R', '--no-sync', '-c', 'fast'], {
    ...account,
    cwd: folder,
    encoding: 'utf8',
  });
  if (copied.status !== 0) throw new Error(`pg_basebackup failed: ${copied.stderr}`);
  return runCluster({ programs, folder, cluster, account, port, settings: [] });
}

/** Space for a cluster in memory, where creating and dropping a database takes a tenth of the time. */
const ROOM = 2 ** 30;

function newPlace(parent: string): Pick<NewCluster, 'programs' | 'account' | 'folder'> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL 15 is not installed on this machine');
  const account = unprivileged();
  const folder = mkdtempSync(join(parent, 'passwordbroker-pg-'));
  if (account !== null) chownSync(folder, account.uid, account.gid);
  return { programs, account, folder };
}

async function untilReady(
  programs: string,
  { folder, port, server }: { readonly folder: string; readonly port: number; readonly server: ChildProcess },
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const asked = spawnSync(join(programs, 'pg_isready'), ['-q', '-h', folder, '-p', String(port), '-d', 'postgres']);
    if (asked.status === 0) return;
    if (server.exitCode !== null) throw new Error('The PostgreSQL server ended at its start');
    if (performance.now() - start > STARTS_WITHIN_MS) throw new Error('The PostgreSQL server does not start');
    await wait(50);
  }
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Account for PostgreSQL, which does not run as root; null if this process is not root. */
function unprivileged(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ACCOUNTS) {
    const [, , uid, gid] = accounts.find(([account]) => account === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('There is no account without privileges to run PostgreSQL');
}
