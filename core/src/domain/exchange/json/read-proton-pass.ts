/** Proton Pass: `data.json` in a ZIP with `files/`, or bare. */
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';
import type { Read, ReadOptions } from '../formats.ts';
import { otpFields } from '../otp-migration.ts';
import type { ExchangeTree, TreeField } from '../tree.ts';
import { fileField, linkFields, treeBuilder, type TreeBuilder } from '../tree-builder.ts';
import { openZip, type ZipArchive } from '../zip.ts';
import { protonData } from './detect.ts';
import { type JsonObject, parseJson, readJsonFile, sayUnread, unreadFields } from './json-object.ts';
import {
  allNamedFields,
  namedField,
  type NamedMember,
  namedFields,
  passwordWithPast,
  shownDay,
} from './named-fields.ts';
import { pacer } from './pacer.ts';
import { asBase64Url, fieldOfPasskey } from './passkey.ts';

export const readProtonPass: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  return treeOf(await readJsonFile(file, tree), tree, null, options);
};

export const readProtonPassZip: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  const zip = await openZip(file, options.signal);
  const data = protonData(zip.names);
  if (data === undefined) throw ExchangeError.unreadable('a file is missing in it');
  const folder = data.slice(0, data.indexOf('/') + 1);
  return treeOf(parseJson(await zip.text(data), tree), tree, { zip, data, folder: `${folder}files/` }, options);
};

interface Archive {
  readonly zip: ZipArchive;
  readonly data: string;
  readonly folder: string;
}

interface Context {
  readonly tree: TreeBuilder;
  readonly files: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  /** Paths in the archive that no item has named yet. */
  readonly unused: Set<string>;
}

const TRASHED = 2;

async function treeOf(
  root: JsonObject,
  tree: TreeBuilder,
  archive: Archive | null,
  options: ReadOptions,
): Promise<ExchangeTree> {
  root.skip('version', 'userId', 'encrypted');
  const unused = new Set(archive?.zip.names.filter((name) => name !== archive.data));
  const context = { tree, unused, files: archive === null ? new Map<string, never>() : filesIn(archive) };
  for (const [, vault] of root.entries('vaults', LIMITS.groups, 'groups')) {
    const groupOf = groupsOf(vault, tree);
    const items = vault.objects('items', LIMITS.entries, 'entries');
    const pace = pacer(items.length, options);
    for (const item of items) {
      const turn = pace();
      if (turn !== undefined) await turn;
      const data = item.object('data');
      const about = data.object('metadata');
      about.skip('itemUuid');
      const [group, title] = [groupOf(item.text('folderId')), about.text('name')];
      const place = tree.placeOf(group, title);
      if (item.number('state') === TRASHED) {
        tree.leaveOut('entry', 'in the trash of the other program', place);
        item.close();
        continue;
      }
      if (about.text('icon') !== '') tree.leaveOut('icon', 'not supported', place);
      const head = headOf(item);
      const fields = [...fieldsOf(item, data, tree, place), ...(await filesOf(item, archive, context, place))];
      const notes = about.text('note');
      tree.add({ group, title, notes, ...head, fields: [...fields, ...unreadFields(item, tree, place)] });
    }
  }
  for (const path of unused) tree.leaveOut('file', 'belongs to no entry', path);
  sayUnread(root, tree);
  return tree.end();
}

/** Group of a folder in a vault by its id, the vault's own for any other id. */
function groupsOf(vault: JsonObject, tree: TreeBuilder): (folder: string) => number {
  const name = vault.text('name');
  const own = tree.group([name]);
  if (vault.text('description') !== '') tree.leaveOut('description', 'of a group, which is not supported', name);
  const display = vault.object('display');
  if (display.names.length > 0) tree.leaveOut('icon', 'of a group, which is not supported', name);
  display.close();
  const folders = new Map(
    vault.objects('folders', LIMITS.groups, 'groups').map((folder) => {
      const [id, above, title] = [folder.text('folderId'), folder.text('parentFolderId'), folder.text('name')];
      return [id, { above, title }];
    }),
  );
  const pathOf = (id: string): string[] => {
    const path: string[] = [];
    const seen = new Set<string>();
    for (let at = folders.get(id); at !== undefined && !seen.has(id); at = folders.get((id = at.above))) {
      path.unshift(at.title);
      seen.add(id);
    }
    return path;
  };
  const groups = new Map([...folders.keys()].map((id) => [id, tree.group([name, ...pathOf(id)])]));
  return (folder) => groups.get(folder) ?? own;
}

function headOf(item: JsonObject) {
  item.skip('itemId', 'shareId', 'contentFormatVersion', 'shareCount', 'aliasSyncEnabled');
  return {
    created: item.seconds('createTime'),
    modified: item.seconds('modifyTime'),
    marks: item.flag('pinned') ? ['Pinned'] : [],
  };
}

const CARD: readonly NamedMember[] = [
  ['cardholderName', 'Cardholder'],
  ['number', 'Card number', 'secret'],
  ['verificationNumber', 'Security code', 'secret'],
  ['pin', 'PIN', 'secret'],
];
const CARD_TYPES = ['', 'Other', 'Visa', 'Mastercard', 'American Express'];
const WIFI: readonly NamedMember[] = [
  ['ssid', 'Network'],
  ['password', 'Network password', 'secret'],
];
const WIFI_SECURITY = ['', 'WPA', 'WPA2', 'WPA3', 'WEP'];
const SSH_KEY: readonly NamedMember[] = [
  ['privateKey', 'Private key', 'secret'],
  ['publicKey', 'Public key'],
];
const EXTRAS = ['extraPersonalDetails', 'extraAddressDetails', 'extraContactDetails', 'extraWorkDetails'];

function fieldsOf(item: JsonObject, data: JsonObject, tree: TreeBuilder, place: string): TreeField[] {
  const [type, content] = [data.text('type'), data.object('content')];
  const apps = data.object('platformSpecific').object('android').objects('allowedApps');
  const appLinks = apps.map((app) => {
    app.skip('hashes', 'appName');
    return `androidapp://${app.text('packageName')}`;
  });
  const extras = (object: JsonObject, name: string, heading = '') =>
    object.objects(name).flatMap((field) => extraField(field, heading, tree, place));
  const sections = (name: string) =>
    content.objects(name).flatMap((section) => extras(section, 'sectionFields', section.text('sectionName').trim()));
  return [
    ...(type === 'login' ? loginFields(content, appLinks, tree, place) : linkFields(appLinks)),
    ...(type === 'creditCard' ? cardFields(content) : []),
    ...(type === 'wifi'
      ? [...namedFields(content, WIFI), ...choice(content, 'security', 'Security', WIFI_SECURITY)]
      : []),
    ...(type === 'sshKey' ? namedFields(content, SSH_KEY) : []),
    ...namedField('Alias', item.text('aliasEmail')),
    ...(type === 'identity' ? allNamedFields(content) : []),
    ...EXTRAS.flatMap((name) => extras(content, name)),
    ...sections('extraSections'),
    ...sections('sections'),
    ...extras(data, 'extraFields'),
  ];
}

function loginFields(content: JsonObject, apps: readonly string[], tree: TreeBuilder, place: string): TreeField[] {
  const names = [content.text('itemUsername'), content.text('username'), content.text('itemEmail')].filter(
    (name) => name !== '',
  );
  const [login = '', ...others] = new Set(names);
  const autofill = content.objects('autofillUrls').map((one) => {
    if ((one.number('mode') ?? 0) !== 0) tree.leaveOut('match rule', 'of a link, not supported', place);
    return one.text('url');
  });
  const totp = content.text('totpUri');
  return [
    ...passwordWithPast(login, content.text('password'), []),
    ...others.flatMap((other) => namedField('E-mail', other)),
    ...(totp.trim() === '' ? [] : otpFields(tree, totp, place)),
    ...linkFields([...content.texts('urls'), ...autofill, ...apps]),
    ...content.objects('passkeys').map(passkeyOf),
  ];
}

/** The private key is in a form of Proton's own: it is kept beside the members of CXF, and `key` stays empty. */
function passkeyOf(passkey: JsonObject): TreeField {
  passkey.skip('keyId', 'userId', 'creationData');
  return fieldOfPasskey(
    {
      credentialId: asBase64Url(passkey.text('credentialId')),
      rpId: passkey.text('rpId'),
      username: passkey.text('userName'),
      userDisplayName: passkey.text('userDisplayName'),
      userHandle: asBase64Url(passkey.text('userHandle')),
      key: '',
    },
    {
      protonKey: passkey.text('content'),
      rpName: passkey.text('rpName'),
      domain: passkey.text('domain'),
      note: passkey.text('note'),
      createTime: passkey.number('createTime'),
    },
  );
}

function cardFields(content: JsonObject): TreeField[] {
  const expiry = content.text('expirationDate').replace(/^(\d{4})-(\d{2})$/, '$1.$2');
  return [
    ...namedFields(content, CARD),
    ...namedField('Expires', expiry),
    ...choice(content, 'cardType', 'Brand', CARD_TYPES),
  ];
}

/** The word for a number; an unknown one stays unread. */
function choice(content: JsonObject, name: string, title: string, words: readonly string[]): TreeField[] {
  const word = words[Number(content.peek(name))];
  if (word === undefined) return [];
  content.skip(name);
  return namedField(title, word);
}

function extraField(field: JsonObject, heading: string, tree: TreeBuilder, place: string): TreeField[] {
  const [name, type, data] = [field.text('fieldName'), field.text('type'), field.object('data')];
  const title = heading === '' ? name : `${heading} › ${name}`;
  const totp = data.text('totpUri');
  const at = data.time('timestamp');
  return [
    ...namedField(title, data.text('content'), type === 'hidden'),
    ...(totp.trim() === '' ? [] : otpFields(tree, totp, place)),
    ...(at === null ? [] : namedField(title, shownDay(at))),
  ];
}

const ID_LENGTH = 16;

/** Files by their names, and by the id of 16 characters before a hyphen with which an item may name them. */
function filesIn({ zip, folder }: Archive): Map<string, { path: string; name: string }> {
  const files = new Map<string, { path: string; name: string }>();
  for (const path of zip.names) {
    if (!path.startsWith(folder)) continue;
    const name = path.slice(folder.length);
    files.set(name, { path, name });
    if (name[ID_LENGTH] === '-') files.set(name.slice(0, ID_LENGTH), { path, name: name.slice(ID_LENGTH + 1) });
  }
  return files;
}

async function filesOf(
  item: JsonObject,
  archive: Archive | null,
  context: Context,
  place: string,
): Promise<TreeField[]> {
  const fields: TreeField[] = [];
  for (const id of new Set(item.texts('files'))) {
    const file = context.files.get(id);
    if (archive === null || file === undefined || !context.unused.delete(file.path))
      context.tree.leaveOut('attachment', 'its content is not in the file', place);
    else fields.push(fileField(file.name, await archive.zip.file(file.path)));
  }
  return fields;
}
