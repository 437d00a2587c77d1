/**
 * Checks the packages by rules that need no network (docs/spec/threats.md §3.1.36): exact versions, a digest for each,
 * only the configured registry, install scripts only if allowed, compatible licences, a maximum number. First checks the
 * rules: each copy of the lists with one seeded fault must be reported. `npm audit --omit=dev` checks advisories.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** Direct production dependencies of all our package.json files. */
const MOST_NAMED = 44;
const LICENCES = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'OFL-1.1',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'CC-BY-4.0',
  'CC-BY-3.0',
  'MPL-2.0',
  'Zlib',
  'WTFPL',
]);
/** Has no licence field; its files have an Apache-2.0 header. Build tool only. */
const READ_BY_HAND = new Map([['@react-aria/optimize-locales-plugin 2.0.2', 'Apache-2.0']]);
/** An exact version, or an alias with an exact version. */
const EXACT = /^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
const DIGEST = /^sha512-[A-Za-z0-9+/]{86}==$/;

const read = (...path) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
const manifests = [
  read('package.json'),
  ...read('package.json').workspaces.map((folder) => read(folder, 'package.json')),
];
const lists = { manifests, lock: read('package-lock.json') };
const named = (count) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`package-${n}`, '1.0.0']));

/**
 * @typedef {{ dependencies: Record<string, string>, devDependencies: Record<string, string>, allowScripts: Record<string, boolean> }} Manifest
 * @typedef {{ integrity?: string, resolved?: string, hasInstallScript?: boolean, license?: string }} Locked
 */

/**
 * A fault for the manifests of the root and the server, or for one package of the lockfile, and words that the report
 * must contain.
 * @type {[(lists: { root: Manifest, server: Manifest, zod: Locked }) => unknown, string][]}
 */
const FAULTS = [
  [({ server }) => (server.dependencies['zod'] = '^4.0.0'), 'zod is not pinned exactly (^4.0.0)'],
  [({ root }) => (root.devDependencies['vitest'] = 'latest'), 'vitest is not pinned exactly (latest)'],
  [({ server }) => (server.dependencies['fork'] = 'github:some/fork'), 'fork is not pinned exactly'],
  [({ server }) => Object.assign(server.dependencies, named(MOST_NAMED)), `more than ${MOST_NAMED}`],
  [({ zod }) => delete zod.integrity, 'has no SHA-512'],
  [({ zod }) => (zod.integrity = 'sha1-lPrnHcNyaFRwnlrQ4EYSWFO/I1s='), 'has no SHA-512'],
  [({ zod }) => (zod.resolved = 'https://mirror.example/zod.tgz'), 'names where it comes from: https://mirror.example'],
  [({ zod }) => (zod.hasInstallScript = true), 'runs a script when it is installed'],
  [({ root }) => (root.allowScripts['zod'] = true), 'allowScripts names zod, which has no script'],
  [({ zod }) => (zod.license = 'SSPL-1.0'), 'has the licence SSPL-1.0'],
  [({ zod }) => (zod.license = '(MIT AND SSPL-1.0)'), 'has the licence (MIT AND SSPL-1.0)'],
  [({ zod }) => delete zod.license, 'has the licence none'],
];

const silent = FAULTS.filter(([spoil, words]) => {
  const spoiled = structuredClone(lists);
  const [root] = spoiled.manifests;
  const server = spoiled.manifests.find(({ name }) => name.endsWith('/server'));
  spoil({ root, server, zod: spoiled.lock.packages['node_modules/zod'] });
  return !judge(spoiled).problems.some((problem) => problem.includes(words));
});
for (const [, words] of silent) console.log(`✗ a seeded fault is not reported: “${words}”`);
console.log(`${FAULTS.length - silent.length} of ${FAULTS.length} seeded faults are found`);

const { problems, named: count, production, all } = judge(lists);
for (const problem of problems) console.log(`✗ ${problem}`);
console.log(
  `${count} direct production packages (at most ${MOST_NAMED}), ${production} with transitive ones, ${all} with tools and tests`,
);
process.exitCode = problems.length + silent.length === 0 ? 0 : 1;

/** @returns one sentence per problem, and the counts of packages */
function judge({ manifests, lock }) {
  const problems = [];
  const [root] = manifests;
  const named = new Set();
  for (const { name, dependencies = {}, devDependencies = {}, optionalDependencies = {} } of manifests) {
    for (const [dependency, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      const isOurs = manifests.some((one) => one.name === dependency);
      if (!isOurs && !EXACT.test(version)) problems.push(`${name}: ${dependency} is not pinned exactly (${version})`);
    }
    for (const dependency of Object.keys(dependencies)) {
      if (!manifests.some((one) => one.name === dependency)) named.add(dependency);
    }
  }
  if (named.size > MOST_NAMED) problems.push(`${named.size} production packages are named, more than ${MOST_NAMED}`);
  const allowed = new Set(Object.keys(root.allowScripts ?? {}));
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link,
  );
  const production = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
  for (const [path, { name: realName, integrity, resolved, hasInstallScript, license, version }] of packages) {
    const name = realName ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const script = allowed.has(name) ? name : `${name}@${version}`;
    const what = `${name} ${version}`;
    if (!DIGEST.test(integrity ?? '')) problems.push(`${what} has no SHA-512 in the lockfile`);
    if (resolved !== undefined)
      problems.push(`${what} names where it comes from: ${resolved.split('/').slice(0, 3).join('/')}`);
    if (hasInstallScript === true && !allowed.has(script)) problems.push(`${what} runs a script when it is installed`);
    if (hasInstallScript === true) allowed.delete(script);
    if (!fits(license ?? READ_BY_HAND.get(what))) problems.push(`${what} has the licence ${license ?? 'none'}`);
  }
  for (const name of allowed) problems.push(`allowScripts names ${name}, which has no script`);
  return { problems, named: named.size, production: production.length, all: packages.length };
}

/** With OR one licence must be allowed, with AND all of them. */
function fits(license = '') {
  const terms = license.replaceAll(/[()]/g, '').trim();
  if (terms.includes(' OR ')) return terms.split(' OR ').some(fits);
  return terms.split(' AND ').every((one) => LICENCES.has(one.trim()));
}
