/**
 * Checks the size of the built client (brotli) against budgets: the sign-in route with its static imports, the whole
 * vault without workers, the parts that only the admin panel and recovery load, those that only offline mode loads, those of
 * imports and exports, and the workers that hold keys with what they load for a file of another program.
 * Also fails on circular imports and if the reader of the old format L0 is in the client.
 */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/run.mjs';

const DIST = join(ROOT, 'web', 'dist');
const BUDGETS = {
  'sign-in route': 100_000,
  'whole vault': 455_000,
  'admin panel and recovery': 40_000,
  'local copy': 25_000,
  German: 50_000,
  French: 50_000,
  Spanish: 50_000,
  import: 20_000,
  'imports in parts': 2_000,
  export: 10_000,
  'site rules': 10_000,
  'public suffix list': 45_000,
  'service accounts': 10_000,
  'screens of service accounts': 10_000,
  'sign-in of programs': 10_000,
  'duplicates of an import': 5_000,
  'keyring worker': 52_000,
  'files of other programs, in workers': 190_000,
};

const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'));
/** As it is sent; small files have no compressed copy. */
const weigh = (file) => statSync(join(DIST, existsSync(join(DIST, `${file}.br`)) ? `${file}.br` : file)).size;

/** Script files of all chunks that `next` reaches from these entries of the manifest. */
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
/** Static imports only. */
const staticChunks = (keys) => chunksFrom(keys, ({ imports = [] }) => imports);
/** Static and dynamic imports, except the entries in `without`. */
const allChunks = (keys, without) =>
  chunksFrom(keys, ({ imports = [], dynamicImports = [] }) =>
    [...imports, ...dynamicImports].filter((key) => !without.has(key)),
  );

const keyOf = (source) => Object.keys(manifest).find((key) => source.test(manifest[key].src ?? ''));
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
/** Imported by the entry in every language (`web/src/main.ts`). */
const start = Object.keys(manifest).find((key) => manifest[key].name === 'sign-in');
const languages = {
  German: keyOf(/texts\/german\.ts$/),
  French: keyOf(/texts\/french\.ts$/),
  Spanish: keyOf(/texts\/spanish\.ts$/),
};
const apart = [keyOf(/admin\/admin-page\.tsx$/), keyOf(/recovery\/recovery-page\.tsx$/)];
if ([entry, start, ...Object.values(languages), ...apart].includes(undefined))
  throw new Error(
    'The manifest lacks the entry, the start, the texts of a language, the admin page or the recovery page.',
  );

const exchangeTexts = ['de', 'fr', 'es'].map((language) => keyOf(new RegExp(`texts/${language}/exchange\\.ts$`)));
const siteTexts = ['de', 'fr', 'es'].map((language) => keyOf(new RegExp(`texts/${language}/late/sites\\.ts$`)));
const serviceTexts = ['de', 'fr', 'es'].map((language) => keyOf(new RegExp(`texts/${language}/late/services\\.ts$`)));
// With the texts of one language: a page loads no other.
const exchange = [keyOf(/import\/import-dialog\.tsx$/), keyOf(/entries\/online-import\.ts$/), exchangeTexts[0]];
const importParts = [keyOf(/entries\/send-parts\.ts$/)];
const siteParts = [keyOf(/sites\/prepare-links\.tsx$/), keyOf(/sites\/online-sites\.ts$/), siteTexts[0]];
const exportParts = [/export\/export-dialog\.tsx$/, /entries\/online-export\.ts$/].map(keyOf);
const suffixParts = [keyOf(/sites\/registrable-domain\.ts$/)];
const duplicateTexts = ['de', 'fr', 'es'].map((language) =>
  keyOf(new RegExp(`texts/${language}/late/duplicates\\.ts$`)),
);
const duplicateParts = [keyOf(/import\/duplicates\.tsx$/), keyOf(/entries\/import-duplicates\.ts$/), duplicateTexts[0]];
const programTexts = ['de', 'fr', 'es'].map((language) => keyOf(new RegExp(`texts/${language}/late/program\\.ts$`)));
const programParts = [keyOf(/account\/program-dialog\.tsx$/), programTexts[0]];
const serviceParts = [keyOf(/vault\/service-accounts\.ts$/)];
const serviceScreens = [keyOf(/service-accounts\/services\.tsx$/), serviceTexts[0]];
const lateParts = [
  ...exchange,
  ...exchangeTexts,
  ...importParts,
  ...exportParts,
  ...siteParts,
  ...siteTexts,
  ...suffixParts,
  ...programParts,
  ...programTexts,
  ...duplicateParts,
  ...duplicateTexts,
  ...serviceParts,
  ...serviceScreens,
  ...serviceTexts,
];
if (lateParts.includes(undefined))
  throw new Error(
    'The manifest lacks a part of imports, exports, site rules, service accounts or programs, their texts in a language, or the public suffix list.',
  );

const copy = Object.keys(manifest).filter(
  (key) =>
    manifest[key].isDynamicEntry &&
    /src\/(offline\/[^/]+|browser\/keyring\/idb-copy-store)\.tsx?$/.test(manifest[key].src ?? ''),
);

/** Without other late parts. */
const lateChunks = (keys) =>
  allChunks(
    keys,
    new Set([...apart, ...copy, ...lateParts.filter((key) => !keys.includes(key)), ...Object.values(languages)]),
  );

const scripts = readdirSync(join(DIST, 'assets'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => `assets/${name}`);
// The manifest does not contain workers and their chunks.
const vault = allChunks([entry], new Set([...apart, ...copy, ...lateParts, ...Object.values(languages)]));
const without = (files) => files.filter((file) => !vault.includes(file));
const weights = {
  'sign-in route': staticChunks([entry, start]),
  'whole vault': vault,
  'admin panel and recovery': without(allChunks(apart, new Set([...copy, ...lateParts]))),
  'local copy': without(allChunks(copy, new Set([...apart, ...lateParts]))),
  ...Object.fromEntries(Object.entries(languages).map(([name, key]) => [name, without(allChunks([key], new Set()))])),
  // Beside what the vault also loads.
  import: without(lateChunks(exchange)),
  'imports in parts': without(lateChunks(importParts)),
  export: without(lateChunks(exportParts)),
  'site rules': without(lateChunks(siteParts)),
  'public suffix list': without(lateChunks(suffixParts)),
  'service accounts': without(lateChunks(serviceParts)),
  'screens of service accounts': without(lateChunks(serviceScreens)),
  'sign-in of programs': without(lateChunks(programParts)),
  'duplicates of an import': without(lateChunks(duplicateParts)),
  ...workerWeights(),
};

/** Chunks of the workers that hold keys: what starts with them, and what a file of another program loads. */
function workerWeights() {
  const importsOf = (file, pattern) =>
    [...readFileSync(join(DIST, file), 'utf8').matchAll(pattern)].map(([, name]) => `assets/${name}`);
  const STATIC = /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g;
  const DYNAMIC = /import\(\s*["'`]\.\/([^"'`]+\.js)["'`]/g;
  const reach = (from, patterns) => {
    const seen = new Set(from);
    for (const file of seen)
      for (const pattern of patterns) for (const next of importsOf(file, pattern)) seen.add(next);
    return [...seen];
  };
  const workers = scripts.filter((file) => /\/(?:keyring|kdf)-worker-/.test(file));
  const atOnce = reach(workers, [STATIC]);
  // What local copies, key words and browsers without Ed25519 load.
  const copies = scripts.filter((file) => /\/(?:copy-services|idb-copy-store|fingerprint-words|ed25519)-/.test(file));
  const all = reach(workers, [STATIC, DYNAMIC]);
  return {
    'keyring worker': atOnce,
    'files of other programs, in workers': all.filter((file) => !atOnce.includes(file) && !copies.includes(file)),
  };
}

let failed = false;
for (const [name, files] of Object.entries(weights)) {
  const bytes = files.reduce((sum, file) => sum + weigh(file), 0);
  const fits = bytes <= BUDGETS[name];
  failed ||= !fits;
  console.log(
    `${fits ? '✓' : '✗'} ${name}: ${(bytes / 1000).toFixed(1)} kB brotli of ${BUDGETS[name] / 1000} kB, ${files.length} files`,
  );
}
// In a circular import a file may run before its imports are initialised.
for (const key of Object.keys(manifest)) {
  const { file, imports = [] } = manifest[key];
  if (!staticChunks(imports).includes(file)) continue;
  failed = true;
  console.log(`✗ ${file} has a circular import`);
}
// They must be there before the English ones are loaded.
for (const [name, key] of Object.entries(languages)) {
  if (!staticChunks([key]).some((file) => staticChunks([start]).includes(file) && !/first|rolldown/.test(file)))
    continue;
  failed = true;
  console.log(`✗ the texts in ${name} import a part of the client that has English ones`);
}
/** The object identifier of PBES2, which only the reader of the old format knows. */
const OLD_FORMAT = '2a864886f70d01050d';
for (const file of scripts) {
  const text = readFileSync(join(DIST, file), 'utf8');
  if (text.includes(OLD_FORMAT)) {
    failed = true;
    console.log(`✗ ${file} contains the reader of the old format, which must not be in the client`);
  }
  if (vault.includes(file) && text.includes('AES-CBC')) {
    failed = true;
    console.log(`✗ ${file} contains AES-CBC: it is loaded by imports and exports alone`);
  }
}
process.exit(failed ? 1 : 0);
