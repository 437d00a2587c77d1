/** Bitwarden JSON: plain, password-protected, of an organisation, and the ZIP with attachments. */
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import type { Read, ReadOptions } from '../formats.ts';
import { type JsonObject, parseJson, readJsonFile, sayUnread, unreadFields } from '../json/json-object.ts';
import { type FormerPassword, passwordWithPast, secretField, yesOrNo } from '../json/named-fields.ts';
import { otpFields } from '../otp-migration.ts';
import { fieldOfPasskey, idFromBitwarden } from '../json/passkey.ts';
import { pacer } from '../json/pacer.ts';
import type { ExchangeTree, TreeField } from '../tree.ts';
import { fileField, linkFields, noteField, treeBuilder, type TreeBuilder } from '../tree-builder.ts';
import { openZip } from '../zip.ts';
import { fieldsOfKind } from './item-kinds.ts';
import { openProtected } from './protected.ts';

/** By the id of their item. */
type Attachments = ReadonlyMap<string, readonly { readonly name: string; readonly path: string }[]>;
const NO_ATTACHMENTS: Attachments = new Map();

export const readBitwarden: Read = async (file, { password = '' }, options) => {
  const tree = treeBuilder(options.now);
  const outer = await readJsonFile(file, tree);
  if (!outer.flag('passwordProtected')) return treeOf(outer, tree, options);
  const inner = parseJson(await openProtected(outer, password, options.argon2), tree);
  sayUnread(outer, tree);
  return treeOf(inner, tree, options);
};

export const readBitwardenZip: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  const zip = await openZip(file, options.signal);
  const root = parseJson(await zip.text('data.json'), tree);
  const attachments = new Map<string, { name: string; path: string }[]>();
  for (const path of zip.names) {
    const [, id = '', name = ''] = /^attachments\/([^/]+)\/(.+)$/s.exec(path) ?? [];
    if (name !== '') attachments.set(id, [...(attachments.get(id) ?? []), { name, path }]);
    else if (path !== 'data.json') tree.leaveOut('file', 'belongs to no entry', path);
  }
  return treeOf(root, tree, options, attachments, (path) => zip.file(path));
};

type Unpack = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

async function treeOf(
  root: JsonObject,
  tree: TreeBuilder,
  options: ReadOptions,
  attachments = NO_ATTACHMENTS,
  unpack?: Unpack,
): Promise<ExchangeTree> {
  root.skip('encrypted');
  const folders = groupsOf(root, 'folders', tree);
  const collections = groupsOf(root, 'collections', tree);
  const items = root.objects('items', LIMITS.entries, 'entries');
  const pace = pacer(items.length, options);
  const known = new Set<string>();
  for (const item of items) {
    const turn = pace();
    if (turn !== undefined) await turn;
    const id = item.text('id');
    const own = known.has(id) ? [] : (attachments.get(id) ?? []);
    known.add(id);
    const group = groupOf(item, folders, collections, tree);
    const place = tree.placeOf(group, item.text('name'));
    if (item.text('deletedDate') !== '') {
      tree.leaveOut('entry', 'in the trash of the other program', place);
      item.close();
      continue;
    }
    const files: TreeField[] = [];
    for (const { name, path } of own) if (unpack !== undefined) files.push(fileField(name, await unpack(path)));
    addItem(item, group, files, tree);
  }
  for (const [id, files] of attachments)
    if (!known.has(id)) for (const { path } of files) tree.leaveOut('file', 'belongs to no entry', path);
  sayUnread(root, tree);
  return tree.end();
}

/** @param files its attachments */
export function addItem(item: JsonObject, group: number, files: readonly TreeField[], tree: TreeBuilder): void {
  const place = tree.placeOf(group, item.text('name'));
  const head = headOf(item, tree, place);
  const fields = fieldsOf(item, tree, place);
  tree.add({ group, ...head, fields: [...fields, ...files, ...unreadFields(item, tree, place)] });
}

/** Group of each folder or collection, by its id. */
function groupsOf(root: JsonObject, name: 'folders' | 'collections', tree: TreeBuilder): Map<string, number> {
  const groups = new Map<string, number>();
  for (const folder of root.objects(name, LIMITS.groups, 'groups')) {
    folder.skip('externalId', 'organizationId');
    groups.set(folder.text('id'), tree.group(folder.text('name').split('/')));
  }
  return groups;
}

function groupOf(
  item: JsonObject,
  folders: ReadonlyMap<string, number>,
  collections: ReadonlyMap<string, number>,
  tree: TreeBuilder,
): number {
  const folder = folders.get(item.text('folderId'));
  const own = item.texts('collectionIds').flatMap((id) => collections.get(id) ?? []);
  const all = [...own, ...(folder === undefined ? [] : [folder])];
  const [first = 0] = all;
  if (all.length > 1)
    tree.leaveOut('entry', 'in several groups, kept in the first', tree.placeOf(first, item.text('name')));
  return first;
}

function headOf(item: JsonObject, tree: TreeBuilder, place: string) {
  item.skip('organizationId', 'key', 'object', 'passwordRevisionDate');
  if ((item.number('reprompt') ?? 0) !== 0) tree.leaveOut('password prompt', 'not supported', place);
  return {
    title: item.text('name'),
    notes: item.text('notes'),
    created: item.time('creationDate'),
    modified: item.time('revisionDate'),
    marks: [...(item.flag('favorite') ? ['Favourite'] : []), ...(item.text('archivedDate') === '' ? [] : ['Archived'])],
  };
}

function fieldsOf(item: JsonObject, tree: TreeBuilder, place: string): TreeField[] {
  item.skip('secureNote', 'deletedDate');
  if (item.number('type') !== null && !KNOWN_TYPES.has(item.number('type') ?? 0))
    tree.leaveOut('entry', 'of an unknown kind, its texts are notes', place);
  return [
    ...loginFields(item.object('login'), formerPasswords(item), tree, place),
    ...fieldsOfKind(item),
    ...item.objects('fields').flatMap((field) => customField(field)),
  ];
}

/** Login, note, card, identity, SSH key, bank account, driver's licence, passport. */
const KNOWN_TYPES = new Set([1, 2, 3, 4, 5, 6, 7, 8]);

/** Bitwarden begins with the newest. */
const formerPasswords = (item: JsonObject): FormerPassword[] =>
  item
    .objects('passwordHistory')
    .map((former) => ({ value: former.text('password'), until: former.time('lastUsedDate') }))
    .reverse();

function loginFields(
  login: JsonObject,
  past: readonly FormerPassword[],
  tree: TreeBuilder,
  place: string,
): TreeField[] {
  const [user, password, totp] = [login.text('username'), login.text('password'), login.text('totp')];
  const uris = login.objects('uris').map((uri) => {
    uri.skip('uriChecksum');
    if (uri.number('match') !== null) tree.leaveOut('match rule', 'of a link, not supported', place);
    return uri.text('uri');
  });
  return [
    ...passwordWithPast(user, password, past, login.time('passwordRevisionDate')),
    ...(totp.trim() === '' ? [] : otpFields(tree, totp, place)),
    ...linkFields(uris),
    ...login.objects('fido2Credentials').map(passkeyOf),
  ];
}

function passkeyOf(passkey: JsonObject): TreeField {
  passkey.skip('keyType', 'keyAlgorithm', 'keyCurve', 'creationDate');
  // Nearly all passkeys have these values, and other programs do not tell them.
  const [counter, discoverable] = [passkey.text('counter'), passkey.text('discoverable')];
  return fieldOfPasskey(
    {
      credentialId: idFromBitwarden(passkey.text('credentialId')),
      rpId: passkey.text('rpId'),
      username: passkey.text('userName'),
      userDisplayName: passkey.text('userDisplayName'),
      userHandle: passkey.text('userHandle'),
      key: passkey.text('keyValue'),
    },
    {
      rpName: passkey.text('rpName'),
      counter: counter === '0' ? '' : counter,
      discoverable: discoverable === 'true' ? '' : discoverable,
    },
  );
}

const FIELD = { hidden: 1, boolean: 2, linked: 3 } as const;

function customField(field: JsonObject): TreeField[] {
  const [name, value, type] = [field.text('name'), field.text('value'), field.number('type')];
  field.skip('linkedId');
  if (type === FIELD.linked) return [];
  if (type === FIELD.hidden) return secretField(name, value);
  return [noteField(name, type === FIELD.boolean ? yesOrNo(value === 'true') : value)];
}
