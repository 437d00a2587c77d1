/** FIDO Credential Exchange Format 1.0: JSON, or a ZIP with `cxf.json` and `documents/`. */
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';
import type { Read, ReadOptions } from '../formats.ts';
import { type JsonObject, parseJson, readJsonFile, sayUnread, unreadFields } from '../json/json-object.ts';
import { namedField } from '../json/named-fields.ts';
import { pacer } from '../json/pacer.ts';
import type { ExchangeTree, TreeField } from '../tree.ts';
import { linkFields, treeBuilder, type TreeBuilder } from '../tree-builder.ts';
import { openZip } from '../zip.ts';
import { credentialFields, type CredentialContext, documentFields, type TakeDocument } from './credentials.ts';

export const readCxf: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  return treeOf(await readJsonFile(file, tree), tree, { names: new Set(), unpack: null }, options);
};

export const readCxfZip: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  const zip = await openZip(file, options.signal);
  const root = parseJson(await zip.text('cxf.json'), tree);
  const names = new Set(zip.names.filter((name) => name !== 'cxf.json'));
  return treeOf(root, tree, { names, unpack: (name) => zip.file(name) }, options);
};

interface Documents {
  /** Those that no entry has taken yet. */
  readonly names: Set<string>;
  readonly unpack: ((name: string) => Promise<Uint8Array<ArrayBuffer>>) | null;
}

async function treeOf(
  root: JsonObject,
  tree: TreeBuilder,
  documents: Documents,
  options: ReadOptions,
): Promise<ExchangeTree> {
  demandVersion(root);
  root.skip('exporterRpId', 'exporterDisplayName', 'timestamp');
  const take = takerOf(documents);
  const accounts = root.objects('accounts', LIMITS.groups, 'groups');
  for (const account of accounts) {
    account.skip('id', 'fullName');
    const names = [account.text('username'), account.text('email')];
    const above = accounts.length > 1 ? [names.find((name) => name !== '') ?? ''] : [];
    const groups = groupsOf(account, above, tree);
    const items = account.objects('items', LIMITS.entries, 'entries');
    const titles = new Map(items.map((item) => [item.text('id'), item.text('title')]));
    const pace = pacer(items.length, options);
    for (const item of items) {
      const turn = pace();
      if (turn !== undefined) await turn;
      const group = groupOf(item, groups, tree);
      const context = { tree, titles, place: tree.placeOf(group, item.text('title')) };
      const files: TreeField[] = [];
      for (const credential of item.objects('credentials'))
        if (credential.text('type') === 'file') files.push(...(await documentFields(credential, take, context)));
      addItem(item, group, files, context);
    }
  }
  for (const path of documents.names) tree.leaveOut('file', 'belongs to no entry', path);
  sayUnread(root, tree);
  return tree.end();
}

/** @throws ExchangeError for another major version */
function demandVersion(root: JsonObject): void {
  const version = root.object('version');
  if (version.number('major') !== 1)
    throw new ExchangeError('unsupported', 'This file is of another version of CXF than 1.');
  version.skip('minor');
}

const takerOf =
  ({ names, unpack }: Documents): TakeDocument =>
  async (id) => {
    const name = `documents/${id}`;
    if (unpack === null || !names.delete(name)) return null;
    return unpack(name);
  };

/** Groups in which an item is, in the order of the file. */
function groupsOf(account: JsonObject, above: readonly string[], tree: TreeBuilder): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  const walk = (holder: JsonObject, member: string, path: readonly string[]) => {
    for (const collection of holder.objects(member, LIMITS.groups, 'groups')) {
      collection.skip('id');
      const own = [...path, collection.text('title')];
      const times = { created: collection.seconds('creationAt'), modified: collection.seconds('modifiedAt') };
      const group = tree.group(own, times);
      if (collection.text('subtitle') !== '')
        tree.leaveOut('description', 'of a group, which is not supported', own.join(' / '));
      for (const link of collection.objects('items')) {
        link.skip('account');
        const item = link.text('item');
        const known = groups.get(item);
        if (known === undefined) groups.set(item, [group]);
        else known.push(group);
      }
      walk(collection, 'subCollections', own);
    }
  };
  walk(account, 'collections', above);
  return groups;
}

function groupOf(item: JsonObject, groups: ReadonlyMap<string, readonly number[]>, tree: TreeBuilder): number {
  const all = [...new Set(groups.get(item.text('id')))];
  const [group = 0] = all;
  if (all.length > 1)
    tree.leaveOut('entry', 'in several groups, kept in the first', tree.placeOf(group, item.text('title')));
  return group;
}

/** @param files its documents */
export function addItem(
  item: JsonObject,
  group: number,
  files: readonly TreeField[],
  context: CredentialContext,
): void {
  const { tree, place } = context;
  const { first, others, notes } = credentialFields(item.objects('credentials'), context);
  tree.add({
    group,
    title: item.text('title'),
    notes,
    tags: item.texts('tags'),
    created: item.seconds('creationAt'),
    modified: item.seconds('modifiedAt'),
    marks: item.flag('favorite') ? ['Favourite'] : [],
    fields: [
      ...first,
      ...linkFields(scopeLinks(item.object('scope'))),
      ...others,
      ...files,
      ...namedField('Subtitle', item.text('subtitle')),
      ...unreadFields(item, tree, place),
    ],
  });
}

function scopeLinks(scope: JsonObject): string[] {
  const apps = scope.objects('androidApps').map((app) => {
    app.skip('certificate', 'name');
    return `androidapp://${app.text('bundleId')}`;
  });
  return [...scope.texts('urls'), ...apps];
}
