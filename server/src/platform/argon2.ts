/** Argon2id by the native library, off the event loop. A start does not wait for it: it is loaded behind the first answers, or by who asks before. */
import type { Argon2id } from '@passwordbroker/core/crypto/kdf';

/** `Algorithm.Argon2id`, a const enum that isolated modules cannot read. */
const ARGON2ID = 2;

let isMissing = false;

async function library() {
  try {
    const loaded = await import('@node-rs/argon2');
    isMissing = false;
    return loaded;
  } catch (error) {
    isMissing = true;
    throw error;
  }
}

/** Throws when it is not the one of this machine. */
export const loadArgon2 = async (): Promise<void> => void (await library());

/** Whether it was asked for and could not be loaded: nobody can sign in then. */
export const isArgon2Missing = (): boolean => isMissing;

/** The raw 32 bytes that the key hierarchy wants. */
export const argon2idNative: Argon2id = async (password, salt, profile) => {
  const { hashRaw } = await library();
  const raw = await hashRaw(password, {
    algorithm: ARGON2ID,
    salt,
    memoryCost: profile.memoryKib,
    timeCost: profile.iterations,
    parallelism: profile.parallelism,
    outputLen: 32,
  });
  const key = new Uint8Array(raw);
  raw.fill(0);
  return key;
};

/** Parameters of account passwords: OWASP, ASVS (threats §3.1.7). */
const ACCOUNT = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const ACCOUNT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** PHC string of an account password. */
export const hashAccountPassword = async (password: string): Promise<string> =>
  (await library()).hash(password, ACCOUNT);

/** Whether the password belongs to the PHC string. */
export const verifyAccountPassword = async (phc: string, password: string): Promise<boolean> =>
  (await library()).verify(phc, password);

/** Whether the string was made with other parameters than today's. */
export const isOutdatedHash = (phc: string): boolean => !phc.startsWith(ACCOUNT_PREFIX);

/** A fixed hash of nothing in particular: signing in with an unknown e-mail takes as long as with a known one. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$ZgKGqrCed68dZWgJrLVEjA$iPrfVLfjBzJriX8jSMkkQ6puvEfx1fblykVCVmiRWEA';
