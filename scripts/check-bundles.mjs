/**
 * Weighs the built client as a browser loads it (brotli): the sign-in route with all it imports at once, and the whole vault without
 * its workers. Fails above the budgets; also fails when code of the old format L0 has reached the client.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './run.mjs';

const DIST = join(ROOT, 'web', 'dist');
const BUDGETS = { 'sign-in route': 100_000, 'whole vault': 350_000 };

const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'));
const weigh = (file) => brotliCompressSync(readFileSync(join(DIST, file))).length;

/** Every chunk that loads with an entry of the manifest, static imports included. */
function staticChunks(keys) {
  const seen = new Set();
  const open = [...keys];
  while (open.length > 0) {
    const key = open.pop();
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    open.push(...(manifest[key]?.imports ?? []));
  }
  return [...seen].map((key) => manifest[key].file);
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const login = Object.keys(manifest).find((key) => /identity\/login[\w-]*\.tsx$/.test(manifest[key].src ?? ''));
if (entry === undefined || login === undefined) throw new Error('The manifest names no entry or no sign-in route.');

const scripts = readdirSync(join(DIST, 'assets'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => `assets/${name}`);
// The manifest lists what the page loads. Workers are built apart, with chunks of their own: the crypto worker's, and the strength estimator's
// dictionaries, which are loaded only while somebody chooses a password.
const ofPage = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) => file.endsWith('.js'));
const weights = {
  'sign-in route': staticChunks([entry, login]).filter((file) => file.endsWith('.js')),
  'whole vault': ofPage,
};

let failed = false;
for (const [name, files] of Object.entries(weights)) {
  const bytes = files.reduce((sum, file) => sum + weigh(file), 0);
  const fits = bytes <= BUDGETS[name];
  failed ||= !fits;
  console.log(
    `${fits ? '✓' : '✗'} ${name}: ${(bytes / 1000).toFixed(1)} kB brotli of ${BUDGETS[name] / 1000} kB, ${files.length} files`,
  );
}
for (const file of scripts) {
  const text = readFileSync(join(DIST, file), 'utf8');
  if (text.includes('AES-CBC')) {
    failed = true;
    console.log(`✗ ${file} contains AES-CBC: the reader of the old format must not be in the client`);
  }
}
process.exit(failed ? 1 : 0);
