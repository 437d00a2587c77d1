/**
 * Which file of the build a module goes to that stands behind the sign-in: the contract, the vault, the frame around every page, what pages have in common, and the page of a
 * group are a file each. Left to the bundler they would be sixty, most of a few lines, and a page is kept busy by asking for them.
 *
 * What is needed before somebody is signed in, too, is a file by itself: nobody waits for the vault on a page that has none.
 */

import { join } from 'node:path';

/** As the bundler knows a module. */
interface ModuleInfo {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}
interface Bundler {
  readonly getModuleInfo: (id: string) => ModuleInfo | null;
}

const source = (file: string) => join(import.meta.dirname, 'src', file);

const FIRST = source('main.tsx');

/** Each one stands on those before it, so that no two files ask for each other. */
const LAYERS = [
  ['vault', source('vault/use-vault.ts')],
  ['frame', source('frame/app-frame.tsx')],
  ['group', source('entry-groups/group-page.tsx')],
] as const;

const OTHER_PAGES = [
  'entry-groups/prompt-page.tsx',
  'trash/trash-page.tsx',
  'leavers/leavers-page.tsx',
  'search/search-page.tsx',
  'account/account-page.tsx',
  'admin/admin-page.tsx',
].map(source);

/** What both sides of the API are told by; nearly everything behind the sign-in stands on it. */
const CONTRACT = join(import.meta.dirname, '..', 'core', 'src', 'contract', 'entries.ts');

/** What is loaded when somebody is signed in, and not before. */
const BEHIND: ReadonlySet<string> = new Set([...LAYERS.map(([, root]) => root), ...OTHER_PAGES]);

type Next = (module: ModuleInfo) => readonly string[];
const now: Next = ({ importedIds }) => importedIds;
const nowOrLater: Next = ({ importedIds, dynamicallyImportedIds }) => [...importedIds, ...dynamicallyImportedIds];

/** All modules that `root` needs, itself among them. */
function reached(bundler: Bundler, root: string, next: Next, isBeyond: (id: string) => boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const module = bundler.getModuleInfo(id);
    if (found.has(id) || isBeyond(id) || module === null) continue;
    found.add(id);
    waiting.push(...next(module));
  }
  return found;
}

/** By the module's id. @throws Error when there is no such page any more */
function layersOf(bundler: Bundler): ReadonlyMap<string, string> {
  for (const root of [FIRST, CONTRACT, ...BEHIND])
    if (bundler.getModuleInfo(root) === null) throw new Error(`The client has no ${root} any more`);
  const first = reached(bundler, FIRST, now, () => false);
  const before = reached(bundler, FIRST, nowOrLater, (id) => BEHIND.has(id));
  const layers = new Map([...reached(bundler, CONTRACT, now, (id) => first.has(id))].map((id) => [id, 'contract']));
  const isTaken = (id: string) => before.has(id) || layers.has(id);
  for (const [name, root] of LAYERS) {
    for (const id of reached(bundler, root, now, isTaken)) layers.set(id, name);
  }
  for (const page of OTHER_PAGES) {
    for (const id of reached(bundler, page, now, (one) => before.has(one))) {
      if (layers.get(id) === 'group') layers.set(id, 'pages');
    }
  }
  for (const [, root] of LAYERS) {
    for (const id of reached(bundler, root, now, (one) => first.has(one) || layers.get(one) === 'contract')) {
      if (before.has(id)) layers.set(id, 'common');
    }
  }
  return layers;
}

/** Names the file of a module for the bundler, null where it is left to it. */
export function layerName(): (id: string, bundler: Bundler) => string | null {
  let layers: ReadonlyMap<string, string> | null = null;
  return (id, bundler) => {
    layers ??= layersOf(bundler);
    return layers.get(id) ?? null;
  };
}
