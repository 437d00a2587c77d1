/** Clones of this repository, each started with another Node version, as a new user would. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../e2e/testing/server/server.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PINNED = join(ROOT, 'faults', 'testing', 'runtimes');
const CACHE = join(ROOT, 'node_modules', '.cache', 'runtimes');
const ENDS_WITHIN_MS = 40_000;
/** Limit of a first start: empty package cache, compiling, two shared cores. */
const READY_WITHIN_MS = 600_000;

export const hasRuntimes = process.platform === 'linux' && process.arch === 'x64';

/** Folder of the Node binary of a major version, from the packages in `faults/testing/runtimes`. */
export async function runtimeOf(major: number): Promise<string> {
  const lock = await readFile(join(PINNED, 'package-lock.json'));
  const installed = join(CACHE, 'installed.json');
  if ((await readFile(installed).catch(() => null))?.equals(lock) !== true) {
    await mkdir(CACHE, { recursive: true });
    await cp(PINNED, CACHE, { recursive: true });
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: CACHE });
    await writeFile(installed, lock);
  }
  return join(CACHE, 'node_modules', `node-${major}`, 'bin');
}

export interface Started {
  readonly origin: string;
  /** From the command to `/ready`, in milliseconds. */
  readonly readyAfter: number;
  output(): string;
  /** Sends SIGTERM to `npm start`. Returns its exit code. */
  end(): Promise<number | null>;
}

/** A clone with this version of Node first in PATH and an empty home. */
export interface Clone {
  readonly version: string;
  /** `npm start` on a data folder below the clone's. */
  start(data: string): Promise<Started>;
  /**
   * Milliseconds from the start of the built process to `/ready`, and of a Node process without a
   * program.
   */
  coldStart(data: string): Promise<{ readonly ready: number; readonly bare: number }>;
  /** Path inside a data folder. */
  path(data: string, name: string): string;
  /**
   * Runs `npx passwordbroker …` with a line on standard input. Returns its output.
   * @throws Error if it fails
   */
  command(data: string, args: readonly string[], input?: string): Promise<string>;
  remove(): Promise<void>;
}

export async function cloneFor(bin: string): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'passwordbroker-clone-'));
  const tree = join(folder, 'tree');
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, maxBuffer: 1e8 },
  );
  for (const name of stdout.split('\0').filter((one) => one !== '')) {
    await mkdir(dirname(join(tree, name)), { recursive: true });
    await cp(join(ROOT, name), join(tree, name)).catch((error: NodeJS.ErrnoException) => {
      // Deleted in the working tree, but not committed yet.
      if (error.code !== 'ENOENT') throw error;
    });
  }
  const home = join(folder, 'home');
  await mkdir(home);
  const version = await promisify(execFile)(join(bin, 'node'), ['--version']);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|TEST_|NODE_(?:ENV|OPTIONS|COMPILE_CACHE)$)/i.test(name),
  );
  // npm reads settings beside its Node and in the home; copies those of this machine.
  const setting = async (name: string) => (await promisify(execFile)('npm', ['config', 'get', name])).stdout.trim();
  const npm = {
    npm_config_globalconfig: await setting('globalconfig'),
    npm_config_userconfig: await setting('userconfig'),
  };
  const environment = (data: string) => ({
    ...Object.fromEntries(inherited),
    ...npm,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    DATA_DIR: join(folder, data),
    LOG_LEVEL: 'warn',
  });
  return {
    version: version.stdout.trim(),
    path: (data, name) => join(folder, data, name),
    start: (data) => startedBy('npm', ['start'], { cwd: tree, env: environment(data) }),
    async coldStart(data) {
      const node = join(bin, 'node');
      const began = performance.now();
      await promisify(execFile)(node, ['-e', '0']);
      const bare = performance.now() - began;
      const process = await startedBy(node, ['server/dist/main.cjs'], { cwd: tree, env: environment(data) });
      await process.end();
      return { ready: process.readyAfter, bare };
    },
    async command(data, args, input = '') {
      const child = spawn('npx', ['passwordbroker', ...args], { cwd: tree, env: environment(data) });
      const output = collect(child);
      child.stdin.end(input);
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      if (code !== 0) throw new Error(`passwordbroker ${args.join(' ')} ended with ${code}:\n${output()}`);
      return output();
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface Launch {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

async function startedBy(program: string, args: readonly string[], { cwd, env }: Launch): Promise<Started> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const began = performance.now();
  const child = spawn(program, args, { cwd, env: { ...env, PORT: String(port) } });
  const output = collect(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (;;) {
    if ((await fetch(`${origin}/ready`).catch(() => null))?.status === 200) break;
    const isLate = performance.now() - began > READY_WITHIN_MS;
    if (isLate) child.kill();
    if (isLate || child.exitCode !== null) throw new Error(`${program} did not get ready:\n${output()}`);
    await wait(5);
  }
  const readyAfter = performance.now() - began;
  const end = async () => {
    child.kill('SIGTERM');
    // Its output stays open while any of its child processes runs.
    const code = await Promise.race([ended, wait(ENDS_WITHIN_MS, 'late' as const, { ref: false })]);
    if (code === 'late') throw new Error(`${program} did not end, or a process that it started:\n${output()}`);
    return code;
  };
  return { origin, readyAfter, output, end };
}

function collect(child: ChildProcess): () => string {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return () => output;
}
