/** Fields of the credentials of one item, by their types. */
import { sha256 } from '#primitives';
import { type Bytes, encodeBase64 } from '../../../crypto/bytes.ts';
import type { JsonObject } from '../json/json-object.ts';
import { writtenValue } from '../json/json-object.ts';
import { addressField, namedField, titleOfName } from '../json/named-fields.ts';
import { bytesOf, fieldOfPasskey, toBase64Url } from '../json/passkey.ts';
import { otpField, totpOf } from '../one-time-password.ts';
import type { TreeField } from '../tree.ts';
import { fileField, noteField, passwordField, type TreeBuilder } from '../tree-builder.ts';
import { CREDENTIALS, editableField, editableValue, labelOf } from './editable-fields.ts';

export interface CredentialContext {
  readonly tree: TreeBuilder;
  /** Of all items of the account, by their ids. */
  readonly titles: ReadonlyMap<string, string>;
  readonly place: string;
}

export interface ItemFields {
  /** Passwords and codes to sign in with. */
  readonly first: readonly TreeField[];
  readonly others: readonly TreeField[];
  /** The first note. */
  readonly notes: string;
}

/** Of all but files. */
export function credentialFields(credentials: readonly JsonObject[], context: CredentialContext): ItemFields {
  const [first, others]: TreeField[][] = [[], []];
  let notes = '';
  const described = credentials.filter((credential) => CREDENTIALS[credential.text('type')] !== undefined);
  for (const credential of credentials) {
    const type = credential.text('type');
    // Several cards or documents of one item stay apart.
    const heading = described.length > 1 && described.includes(credential) ? `${titleOfName(type)} › ` : '';
    if (type === 'note' && notes === '') notes = editableValue(credential, 'content');
    else (FIRST.has(type) ? first : others)?.push(...fieldsOf(type, credential, heading, context));
  }
  return { first: first ?? [], others: others ?? [], notes };
}

const FIRST = new Set(['basic-auth', 'totp', 'generated-password']);

function fieldsOf(type: string, credential: JsonObject, heading: string, context: CredentialContext): TreeField[] {
  const table = CREDENTIALS[type];
  if (table !== undefined) return table.flatMap(([member, title]) => editableField(credential, member, title, heading));
  switch (type) {
    case 'basic-auth':
      return basicAuth(credential);
    case 'generated-password':
      return [passwordField('Generated password', '', credential.text('password'))];
    case 'totp':
      return totpFields(credential, context);
    case 'note':
      return [noteField('Notes', editableValue(credential, 'content'))];
    case 'custom-fields':
      return customFields(credential);
    case 'passkey':
      return [passkey(credential)];
    case 'file':
      return [];
    case 'ssh-key':
      return sshKey(credential);
    case 'address':
      return address(credential);
    case 'item-reference':
      return itemReference(credential, context);
    default:
      return unknown(type, credential, context);
  }
}

/** The label of a password that stands apart from the others is its title. */
function basicAuth(credential: JsonObject): TreeField[] {
  const login = editableValue(credential, 'username');
  const title = labelOf(credential, 'password') || 'Password';
  return [passwordField(title, login, editableValue(credential, 'password'))];
}

function totpFields(credential: JsonObject, { tree, place }: CredentialContext): TreeField[] {
  const [secret, algorithm] = [credential.text('secret'), credential.text('algorithm')];
  const [period, digits] = [credential.text('period'), credential.text('digits')];
  const [username, issuer] = [credential.text('username'), credential.text('issuer')];
  if (secret === '') return [];
  const read = totpOf({ secret, algorithm, period, digits });
  const text = JSON.stringify({ secret, period, digits, algorithm, username, issuer });
  const about =
    read === null ? [] : [...namedField('Issuer of codes', issuer), ...namedField('Account of codes', username)];
  return [otpField(tree, read, text, place), ...about];
}

function customFields(credential: JsonObject): TreeField[] {
  credential.skip('id');
  const heading = credential.text('label').trim();
  return credential.objects('fields').flatMap((field) => {
    const label = field.text('label');
    const title = heading === '' ? label : label === '' ? heading : `${heading} › ${label}`;
    return editableField(field, null, title);
  });
}

function passkey(credential: JsonObject): TreeField {
  const text = (name: string) => credential.text(name);
  const extensions = credential.peek('fido2Extensions');
  credential.skip('fido2Extensions');
  return fieldOfPasskey(
    {
      credentialId: text('credentialId'),
      rpId: text('rpId'),
      username: text('username'),
      userDisplayName: text('userDisplayName'),
      userHandle: text('userHandle'),
      key: text('key'),
    },
    { fido2Extensions: extensions },
  );
}

/** The content of a document; null if it is not in the file. */
export type TakeDocument = (id: string) => Promise<Bytes | null>;

/** None, and said, unless the document is there as it was. */
export async function documentFields(
  credential: JsonObject,
  take: TakeDocument,
  { tree, place }: CredentialContext,
): Promise<TreeField[]> {
  const [id, name] = [credential.text('id'), credential.text('name')];
  const [size, digest] = [credential.number('decryptedSize'), credential.text('integrityHash')];
  const bytes = await take(id);
  if (bytes === null) tree.leaveOut('attachment', 'its content is not in the file', place);
  else if (bytes.length === size && (await digestOf(bytes)) === digest) return [fileField(name, bytes)];
  else tree.leaveOut('attachment', 'its content does not fit its checksum', place);
  return [];
}

export async function digestOf(bytes: Bytes): Promise<string> {
  return toBase64Url(await sha256(bytes));
}

function sshKey(credential: JsonObject): TreeField[] {
  const written = credential.text('privateKey');
  return [
    ...namedField('Private key', pemOf(written), true),
    ...namedField('Key type', credential.text('keyType')),
    ...namedField('Comment', credential.text('keyComment')),
    ...editableField(credential, 'creationDate', 'Created'),
    ...editableField(credential, 'expiryDate', 'Expires'),
    ...editableField(credential, 'keyGenerationSource', 'Made with'),
  ];
}

/** Of PKCS#8 in base64url; any other text stays as it is. */
function pemOf(written: string): string {
  try {
    const lines = encodeBase64(bytesOf(written)).match(/.{1,64}/g) ?? [];
    return written === '' ? '' : `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`;
  } catch {
    return written;
  }
}

function address(credential: JsonObject): TreeField[] {
  const lines = ['streetAddress', 'postalCode', 'city', 'territory', 'country'];
  return [
    ...addressField(
      'Address',
      lines.map((line) => editableValue(credential, line)),
    ),
    ...editableField(credential, 'tel', 'Phone'),
  ];
}

function itemReference(credential: JsonObject, { titles }: CredentialContext): TreeField[] {
  const reference = credential.object('reference');
  reference.skip('account');
  const id = reference.text('item');
  return namedField('Refers to', titles.get(id) ?? id);
}

function unknown(type: string, credential: JsonObject, { tree, place }: CredentialContext): TreeField[] {
  const members = Object.fromEntries(credential.names.map((name) => [name, credential.peek(name)]));
  credential.close();
  tree.leaveOut('member', 'unknown in this kind of file, kept as a note', `${place}: ${type}`);
  return [noteField(type, writtenValue(members))];
}
