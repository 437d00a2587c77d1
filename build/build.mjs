/**
 * Builds the web client into web/dist and the server into server/dist. `node build/build.mjs
 * --if-stale` builds only what changed, `--server=<folder>` the server alone, elsewhere, for a
 * test.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeRelease } from './release-manifest.mjs';
import { ROOT, tool } from '../scripts/run.mjs';

const STAMP = join(ROOT, 'server', 'dist', '.built-from');
const SOURCES = [
  'client/src',
  'core/src',
  'server/src',
  'ui/src',
  'web/src',
  'web/index.html',
  'web/public',
  'build',
  'web/vite.config.ts',
  'package-lock.json',
  'package.json',
  'scripts/node-versions.cjs',
];

function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

const isTest = (file) => /\.test\.tsx?$/.test(file);

function digestOfSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesBelow(join(ROOT, source))) {
      if (!isTest(file)) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

/** Options of all server builds. */
const SERVER_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Short code loads faster at the start. Names stay for stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
};

/**
 * Bundles the server, the command line and the worker threads, with shared chunks.
 * @param {string} outdir below the root, so that node_modules is found from there
 */
async function buildServer(outdir) {
  const { build } = await import('esbuild');
  const source = (name) => join(ROOT, 'server', 'src', name);
  const workers = [...filesBelow(source(''))].filter((file) => file.endsWith('-worker.ts'));
  rmSync(join(ROOT, outdir), { recursive: true, force: true });
  await build({
    ...SERVER_OPTIONS,
    entryPoints: [source('app/main.ts'), source('app/cli.ts'), ...workers].map((file) => ({
      in: file,
      out: basename(file, '.ts'),
    })),
    outdir,
    splitting: true,
    format: 'esm',
    // Native addons, and CommonJS packages imported by name, are loaded from node_modules.
    external: ['@node-rs/argon2', 'cookie'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const external = ['./main.js'];
  await build({
    ...SERVER_OPTIONS,
    entryPoints: [source('app/launcher.cjs')],
    outfile: join(outdir, 'main.cjs'),
    external,
  });
}

async function buildWeb() {
  const { code, output } = await tool('vite', ['build', 'web', '--logLevel', 'warn'], { quiet: true });
  if (code !== 0) throw new Error(`The web client does not build:\n${output}`);
}

/** Builds client and server; with `ifStale` only if a source has changed since the last build. */
export async function buildAll({ ifStale = false } = {}) {
  const digest = digestOfSources();
  const built = existsSync(STAMP) && existsSync(join(ROOT, 'web', 'dist', 'index.html'));
  if (ifStale && built && readFileSync(STAMP, 'utf8') === digest) return;
  console.log('Building …');
  await Promise.all([buildServer('server/dist'), buildWeb()]);
  writeRelease();
  writeFileSync(STAMP, digest);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, server] = /^--server=(.+)$/.exec(process.argv[2] ?? '') ?? [];
  if (server === undefined) await buildAll({ ifStale: process.argv.includes('--if-stale') });
  else await buildServer(server);
}
