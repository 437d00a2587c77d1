/**
 * The archive key (docs/spec/threats.md §3.1.34): an age identity, stored only under the archive password.
 * Backups encrypt to its recipient without the password.
 */
import { Decrypter, Encrypter, Stanza, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Identity, Recipient } from 'age-encryption';
import { TAG_BYTES, openPiece, scryptKey, sealPiece } from '@passwordbroker/core/crypto/age-primitives.node';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { ArchiveError, damaged } from './archive-problem.ts';
import { WORK_FACTOR } from './work-factor.ts';

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

/** Returns the identity, `AGE-SECRET-KEY-1…`. @throws ArchiveError `password`, `damaged` */
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

/**
 * Padded so that the sealed size is a multiple of three: base64 then needs no `=`, which age omits and other
 * programs require.
 */
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
