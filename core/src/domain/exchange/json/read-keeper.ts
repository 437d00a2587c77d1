/** Keeper JSON, of its web vault and of its Commander. */
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import type { Read } from '../formats.ts';
import { otpFields } from '../otp-migration.ts';
import type { TreeField } from '../tree.ts';
import { linkFields, treeBuilder, type TreeBuilder } from '../tree-builder.ts';
import { JsonObject, readJsonFile, sayUnread, unreadFields, writtenValue } from './json-object.ts';
import { addressField, namedField, namedLink, passwordWithPast, shownDay, titleOfName } from './named-fields.ts';
import { pacer } from './pacer.ts';

export const readKeeper: Read = async (file, _given, options) => {
  const tree = treeBuilder(options.now);
  const root = await readJsonFile(file, tree);
  for (const folder of root.objects('shared_folders', LIMITS.groups, 'groups')) {
    folder.skip('uid', 'manage_users', 'manage_records', 'can_edit', 'can_share');
    const path = pathOf(folder.text('path'));
    tree.group(path);
    for (const permission of folder.objects('permissions')) {
      tree.leaveOut('permission', 'of a group, which is not supported', path.join(' / '));
      permission.close();
    }
  }
  const records = root.objects('records', LIMITS.entries, 'entries');
  const pace = pacer(records.length, options);
  for (const record of records) {
    const turn = pace();
    if (turn !== undefined) await turn;
    record.skip('uid', '$type', 'schema', 'references');
    const title = record.text('title');
    const group = groupOf(record, title, tree);
    const place = tree.placeOf(group, title);
    const fields = [
      ...passwordWithPast(record.text('login'), record.text('password'), []),
      ...linkFields([record.text('login_url')]),
      ...customFields(record.object('custom_fields'), tree, place),
    ];
    const [notes, modified] = [record.text('notes'), record.seconds('last_modified')];
    tree.add({ group, title, notes, modified, fields: [...fields, ...unreadFields(record, tree, place)] });
  }
  sayUnread(root, tree);
  return tree.end();
};

function groupOf(record: JsonObject, title: string, tree: TreeBuilder): number {
  const groups = record.objects('folders').map((folder) => {
    folder.skip('can_edit', 'can_share');
    return tree.group([...pathOf(folder.text('shared_folder')), ...pathOf(folder.text('folder'))]);
  });
  const [first = 0] = groups;
  if (groups.length > 1) tree.leaveOut('entry', 'in several groups, kept in the first', tree.placeOf(first, title));
  return first;
}

/** A backslash separates; two of them are one in a name. */
const pathOf = (text: string): string[] =>
  text
    .replaceAll('\\\\', '\0')
    .split('\\')
    .filter((name) => name !== '')
    .map((name) => name.replaceAll('\0', '\\'));

const SECRET = new Set(['pinCode', 'secret', 'password', 'licenseNumber', 'passkey']);
const SECRET_PART = /^(?:privateKey|cardNumber|cardSecurityCode|accountNumber|answer|password)$/;
const DATES = new Set(['date', 'birthDate', 'expirationDate']);
const ADDRESS = ['street1', 'street2', 'zip', 'city', 'state', 'country'];

/** The names of custom fields are '$type:label:number', '$type' or any text. */
function customFields(custom: JsonObject, tree: TreeBuilder, place: string): TreeField[] {
  return custom.names.flatMap((name) => {
    const [, type = '', label = ''] = /^\$([^:]*):?(.*?)(?::\d+)?$/s.exec(name) ?? [];
    const plain = type === '' ? name.replace(/:\d+$/, '') : label.trim();
    const title =
      plain === '' ? titleOfName(type) : /^[a-z]+(?:[A-Z][a-z]+)+$/.test(plain) ? titleOfName(plain) : plain;
    const value = custom.peek(name);
    custom.skip(name);
    return (Array.isArray(value) ? value : [value]).flatMap((one) => fieldsOfValue(type, title, one, tree, place));
  });
}

function fieldsOfValue(type: string, title: string, value: unknown, tree: TreeBuilder, place: string): TreeField[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'object') return fieldsOfObject(type, title, value, tree, place);
  const text = writtenValue(value);
  if (type === 'oneTimeCode') return otpFields(tree, text, place);
  if (type === 'url') return namedLink(title === 'Url' ? 'URL' : title, text);
  if (DATES.has(type) && typeof value === 'number') return namedField(title, shownDay(value));
  return namedField(title, text, SECRET.has(type));
}

function fieldsOfObject(type: string, title: string, value: object, tree: TreeBuilder, place: string): TreeField[] {
  const parts = new JsonObject(value);
  const texts = (names: readonly string[]) => names.map((name) => parts.text(name)).filter((text) => text !== '');
  const known =
    type === 'name'
      ? namedField(title, texts(['first', 'middle', 'last']).join(' '))
      : type === 'address'
        ? addressField(title, texts(ADDRESS))
        : type === 'securityQuestion'
          ? namedField(parts.text('question') || title, parts.text('answer'), true)
          : parts.names.flatMap((name) =>
              namedField(partTitle(type, title, name), parts.text(name), SECRET.has(type) || SECRET_PART.test(name)),
            );
  return [
    ...known,
    ...parts.rest().flatMap(([path, rest]) => {
      tree.leaveOut('member', 'unknown in this kind of file, kept as a note', `${place}: ${title} › ${path}`);
      return namedField(`${title} › ${titleOfName(path)}`, writtenValue(rest), SECRET.has(type));
    }),
  ];
}

/** 'Private key' of a key pair says enough. */
const partTitle = (type: string, title: string, name: string) =>
  title === titleOfName(type) && type !== 'phone' ? titleOfName(name) : `${title} › ${titleOfName(name)}`;
