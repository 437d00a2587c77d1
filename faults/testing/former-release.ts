/**
 * Builds release 1.0.0 from the git history with its own packages and Node 20. Built once and
 * cached.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasRuntimes, runtimeOf } from './runtimes.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules', '.cache');
/** The commit that created `server/src/releases/testing/fixtures/1.0.0`. */
const COMMIT = '7200ad6';

export interface FormerRelease {
  readonly node: string;
  readonly main: string;
  /**
   * Inserts a vault without valid keys into the database of a stopped server; its first user is in
   * every group.
   */
  fill(dataDir: string, entries: number, databaseUrl?: string): Promise<void>;
}

function isInHistory(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Suffix of test names: why the release cannot be built here, or ''. */
export const noFormerRelease = !hasRuntimes
  ? ' (skipped: the pinned Node 20 is for Linux on x64)'
  : isInHistory()
    ? ''
    : ' (skipped: the history of this tree has no release 1.0.0)';

const FILL = `
import { openDatabase } from './server/src/db/open.ts';
import { seedLargeVault } from './bench/large-vault.ts';
const [dataDir, entries, databaseUrl] = process.argv.slice(2);
const now = Date.now();
const db = await openDatabase({ dataDir, now, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
const { user_id: userId } = await db.read.selectFrom('users').select('user_id').executeTakeFirstOrThrow();
const membersOf = () => [{ userId, role: 'admin' }];
await seedLargeVault(db, { groups: 1000, entries: Number(entries), now, membersOf });
await db.close();
`;

export async function formerRelease(): Promise<FormerRelease> {
  const bin = await runtimeOf(20);
  const node = join(bin, 'node');
  const folder = join(CACHE, `release-${COMMIT}`);
  const run = (cwd: string, program: string, ...args: string[]) =>
    promisify(execFile)(program, args, {
      cwd,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, npm_config_nodedir: join(bin, '..') },
      maxBuffer: 1e8,
    });
  if (!existsSync(folder)) {
    const part = `${folder}.part`;
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true });
    await run(ROOT, 'sh', '-c', `git archive ${COMMIT} | tar x -C "$0"`, part);
    await run(part, 'npm', 'ci', '--ignore-scripts', '--no-audit');
    await run(part, 'npm', 'rebuild', 'better-sqlite3');
    await run(part, node, 'scripts/build.mjs', '--server=server/dist');
    await writeFile(join(part, 'fill.ts'), FILL);
    await rename(part, folder);
  }
  return {
    node,
    main: join(folder, 'server', 'dist', 'main.js'),
    async fill(dataDir, entries, databaseUrl) {
      const address = databaseUrl === undefined ? [] : [databaseUrl];
      await run(folder, node, 'node_modules/.bin/tsx', 'fill.ts', dataDir, String(entries), ...address);
    },
  };
}
