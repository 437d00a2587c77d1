/**
 * The server's process as one text that V8 has compiled before: `main.cjs` reads both and runs it. A module of the newer kind cannot be given what was compiled,
 * and each file of many takes its time to be found. `main.js` is the same for units and commands that name it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from './run.mjs';

/** Large packages that few starts need, each in a file of its own. They know nothing of ours. */
const SELDOM = ['@zxcvbn-ts/core', '@zxcvbn-ts/language-common', '@zxcvbn-ts/language-en', 'nodemailer', 'prom-client'];
const fileOf = (name) => `${name.replaceAll(/\W+/g, '-').replace(/^-/, '')}.cjs`;

const SELDOM_BESIDE = {
  name: 'seldom-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^[@\w]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && SELDOM.includes(path) ? { path: `./${fileOf(path)}`, external: true } : undefined,
    );
  },
};

/** A function as the engine wraps a file of CommonJS in one. All of it is strict, as modules are. */
const WRAP = {
  banner: { js: '(function(exports,require,module,__filename,__dirname){"use strict";' },
  footer: { js: '})' },
};

/** Letters outside of ASCII as escapes: a text without them is read as it is. What is left of them is in regular expressions. */
const asciiOf = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Never of another text than the one beside: its name tells what was compiled. Without it, or under another version of Node, everything is compiled anew. */
const runner = (name) => `'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');
const filename = join(__dirname, '${name}');
let cachedData;
try {
  cachedData = readFileSync(filename + '.compiled');
} catch {
  // Without it everything is compiled anew: slower, and the same.
}
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
module.exports = { script, filename };
script.runInThisContext()({}, require, {}, filename, __dirname);
`;

/**
 * @param {import('esbuild').BuildOptions} options of all builds of the server
 * @param {string} folder where it belongs
 * @param {{ ahead: boolean }} more whether it is compiled ahead, which takes a start
 */
export async function buildProcess(options, folder, { ahead }) {
  const common = { ...options, format: 'cjs', supported: { 'dynamic-import': false } };
  const [{ outputFiles }] = await Promise.all([
    build({
      ...common,
      ...WRAP,
      entryPoints: [join(ROOT, 'server', 'src', 'main.ts')],
      plugins: [SELDOM_BESIDE, ...(options.plugins ?? [])],
      define: { ...options.define, 'import.meta.url': '__moduleUrl' },
      banner: { js: `${WRAP.banner.js}const __moduleUrl=require("node:url").pathToFileURL(__filename).href;` },
      write: false,
    }),
    ...SELDOM.map((name) => build({ ...common, entryPoints: [name], outfile: join(folder, fileOf(name)) })),
  ]);
  const text = asciiOf(outputFiles[0].text);
  const name = `server-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text, 'latin1');
  writeFileSync(join(folder, 'main.cjs'), runner(name));
  writeFileSync(join(folder, 'main.js'), "import './main.cjs';\n");
  if (ahead) await compileAhead(join(folder, 'main.cjs'));
}

const STARTS_WITHIN_MS = 60_000;

/** A server on an empty folder starts once, and what V8 has compiled for it until it is ready is kept. A server that does not start is no build. */
async function compileAhead(main) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'passwordbroker-build-'));
  const environment = { NODE_ENV: 'production', LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: String(await freePort()) };
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'compile-ahead.mjs'), main], {
      cwd: DATA_DIR,
      env: { PATH: process.env.PATH, ...environment, DATA_DIR },
      timeout: STARTS_WITHIN_MS,
    });
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
