/** The built server in its own process, as `npm start` runs it, with a free port and its own data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../server/dist/main.cjs', import.meta.url));
/** Variables that `npm start`, the systemd unit and the image also set. */
export const PROCESS_ENVIRONMENT = JSON.parse(
  readFileSync(new URL('../../../deploy/process-environment.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;

export interface RunningServer {
  readonly origin: string;
  readonly port: number;
  readonly dataDir: string;
  /** Everything the process has written so far. */
  output(): string;
  pid(): number;
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Starts again with the same folder and port, and waits until `path` responds with 200. */
  restart(path?: '/ready' | '/health'): Promise<void>;
  /** SIGTERM; keeps the folder. @returns the exit code */
  end(): Promise<number | null>;
  /** SIGTERM, then removes the folder. @returns the exit code */
  stop(): Promise<number | null>;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

interface Options {
  readonly port?: number;
  /** The origin that browsers use (a proxy's). */
  readonly publicUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another build, and the Node to run it. */
  readonly program?: { readonly node: string; readonly main: string };
  /** An existing folder. */
  readonly dataDir?: string;
  /** Maximum number of file descriptors. */
  readonly openFiles?: number;
  /**
   * A command that runs it in another network namespace, and its address there; it must listen on all
   * addresses.
   */
  readonly within?: { readonly command: readonly string[]; readonly address: string };
}

/** Starts the built server and waits for `/ready`, at most 20 s. */
export async function startServer(options: Options = {}): Promise<RunningServer> {
  if (!existsSync(MAIN)) throw new Error('The server is not built: run `npm run build` first.');
  const port = options.port ?? (await freePort());
  const { command = [], address = '127.0.0.1' } = options.within ?? {};
  const origin = `http://${options.within === undefined ? 'localhost' : address}:${port}`;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'passwordbroker-e2e-'));
  const limited =
    options.openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${options.openFiles} && exec "$0" "$1"`];
  const { node, main } = options.program ?? { node: process.execPath, main: MAIN };
  const [program, ...args] = [...command, ...limited, node, main];
  let output = '';
  let child: ChildProcess;

  const launch = async (path: '/ready' | '/health' = '/ready') => {
    child = spawn(program, args, {
      env: {
        ...process.env,
        ...PROCESS_ENVIRONMENT,
        PORT: String(port),
        DATA_DIR: dataDir,
        PUBLIC_URL: options.publicUrl ?? origin,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The server ended with ${child.exitCode}:\n${output}`);
      const ready = await fetch(`http://${address}:${port}${path}`).catch(() => null);
      if (ready?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The server was not ready within 20 s:\n${output}`);
  };

  const gone = () =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
      else child.once('close', (code) => resolve(code));
    });

  const end = () => {
    child.kill('SIGTERM');
    return gone();
  };

  await launch();
  return {
    origin,
    port,
    dataDir,
    output: () => output,
    pid: () => child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL');
      await gone();
    },
    restart: launch,
    end,
    stop: async () => {
      const code = await end();
      rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
