/** age files to one passphrase (age-encryption.org/v1, scrypt). They never protect values of this product. */
import { Decrypter, Encrypter } from 'age-encryption';

/** 256 MiB of memory. */
export const AGE_WORK_FACTOR = 18;

const HEAD = /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} (\d{1,2})\n/;

/** The work factor that opening asks for; null if the file is not to a passphrase. @param head its first 100 bytes or more */
export function ageWorkFactor(head: Uint8Array): number | null {
  const found = HEAD.exec(String.fromCharCode(...head.subarray(0, 100)))?.[1];
  return found === undefined ? null : Number(found);
}

export function sealAge(
  passphrase: string,
  source: ReadableStream<Uint8Array>,
  workFactor = AGE_WORK_FACTOR,
): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(source);
}

/** Null for a wrong passphrase. The stream ends with an error where the file is damaged. @throws Error for a damaged head */
export async function openAge(
  passphrase: string,
  source: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array> | null> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(source);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no identity matched')) return null;
    throw error;
  }
}
