/**
 * Weighs the built client as a browser loads it (brotli): the sign-in route with all it imports at once, the whole vault without its workers,
 * what only the admin panel and the recovery of an empty server load, and what only those load who keep a local copy, or look at what it would be. Fails above the budgets; also fails when code of the old format L0 has reached the client.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './run.mjs';

const DIST = join(ROOT, 'web', 'dist');
const BUDGETS = {
  'sign-in route': 100_000,
  'whole vault': 400_000,
  'admin panel and recovery': 40_000,
  'local copy': 25_000,
};

const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'));
const weigh = (file) => brotliCompressSync(readFileSync(join(DIST, file))).length;

/** The files of every chunk that those entries of the manifest lead to. */
function chunksFrom(keys, next) {
  const seen = new Set();
  const open = [...keys];
  while (open.length > 0) {
    const key = open.pop();
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    open.push(...next(manifest[key] ?? {}));
  }
  return [...new Set([...seen].map((key) => manifest[key].file))].filter((file) => file.endsWith('.js'));
}
/** What loads with them at once. */
const staticChunks = (keys) => chunksFrom(keys, ({ imports = [] }) => imports);
/** What they ever load, but for those entries. */
const allChunks = (keys, without) =>
  chunksFrom(keys, ({ imports = [], dynamicImports = [] }) =>
    [...imports, ...dynamicImports].filter((key) => !without.has(key)),
  );

const keyOf = (source) => Object.keys(manifest).find((key) => source.test(manifest[key].src ?? ''));
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const apart = [keyOf(/admin\/admin-page\.tsx$/), keyOf(/recovery\/recovery-page\.tsx$/)];
if ([entry, ...apart].includes(undefined)) throw new Error('The manifest lacks one of the pages that are weighed.');

const copy = Object.keys(manifest).filter(
  (key) => manifest[key].isDynamicEntry && /src\/offline\/[^/]+\.tsx?$/.test(manifest[key].src ?? ''),
);

const scripts = readdirSync(join(DIST, 'assets'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => `assets/${name}`);
// The manifest lists what the page loads. Workers are built apart, with chunks of their own: the crypto worker's, and the strength estimator's
// dictionaries, which are loaded only while somebody chooses a password.
const vault = allChunks([entry], new Set([...apart, ...copy]));
const without = (files) => files.filter((file) => !vault.includes(file));
const weights = {
  'sign-in route': staticChunks([entry]),
  'whole vault': vault,
  'admin panel and recovery': without(allChunks(apart, new Set(copy))),
  'local copy': without(allChunks(copy, new Set(apart))),
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
// Files that import each other may run before their imports are initialised.
for (const key of Object.keys(manifest)) {
  const { file, imports = [] } = manifest[key];
  if (!staticChunks(imports).includes(file)) continue;
  failed = true;
  console.log(`✗ ${file} has a circular import`);
}
for (const file of scripts) {
  const text = readFileSync(join(DIST, file), 'utf8');
  if (text.includes('AES-CBC')) {
    failed = true;
    console.log(`✗ ${file} contains AES-CBC: the reader of the old format must not be in the client`);
  }
}
process.exit(failed ? 1 : 0);
