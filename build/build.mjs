/**
 * Builds the web client into web/dist, the server into server/dist and the command line into cli/dist. `node build/build.mjs
 * --if-stale` builds only what changed, `--server=<folder>` or `--cli=<folder>` one of them alone,
 * elsewhere, for a test.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeRelease } from './release-manifest.mjs';
import { ROOT, tool } from '../scripts/run.mjs';

const STAMP = join(ROOT, 'server', 'dist', '.built-from');
const SOURCES = [
  'cli/package.json',
  'cli/src',
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
 * Bundles the server; then its command line and worker threads, with shared chunks.
 * @param {string} outdir below the root, so that node_modules is found from there
 */
async function buildServer(outdir) {
  const { build } = await import('esbuild');
  const source = (name) => join(ROOT, 'server', 'src', name);
  const workers = [...filesBelow(source(''))].filter((file) => file.endsWith('-worker.ts'));
  rmSync(join(ROOT, outdir), { recursive: true, force: true });
  // The server by itself: with code in common with the others it would start from three times as many files.
  for (const files of [[source('app/main.ts')], [source('app/cli.ts'), ...workers]])
    await build({
      ...SERVER_OPTIONS,
      entryPoints: files.map((file) => ({ in: file, out: basename(file, '.ts') })),
      outdir,
      splitting: true,
      format: 'esm',
      external: [
        // Native addons, and CommonJS packages imported by name, are loaded from node_modules.
        '@node-rs/argon2',
        'cookie',
        // Fastify loads these for schemas and `inject`, which the server does not use.
        '@fastify/ajv-compiler',
        '@fastify/fast-json-stringify-compiler',
        'light-my-request',
      ],
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

/** `failureOf` uses `instanceof`, so pb.js and engine.js must share these classes. */
const ERRORS_OF_CLI = [
  'cli/src/failure.ts',
  'client/src/keyring/keyring-error.ts',
  'client/src/transport/answers.ts',
  'client/src/transport/exchange.ts',
  'core/src/contract/problem.ts',
  'core/src/crypto/errors.ts',
];

/**
 * The command line without packages or native addons: it runs wherever Node does. `pb.js` asks the agent; `engine.js`,
 * which it loads when needed, has the rest in one file; `errors.js` is common to both.
 * @param {string} outdir absolute
 */
async function buildCli(outdir) {
  const { build } = await import('esbuild');
  const wasm = (name) =>
    `import ${name === 'simd' ? 'simd' : 'plain'} from 'argon2id/dist/${name}.wasm'; export const ${name === 'simd' ? 'simdCode' : 'plainCode'} = () => new Uint8Array(${name === 'simd' ? 'simd' : 'plain'});`;
  const inside = {
    name: 'argon2 inside',
    setup(made) {
      made.onResolve({ filter: /^#argon2-code$/ }, () => ({ path: 'argon2', namespace: 'inside' }));
      made.onLoad({ filter: /.*/, namespace: 'inside' }, () => ({
        contents: wasm('simd') + wasm('no-simd'),
        resolveDir: join(ROOT, 'core'),
      }));
    },
  };
  const outside = {
    name: 'files beside it',
    setup(made) {
      const errors = new RegExp(`/(?:${ERRORS_OF_CLI.map((file) => basename(file, '.ts')).join('|')})(?:\\.ts)?$`);
      made.onResolve({ filter: errors }, async ({ path, pluginData, ...from }) => {
        if (pluginData === 'asked' || from.kind === 'entry-point') return null;
        const found = await made.resolve(path, { ...from, pluginData: 'asked' });
        const isShared = ERRORS_OF_CLI.some((file) => found.path === join(ROOT, file));
        return isShared ? { path: './errors.js', external: true } : null;
      });
      made.onResolve({ filter: /\/engine\.ts$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: './engine.js', external: true } : null,
      );
    },
  };
  const options = {
    ...SERVER_OPTIONS,
    format: 'esm',
    loader: { '.wasm': 'binary' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  };
  const source = (name) => join(ROOT, 'cli', 'src', name);
  const contents = ERRORS_OF_CLI.map((file) => `export * from './${file}';`).join('');
  await Promise.all([
    build({ ...options, stdin: { contents, resolveDir: ROOT }, outfile: join(outdir, 'errors.js') }),
    build({ ...options, entryPoints: [source('main.ts')], outfile: join(outdir, 'pb.js'), plugins: [outside] }),
    build({
      ...options,
      entryPoints: [source('engine/engine.ts')],
      outfile: join(outdir, 'engine.js'),
      plugins: [inside, outside],
    }),
  ]);
  chmodSync(join(outdir, 'pb.js'), 0o755);
  writeFileSync(join(outdir, 'pb.1'), execFileSync(process.execPath, [join(outdir, 'pb.js'), 'manual']));
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
  await Promise.all([buildServer('server/dist'), buildWeb(), buildCli(join(ROOT, 'cli', 'dist'))]);
  writeRelease();
  writeFileSync(STAMP, digest);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, part, outdir] = /^--(server|cli)=(.+)$/.exec(process.argv[2] ?? '') ?? [];
  if (part === undefined) await buildAll({ ifStale: process.argv.includes('--if-stale') });
  else await (part === 'server' ? buildServer(outdir) : buildCli(outdir));
}
