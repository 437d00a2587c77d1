/** What a fresh clone lacks: the packages of the lockfile, and for the tests a browser of the distribution. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run } from './run.mjs';

const LEAST_NODE = [20, 19];
const CHROMIUM_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  console.error(`PasswordBroker needs Node ${LEAST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Where the one native addon is compiled here: with the headers that came with this Node, where they did, so that none are fetched. */
function ownHeaders() {
  const prefix = dirname(dirname(process.execPath));
  const isThere = existsSync(join(prefix, 'include', 'node', 'node.h'));
  return isThere && process.env['npm_config_nodedir'] === undefined ? { npm_config_nodedir: prefix } : {};
}

/** Installs the packages of the lockfile unless exactly these are installed already. Ends the process when that fails. */
export async function preparePackages() {
  checkNode();
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const stamp = join(ROOT, 'node_modules', '.installed-lockfile');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing packages (about a minute) …');
  const { code } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: ownHeaders() });
  if (code !== 0) {
    console.error(
      'npm ci failed; its message is above. Where the database engine could not be built: it needs Python and a C++ compiler.',
    );
    process.exit(1);
  }
  mkdirSync(join(ROOT, 'node_modules'), { recursive: true });
  writeFileSync(stamp, wanted);
}

/**
 * The path of a Chromium: `CHROMIUM`, one that is installed, or, where this process may (root on a Debian-like system), one from the
 * distribution's packages.
 * @returns {Promise<string | null>} null when there is none and none can be had
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
