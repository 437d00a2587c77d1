/** 1Password 1PUX: a ZIP with `export.data` and `files/`. */
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import type { Read } from '../formats.ts';
import { otpFields } from '../otp-migration.ts';
import type { TreeField } from '../tree.ts';
import { fileField, linkFields, noteField, passwordField, treeBuilder, type TreeBuilder } from '../tree-builder.ts';
import { openZip, type ZipArchive } from '../zip.ts';
import { type JsonObject, parseJson, sayUnread, unreadFields, writtenValue } from './json-object.ts';
import {
  addressField,
  namedField,
  namedLink,
  passwordWithPast,
  shownDay,
  shownMonth,
  titleOfName,
} from './named-fields.ts';
import { pacer } from './pacer.ts';

interface Files {
  /** None, and said, if it is not in the archive. */
  take(document: JsonObject, place: string): Promise<TreeField[]>;
}

interface Context {
  readonly tree: TreeBuilder;
  readonly files: Files;
  readonly titles: ReadonlyMap<string, string>;
  readonly place: string;
}

export const read1Pux: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  const zip = await openZip(file, options.signal);
  const root = parseJson(await zip.text('export.data'), tree);
  const { files, unused } = filesOf(zip, tree);
  const vaults = vaultsOf(root, tree);
  const titles = new Map(
    vaults.flatMap(({ items }) => items.map((item) => [item.text('uuid'), titleOf(item)] as const)),
  );
  const pace = pacer(titles.size, options);
  for (const { group, items } of vaults) {
    for (const item of items) {
      const turn = pace();
      if (turn !== undefined) await turn;
      const place = tree.placeOf(group, titleOf(item));
      const state = item.text('state');
      if (state !== 'active' && state !== 'archived' && state !== '') {
        tree.leaveOut('entry', 'in the trash of the other program', place);
        item.close();
        continue;
      }
      const context = { tree, files, titles, place };
      const head = headOf(item);
      const fields = await fieldsOf(item, context);
      tree.add({ group, ...head, fields: [...fields, ...unreadFields(item, tree, place)] });
    }
  }
  for (const path of unused()) tree.leaveOut('file', 'belongs to no entry', path);
  sayUnread(root, tree);
  return tree.end();
};

const titleOf = (item: JsonObject) => item.object('overview').text('title');

/** A group for each vault, below one for each account if there are several. */
function vaultsOf(root: JsonObject, tree: TreeBuilder): { group: number; items: readonly JsonObject[] }[] {
  const accounts = root.objects('accounts', LIMITS.groups, 'groups');
  return accounts.flatMap((account) => {
    const owner = account.object('attrs');
    owner.skip('avatar', 'uuid', 'domain', 'name', 'email', 'accountName');
    const names = [owner.text('accountName'), owner.text('name'), owner.text('email')];
    const above = accounts.length > 1 ? [names.find((name) => name !== '') ?? ''] : [];
    return account.objects('vaults', LIMITS.groups, 'groups').map((vault) => {
      const { name, description } = vaultNames(vault.object('attrs'));
      const group = tree.group([...above, name]);
      if (description !== '') tree.leaveOut('description', 'of a group, which is not supported', name);
      return { group, items: vault.objects('items', LIMITS.entries, 'entries') };
    });
  });
}

function vaultNames(attrs: JsonObject) {
  attrs.skip('uuid', 'avatar', 'type');
  return { name: attrs.text('name'), description: attrs.text('desc') };
}

function filesOf(zip: ZipArchive, tree: TreeBuilder): { files: Files; unused: () => readonly string[] } {
  const left = new Set(zip.names.filter((name) => name !== 'export.data' && name !== 'export.attributes'));
  const paths = new Map([...left].map((path) => [/^files\/(.+?)__/s.exec(path)?.[1] ?? path, path]));
  const files: Files = {
    async take(document, place) {
      document.skip('decryptedSize');
      const [id, name] = [document.text('documentId'), document.text('fileName')];
      if (id === '' && name === '') return [];
      const path = paths.get(id);
      if (path === undefined) {
        tree.leaveOut('attachment', 'its content is not in the file', place);
        return [];
      }
      left.delete(path);
      return [fileField(name, await zip.file(path))];
    },
  };
  return { files, unused: () => [...left] };
}

function headOf(item: JsonObject) {
  item.skip('uuid', 'categoryUuid');
  const overview = item.object('overview');
  overview.skip('subtitle', 'ps', 'pbe', 'pgrng', 'icons', 'watchtowerExclusions');
  return {
    title: overview.text('title'),
    tags: overview.texts('tags'),
    notes: item.object('details').text('notesPlain'),
    created: item.seconds('createdAt'),
    modified: item.seconds('updatedAt'),
    marks: [
      ...((item.number('favIndex') ?? 0) > 0 ? ['Favourite'] : []),
      ...(item.text('state') === 'archived' ? ['Archived'] : []),
    ],
  };
}

async function fieldsOf(item: JsonObject, context: Context): Promise<TreeField[]> {
  const details = item.object('details');
  details.skip('htmlForm');
  const sections: TreeField[] = [];
  for (const section of details.objects('sections')) sections.push(...(await sectionFields(section, context)));
  return [
    ...loginFields(details),
    ...urlFields(item.object('overview')),
    ...sections,
    ...(await context.files.take(details.object('documentAttributes'), context.place)),
  ];
}

function loginFields(details: JsonObject): TreeField[] {
  let [login, password] = ['', details.text('password')];
  const others: TreeField[] = [];
  for (const field of details.objects('loginFields')) {
    field.skip('id', 'placeholder');
    const [designation, name, type] = [field.text('designation'), field.text('name'), field.text('fieldType')];
    const value = loginValue(field);
    if (designation === 'username' && login === '') login = value;
    else if (designation === 'password' && (password === '' || password === value)) password = value;
    else others.push(...namedField(name === '' ? 'Field of the page' : name, value, type === 'P'));
  }
  const past = details
    .objects('passwordHistory')
    .map((former) => ({ value: former.text('value'), until: former.seconds('time') }))
    .toSorted((a, b) => (a.until ?? 0) - (b.until ?? 0));
  return [...passwordWithPast(login, password, past), ...others];
}

/** A text, or an object with an address in it. */
function loginValue(field: JsonObject): string {
  const plain = field.text('value');
  if (plain !== '') return plain;
  const linked = field.object('value');
  return linked.text('email_address') || linked.text('string');
}

function urlFields(overview: JsonObject): TreeField[] {
  const [labels, urls] = [new Map<string, string>(), new Set([overview.text('url').trim()])];
  for (const one of overview.objects('urls')) {
    one.skip('mode');
    const [url, label] = [one.text('url').trim(), one.text('label').trim()];
    urls.add(url);
    if (label !== '' && !/^(?:website|url)(?: \d+)?$/i.test(label)) labels.set(url, label);
  }
  const unnamed = linkFields([...urls].filter((url) => !labels.has(url)));
  return [...unnamed, ...[...labels].flatMap(([url, label]) => namedLink(label, url))];
}

async function sectionFields(section: JsonObject, context: Context): Promise<TreeField[]> {
  section.skip('name', 'hideAddAnotherField');
  const heading = section.text('title').trim();
  const fields: TreeField[] = [];
  for (const field of section.objects('fields')) {
    field.skip(
      'guarded',
      'multiline',
      'dontGenerate',
      'placeholder',
      'inputTraits',
      'clipboardFilter',
      'indexAtSource',
    );
    const [id, name] = [field.text('id'), field.text('title').trim()];
    const title = name === '' ? titleOfName(id) : name;
    fields.push(
      ...(await valueFields(heading === '' ? title : `${heading} › ${title}`, field.object('value'), context)),
    );
  }
  return fields;
}

const SECRET = new Set(['concealed', 'creditCardNumber']);
const TEXTS = new Set(['string', 'phone', 'menu', 'gender', 'creditCardType', 'email', ...SECRET]);
const ADDRESS = ['street', 'zip', 'city', 'state', 'country'];

/** A value has one member, named by its kind. */
async function valueFields(title: string, value: JsonObject, context: Context): Promise<TreeField[]> {
  const fields: TreeField[] = [];
  for (const kind of value.names) fields.push(...(await fieldsOfKind(title, kind, value, context)));
  return fields;
}

async function fieldsOfKind(title: string, kind: string, value: JsonObject, context: Context): Promise<TreeField[]> {
  const { tree, files, titles, place } = context;
  if (TEXTS.has(kind) && typeof value.peek(kind) === 'string')
    return namedField(title, value.text(kind), SECRET.has(kind));
  const number = value.number(kind);
  switch (kind) {
    case 'totp': {
      const text = value.text(kind);
      return text.trim() === '' ? [] : otpFields(tree, text, place);
    }
    case 'url':
      return namedLink(title, value.text(kind));
    case 'date':
      return number === null ? [] : namedField(title, shownDay(number * 1000));
    case 'monthYear':
      return number === null ? [] : namedField(title, monthOf(number));
    case 'email': {
      const email = value.object(kind);
      return [
        ...namedField(title, email.text('email_address')),
        ...namedField(`${title} › Provider`, email.text('provider')),
      ];
    }
    case 'address': {
      const address = value.object(kind);
      return addressField(
        title,
        ADDRESS.map((line) => address.text(line)),
      );
    }
    case 'sshKey':
      return sshFields(title, value.object(kind));
    case 'file':
      return files.take(value.object(kind), place);
    case 'reference': {
      const id = value.text(kind);
      return namedField(title, titles.get(id) ?? id);
    }
    case 'ssoLogin': {
      const known = value.peek(kind);
      value.skip(kind);
      return namedField(title, known === null || known === undefined ? '' : writtenValue(known));
    }
    default:
      return unknownKind(title, kind, value, context);
  }
}

function unknownKind(title: string, kind: string, value: JsonObject, { tree, place }: Context): TreeField[] {
  const unknown = value.peek(kind);
  value.skip(kind);
  if (unknown === null || unknown === '') return [];
  tree.leaveOut('member', 'unknown in this kind of file, kept as a note', `${place}: ${title}`);
  return [noteField(title, writtenValue(unknown))];
}

const monthOf = (yyyymm: number): string =>
  shownMonth(String(Math.floor(yyyymm / 100)), String(yyyymm % 100)) ?? String(yyyymm);

function sshFields(title: string, key: JsonObject): TreeField[] {
  const about = key.object('metadata');
  const secret = key.text('privateKey');
  const own = about.text('privateKey');
  return [
    ...(secret === '' ? [] : [passwordField('Private key', '', secret)]),
    ...(own === '' || own === secret ? [] : [passwordField(`${title} › Private key`, '', own)]),
    ...namedField('Public key', about.text('publicKey')),
    ...namedField('Fingerprint', about.text('fingerprint')),
    ...namedField('Key type', about.text('keyType')),
  ];
}
