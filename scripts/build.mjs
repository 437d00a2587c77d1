/**
 * Builds the web client into web/dist and the server into server/dist. `node scripts/build.mjs --if-stale` builds only what changed,
 * `--server=<folder>` the server alone, elsewhere, for a test: not compiled ahead.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildProcess } from './build-process.mjs';
import { LEAN_PACKAGES } from './lean-packages.mjs';
import { writeRelease } from './release-manifest.mjs';
import { ROOT, tool } from './run.mjs';

const STAMP = join(ROOT, 'server', 'dist', '.built-from');
const SOURCES = [
  'core/src',
  'server/src',
  'web/src',
  'web/index.html',
  'web/public',
  'web/build-plugins.ts',
  'web/build-router.ts',
  'web/build-service-worker.ts',
  'web/vite.config.ts',
  'package-lock.json',
  'package.json',
  'scripts/build.mjs',
  'scripts/build-process.mjs',
  'scripts/compile-ahead.mjs',
  'scripts/lean-packages.mjs',
  'scripts/release-manifest.mjs',
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

/** Entry files beside the process: the command line, and the worker threads, which share what they have in common. */
function otherEntries() {
  const workers = [...filesBelow(join(ROOT, 'server', 'src'))].filter((file) => file.endsWith('-worker.ts'));
  return [[join(ROOT, 'server', 'src', 'cli.ts')], workers].filter((files) => files.length > 0);
}

/** What all of the server is built with. */
const SERVER_OPTIONS = {
  absWorkingDir: ROOT,
  plugins: [LEAN_PACKAGES],
  bundle: true,
  platform: 'node',
  target: 'node20',
  // What is short is read fast at the start; names stay, for the log.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Native addons load from node_modules.
  external: ['better-sqlite3/build/Release/better_sqlite3.node', '@node-rs/argon2'],
  define: { 'process.env.NODE_ENV': '"production"' },
};

/**
 * @param {string} outdir below the root, so that what is not bundled is found from there
 * @param {{ ahead: boolean }} options whether the process is compiled ahead of its start
 */
async function buildServer(outdir, { ahead }) {
  rmSync(join(ROOT, outdir), { recursive: true, force: true });
  await buildProcess(SERVER_OPTIONS, join(ROOT, outdir), { ahead });
  for (const files of otherEntries()) await buildEntries(files, outdir);
}

async function buildEntries(files, outdir) {
  const { build } = await import('esbuild');
  await build({
    ...SERVER_OPTIONS,
    entryPoints: files.map((file) => ({ in: file, out: basename(file, '.ts') })),
    outdir,
    splitting: true,
    format: 'esm',
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
  await Promise.all([buildServer('server/dist', { ahead: true }), buildWeb()]);
  writeRelease();
  writeFileSync(STAMP, digest);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, server] = /^--server=(.+)$/.exec(process.argv[2] ?? '') ?? [];
  if (server === undefined) await buildAll({ ifStale: process.argv.includes('--if-stale') });
  else await buildServer(server, { ahead: false });
}
