/**
 * Builds the web client into web/dist and the server into server/dist. `node scripts/build.mjs --if-stale` builds only what changed,
 * `--server=<folder>` the server alone, elsewhere.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, tool } from './run.mjs';

const STAMP = join(ROOT, 'server', 'dist', '.built-from');
const SOURCES = [
  'core/src',
  'server/src',
  'web/src',
  'web/index.html',
  'web/public',
  'web/build-plugins.ts',
  'web/build-service-worker.ts',
  'web/vite.config.ts',
  'package-lock.json',
  'scripts/build.mjs',
];

function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

const isTest = (file) => /\.test\.tsx?$/.test(file);

function digestOfSources() {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    for (const file of filesBelow(join(ROOT, source))) {
      if (!isTest(file)) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

/** Entry files of the server: the process, the command line, and each worker thread. */
function serverEntries() {
  const workers = [...filesBelow(join(ROOT, 'server', 'src'))].filter((file) => file.endsWith('-worker.ts'));
  return ['main', 'cli']
    .map((name) => join(ROOT, 'server', 'src', `${name}.ts`))
    .concat(workers)
    .filter(existsSync);
}

/** @param {string} outdir below the root, so that what is not bundled is found from there */
async function buildServer(outdir) {
  const { build } = await import('esbuild');
  rmSync(join(ROOT, outdir), { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: serverEntries().map((file) => ({ in: file, out: basename(file, '.ts') })),
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // What is short is read fast at the start; names stay, for the log.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    // Native addons load from node_modules; so does `cookie`, whose names a bundle loses (CommonJS behind a dynamic import).
    external: ['better-sqlite3', '@node-rs/argon2', 'cookie'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

async function buildWeb() {
  const { code, output } = await tool('vite', ['build', 'web', '--logLevel', 'warn'], { quiet: true });
  if (code !== 0) throw new Error(`The web client does not build:\n${output}`);
}

/** Builds both sides; with `ifStale` nothing happens when no source has changed since the last build. */
export async function buildAll({ ifStale = false } = {}) {
  const digest = digestOfSources();
  const built = existsSync(STAMP) && existsSync(join(ROOT, 'web', 'dist', 'index.html'));
  if (ifStale && built && readFileSync(STAMP, 'utf8') === digest) return;
  console.log('Building …');
  await Promise.all([buildServer('server/dist'), buildWeb()]);
  writeFileSync(STAMP, digest);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, server] = /^--server=(.+)$/.exec(process.argv[2] ?? '') ?? [];
  if (server === undefined) await buildAll({ ifStale: process.argv.includes('--if-stale') });
  else await buildServer(server);
}
