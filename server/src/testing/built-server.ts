/**
 * Bundles the present sources of the server and its command line as a release does; the bundles start much
 * faster than the sources.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** From here packages resolve as from `server/dist`. */
const CACHE = join(ROOT, 'node_modules', '.cache');

export interface BuiltServer {
  /** Paths of the two entry points. */
  readonly main: string;
  readonly cli: string;
  remove(): Promise<void>;
}

export async function buildServer(): Promise<BuiltServer> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'built-server-'));
  await promisify(execFile)(process.execPath, ['build/build.mjs', `--server=${relative(ROOT, folder)}`], {
    cwd: ROOT,
  });
  return {
    main: join(folder, 'main.cjs'),
    cli: join(folder, 'cli.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
