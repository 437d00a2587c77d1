/**
 * Checks the packages by the rules of `package-rules.mjs`. First checks the rules themselves: each copy of the lists
 * with one seeded fault must be reported.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOST_NAMED, judge } from './package-rules.mjs';
import { ROOT } from './run.mjs';

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
