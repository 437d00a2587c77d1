/**
 * An age identity, stored only under the archive password; backups encrypt to its recipient
 * (docs/spec/threats.md §3.1.34).
 */
import {
  Decrypter,
  Encrypter,
  Stanza,
  generateX25519Identity,
  identityToRecipient,
  type Identity,
  type Recipient,
} from 'age-encryption';
import { TAG_BYTES, openPiece, scryptKey, sealPiece, expandKey } from '@passwordbroker/core/crypto/age-primitives.node';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { ArchiveError, damaged } from './archive-problem.ts';
import { WORK_FACTOR } from './archive-format.ts';
import { sha256 } from '../../platform/ids-and-digests.ts';

export const AGE_MAGIC = Buffer.from('age-encryption.org/v1\n');
export const MOST_HEAD_BYTES = 16 * 1024;
const STANZA = 'passwordbroker-identity';
const NONCE = 16;

export type Opener = { readonly password: string } | { readonly identity: string };

export interface ArchiveKey {
  readonly recipient: string;
  readonly sealedIdentity: Buffer;
}

export async function makeArchiveKey(password: string, workFactor: number): Promise<ArchiveKey> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const encrypter = new Encrypter();
  encrypter.addRecipient(await scryptRecipient(password, workFactor));
  const sealedIdentity = await encrypter.encrypt(identityFile(identity, workFactor));
  return { recipient, sealedIdentity: Buffer.from(sealedIdentity) };
}

/** @throws ArchiveError `password`, `damaged` */
export async function openIdentity(sealedIdentity: Uint8Array, password: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(scryptIdentity(password));
  const text = await decrypter.decrypt(new Uint8Array(sealedIdentity), 'text').catch((error: unknown) => {
    throw error instanceof ArchiveError ? error : damaged('sealed identity');
  });
  const [identity] = /^AGE-SECRET-KEY-1[0-9A-Z]+$/m.exec(text) ?? [];
  if (identity === undefined) throw damaged('sealed identity without a key');
  return identity;
}

/** Padded so that base64 needs no `=`, which age omits and others require. */
function identityFile(identity: string, workFactor: number): string {
  const text = `# PasswordBroker archive key\n${identity}\n`;
  const sealedBytes = HEAD_BYTES + String(workFactor).length + text.length;
  return text + '\n'.repeat((3 - (sealedBytes % 3)) % 3);
}

/** Size of the age file without content and work factor. */
const HEAD_BYTES = 'age-encryption.org/v1\n'.length + '-> scrypt  \n'.length + 22 + 44 + '--- \n'.length + 43 + 16 + 16;

const LABEL = 'age-encryption.org/v1/scrypt';
const ZERO_NONCE = Buffer.alloc(12);
const FILE_KEY_BYTES = 16;

const wrapKey = (password: string, salt: Uint8Array, logN: number): Promise<Buffer> =>
  scryptKey(password, Buffer.concat([Buffer.from(LABEL), salt]), logN);

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');

async function scryptRecipient(password: string, logN: number): Promise<Recipient> {
  const salt = randomBytes(16);
  const key = await wrapKey(password, salt, logN);
  return {
    wrapFileKey(fileKey) {
      const body = new Uint8Array(sealPiece(key, ZERO_NONCE, fileKey));
      return [new Stanza(['scrypt', unpadded(salt), String(logN)], body)];
    },
  };
}

function scryptIdentity(password: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const [stanza, ...others] = stanzas;
      const [kind, salt = '', logN = ''] = stanza?.args ?? [];
      const isOurs = kind === 'scrypt' && others.length === 0 && stanza?.body.length === FILE_KEY_BYTES + TAG_BYTES;
      if (!isOurs || !/^[1-9]\d?$/.test(logN) || Number(logN) > WORK_FACTOR) throw damaged('sealed identity');
      const key = await wrapKey(password, Buffer.from(salt, 'base64'), Number(logN));
      const fileKey = openPiece(key, ZERO_NONCE, stanza.body);
      if (fileKey === null) throw new ArchiveError('password', 'sealed identity');
      return new Uint8Array(fileKey);
    },
  };
}

const digestOf = (sealedIdentity: Uint8Array) => sha256(sealedIdentity).toString('base64').replaceAll('=', '');
const payloadKey = (fileKey: Uint8Array, nonce: Uint8Array) => expandKey(fileKey, nonce, 'payload');

/**
 * Returns head with nonce, and payload key. A stanza holds the sealed identity, so that the password alone
 * opens the file.
 */
export async function makeAgeHead(
  recipients: readonly string[],
  sealedIdentity: Uint8Array,
): Promise<{ readonly head: Buffer; readonly key: Buffer }> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  let key: Uint8Array = new Uint8Array();
  encrypter.addRecipient({
    wrapFileKey(fileKey) {
      key = Uint8Array.from(fileKey);
      // Distinguishes a damaged identity from a wrong password.
      return [new Stanza([STANZA, digestOf(sealedIdentity)], new Uint8Array(sealedIdentity))];
    },
  });
  // An empty payload is only a tag.
  const empty = Buffer.from(await encrypter.encrypt(new Uint8Array()));
  const head = empty.subarray(0, -TAG_BYTES);
  return { head, key: payloadKey(key, head.subarray(-NONCE)) };
}

/** Length with nonce. @throws ArchiveError `damaged` if `start` is too short */
export function ageHeadLength(start: Buffer): number {
  const text = start.subarray(0, MOST_HEAD_BYTES).toString('latin1');
  const found = /\n--- [^\n]*\n/.exec(text);
  if (found === null) throw damaged('age head');
  return found.index + found[0].length + NONCE;
}

/** Returns the payload key. @throws ArchiveError */
export async function openAgeHead(headAndNonce: Buffer, opener: Opener | null): Promise<Buffer> {
  const head = new Uint8Array(headAndNonce.subarray(0, -NONCE));
  const sealedIdentity = await sealedIdentityIn(head);
  if (opener === null) throw new ArchiveError('password', 'no password');
  const identity = 'identity' in opener ? opener.identity : await openIdentity(sealedIdentity, opener.password);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const fileKey = await decrypter.decryptHeader(head).catch(() => {
    throw damaged('age head');
  });
  return payloadKey(fileKey, headAndNonce.subarray(-NONCE));
}

/** @throws ArchiveError */
export async function identityIn(headAndNonce: Buffer, password: string): Promise<string> {
  return openIdentity(await sealedIdentityIn(new Uint8Array(headAndNonce.subarray(0, -NONCE))), password);
}

/** @throws ArchiveError `foreign` */
async function sealedIdentityIn(head: Uint8Array): Promise<Buffer> {
  const seen: Stanza[] = [];
  const looking = new Decrypter();
  const look: Identity = {
    unwrapFileKey(stanzas) {
      seen.push(...stanzas);
      return null;
    },
  };
  looking.addIdentity(look);
  // Always rejects: `look` returns no file key.
  await looking.decryptHeader(head).catch(() => {});
  if (seen.length === 0) throw damaged('age head');
  const ours = seen.find(({ args }) => args[0] === STANZA);
  if (ours === undefined) throw new ArchiveError('foreign', 'age file of another program');
  if (ours.args[1] !== digestOf(ours.body)) throw damaged('sealed identity in the head');
  return Buffer.from(ours.body);
}
