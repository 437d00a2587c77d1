/**
 * The age head of an archive with the sealed identity as an additional stanza, so that the password alone
 * opens the file (docs/spec/threats.md §3.1.34).
 */
import { Decrypter, Encrypter, Stanza } from 'age-encryption';
import type { Identity } from 'age-encryption';
import { TAG_BYTES, expandKey } from '@passwordbroker/core/crypto/age-primitives.node';
import { sha256 } from '../../platform/secrets.ts';
import { ArchiveError, damaged } from './archive-problem.ts';
import { openIdentity } from './archive-key.ts';

export const AGE_MAGIC = Buffer.from('age-encryption.org/v1\n');
export const MOST_HEAD_BYTES = 16 * 1024;
const STANZA = 'passwordbroker-identity';
const NONCE = 16;

export type Opener = { readonly password: string } | { readonly identity: string };

const digestOf = (sealedIdentity: Uint8Array) => sha256(sealedIdentity).toString('base64').replaceAll('=', '');
const payloadKey = (fileKey: Uint8Array, nonce: Uint8Array) => expandKey(fileKey, nonce, 'payload');

/** Returns the head with its payload nonce, and the payload key. */
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
  // The payload of an empty file is only an authentication tag.
  const empty = Buffer.from(await encrypter.encrypt(new Uint8Array()));
  const head = empty.subarray(0, -TAG_BYTES);
  return { head, key: payloadKey(key, head.subarray(-NONCE)) };
}

/** Length with nonce. @throws ArchiveError `damaged` if `start` does not hold all of it */
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

/** Returns the identity, `AGE-SECRET-KEY-1…`. @throws ArchiveError */
export async function identityIn(headAndNonce: Buffer, password: string): Promise<string> {
  return openIdentity(await sealedIdentityIn(new Uint8Array(headAndNonce.subarray(0, -NONCE))), password);
}

/** @throws ArchiveError `foreign` for an age file of another program */
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
