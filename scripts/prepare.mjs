/** Installs the packages of the lockfile, and for the tests a browser of the distribution. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeProblem } from './node-versions.cjs';
import { ROOT, run } from './run.mjs';

const CHROMIUM_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

function checkNode() {
  const problem = nodeProblem(process.versions.node);
  if (problem === null) return;
  console.error(problem);
  process.exit(1);
}

/** Compiles the database engine for Node 20; the newer engine ships binaries but needs Node 22. */
const isCompiled = () =>
  !process.versions.node.startsWith('20.') ||
  existsSync(join(ROOT, 'node_modules', 'better-sqlite3-node20', 'build', 'Release', 'better_sqlite3.node'));

/** Uses the headers of this Node installation if there are any, so that none are downloaded. */
function ownHeaders() {
  const prefix = dirname(dirname(process.execPath));
  const isThere = existsSync(join(prefix, 'include', 'node', 'node.h'));
  return isThere && process.env['npm_config_nodedir'] === undefined ? { npm_config_nodedir: prefix } : {};
}

/**
 * Installs the packages of the lockfile unless they are installed. Exits the process on failure.
 * @returns {Promise<{ compiled: Promise<void> }>} `compiled` resolves when the database engine is compiled too
 */
export async function installPackages() {
  checkNode();
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const stamp = join(ROOT, 'node_modules', '.installed-lockfile');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.log('Installing packages (up to a minute) …');
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    stopUnless(await run('npm', args, { quiet: true }), 'npm ci failed');
    writeFileSync(stamp, wanted);
  }
  return { compiled: isCompiled() ? Promise.resolve() : compileEngine() };
}

async function compileEngine() {
  console.log('Compiling the database engine, which Node 20 needs (about a minute) …');
  const env = { npm_config_jobs: '2', ...ownHeaders() };
  const done = await run('npm', ['rebuild', 'better-sqlite3-node20', '--loglevel=error'], { quiet: true, env });
  stopUnless(done, 'The database engine could not be built: it needs Python and a C++ compiler, or Node 22 or newer');
}

/** Installs the packages and waits for the database engine. */
export const preparePackages = async () => (await installPackages()).compiled;

function stopUnless({ code, output }, sentence) {
  if (code === 0) return;
  console.error(`${output.slice(-5000)}\n${sentence}; npm's output is above.`);
  process.exit(1);
}

/**
 * The path of a Chromium: `CHROMIUM`, an installed one, or (as root on a Debian-like system) one that it installs from
 * the distribution.
 * @returns {Promise<string | null>} null if there is none
 */
export async function prepareBrowser() {
  const named = process.env['CHROMIUM'];
  if (named !== undefined) return existsSync(named) ? named : null;
  const find = () => CHROMIUM_PLACES.find((place) => existsSync(place)) ?? null;
  const found = find();
  if (found !== null) return found;
  if (process.getuid?.() !== 0 || (await run('apt-get', ['--version'], { quiet: true })).code !== 0) return null;
  console.log('Installing Chromium from the distribution …');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { quiet: true, env });
  const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    quiet: true,
    env,
  });
  if (code !== 0) console.error(output.slice(-2000));
  return find();
}
