/**
 * Measures how readable the code is and compares the figures with scripts/measures.json. `--check` fails if one is worse, `--write` stores them,
 * `--list` prints what is counted: crumbs, circles, phrases and folders above sixteen files.
 *
 * Source files are the TypeScript files of the packages without tests and test helpers. A crumb is a source file of at most 45 lines with one importer
 * (tests left out), which is in the same folder. Circles of imports include those of types alone.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

const STORED = 'scripts/measures.json';
const PACKAGES = ['core', 'client', 'ui', 'server', 'web', 'cli', 'extension'];
const TEST = /\.(?:test|bench|e2e|node|browser|long)\.|\.test-d\.|\/(?:testing|test|fixtures)\/|test-(?:client|server)/;
const CRUMB_LINES = 45;
/** Private words that have a standard term, as whole words of names and comments. */
const NAMES =
  /\b(?:isUnhurried|unhurried|hurry|pin ?book|introductions?|standing|leavers?|departures?|second hands|Soon|Kept|inTurn)\b/g;
/** Sentences that avoid their subject. */
const SENTENCES = /(?:^|[.:;] )(?:Who|Whoever|Nobody|Somebody|So many|So long|What [^?]*?\.)\b/g;

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))
  .map(read);
const sources = files.filter(
  ({ path }) => PACKAGES.includes(path.split('/')[0]) && path.includes('/src/') && !TEST.test(path),
);
const { circles, crumbs } = analyseImports(sources);
const folders = countFolders(sources);
const phrases = files.flatMap(({ path, comments }) =>
  comments.flatMap((comment) =>
    [...comment.matchAll(SENTENCES), ...comment.matchAll(NAMES)].map(([found]) => `${path}: ${found.trim()}`),
  ),
);
const counts = sources.map(({ lines }) => lines).toSorted((a, b) => a - b);
const figures = {
  'source files': sources.length,
  'source lines': counts.reduce((sum, lines) => sum + lines, 0),
  crumbs: crumbs.length,
  'files in the fullest folder': Math.max(...folders.values()),
  'words of comments': sources.reduce((sum, { comments }) => sum + words(comments), 0),
  'phrases to avoid': phrases.length,
  'circles of imports': circles.length,
};

const stored = existsSync(STORED) ? JSON.parse(readFileSync(STORED, 'utf8')) : {};
const worse = [];
for (const [name, figure] of Object.entries(figures)) {
  const before = stored[name];
  console.log(`${name.padEnd(30)}${String(figure).padStart(7)}${before === undefined ? '' : `   (${before})`}`);
  if (before !== undefined && figure > before) worse.push(name);
}
console.log(
  `${'median lines of a source file'.padEnd(30)}${String(counts[Math.floor(counts.length / 2)]).padStart(7)}`,
);

if (process.argv.includes('--list')) {
  for (const circle of circles) console.log(`circle: ${circle.join(' → ')}`);
  for (const crumb of crumbs) console.log(`crumb: ${crumb}`);
  for (const phrase of phrases) console.log(`phrase: ${phrase}`);
  for (const [folder, count] of folders) if (count > 16) console.log(`folder: ${folder} has ${count} files`);
}
if (process.argv.includes('--write')) writeFileSync(STORED, `${JSON.stringify(figures, null, 2)}\n`);
else if (process.argv.includes('--check') && worse.length > 0) {
  console.error(
    `Worse than ${STORED}: ${worse.join(', ')}. \`node scripts/measures.mjs --list\` prints what is counted.`,
  );
  process.exit(1);
}

/** The path, number of lines, imports and comments (each as one line) of a file. */
function read(path) {
  const text = readFileSync(path, 'utf8');
  const { comments, module } = parseSync(path, text);
  const specifiers = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)]
    .map(({ moduleRequest }) => moduleRequest?.value)
    .filter((value) => value !== undefined);
  const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
  return {
    path,
    lines: text.split('\n').length - 1,
    imports: [...new Set(specifiers)],
    lazy,
    comments: comments.map(({ value }) => value.replaceAll(/\s*\n[\s*]*|^[*\s]+/g, ' ').trim()),
  };
}

function words(comments) {
  return comments.reduce((sum, comment) => sum + (comment.match(/[\p{L}\d][\p{L}\d'’-]*/gu)?.length ?? 0), 0);
}

/** Files of each folder, without migrations, which are a list. */
function countFolders(all) {
  const counted = new Map();
  for (const { path } of all)
    if (!path.includes('/migrations/')) counted.set(dirname(path), (counted.get(dirname(path)) ?? 0) + 1);
  return new Map([...counted].toSorted(([, a], [, b]) => b - a));
}

function analyseImports(all) {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const resolve = (from, specifier) => {
    const [, name, rest] = /^@passwordbroker\/(\w+)\/(.+)$/.exec(specifier) ?? [];
    if (name !== undefined)
      return [`${name}/src/${rest}.ts`, `${name}/src/${rest}.tsx`].find((path) => byPath.has(path));
    const path = join(dirname(from), specifier);
    return specifier.startsWith('.') && byPath.has(path) ? path : undefined;
  };
  const edges = new Map();
  const importers = new Map(all.map(({ path }) => [path, new Set()]));
  for (const { path, imports, lazy } of all) {
    const targets = imports.map((one) => resolve(path, one)).filter((one) => one !== undefined && one !== path);
    edges.set(path, targets);
    for (const one of [...targets, ...lazy.map((specifier) => resolve(path, specifier))]) importers.get(one)?.add(path);
  }
  const crumbs = all
    .filter(({ path, lines }) => {
      // A migration has a file of its own.
      if (path.includes('/migrations/')) return false;
      const [importer, ...more] = importers.get(path);
      return lines <= CRUMB_LINES && importer !== undefined && more.length === 0 && dirname(importer) === dirname(path);
    })
    .map(({ path }) => path);
  return { circles: findCircles(edges), crumbs };
}

/** Strongly connected components with more than one file (Tarjan). */
function findCircles(edges) {
  const found = [];
  const seen = new Map();
  const low = new Map();
  const stack = [];
  const visit = (node) => {
    seen.set(node, seen.size);
    low.set(node, seen.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!seen.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== seen.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) found.push(component);
  };
  for (const node of edges.keys()) if (!seen.has(node)) visit(node);
  return found;
}
