/** Argon2id by the native library, loaded on first use. */
import type * as Library from '@node-rs/argon2';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import type { Argon2id } from '@passwordbroker/core/crypto/kdf';

/** A const enum that isolated modules cannot read. */
const ARGON2ID = 2;

let isMissing = false;
/** Cached: repeated imports copy all exports. */
let loaded: typeof Library | undefined;

async function library() {
  if (loaded !== undefined) return loaded;
  try {
    loaded = await import('@node-rs/argon2');
    isMissing = false;
    return loaded;
  } catch (error) {
    isMissing = true;
    throw error;
  }
}

/** @throws if the native library for this machine is missing */
export const loadArgon2 = async (): Promise<void> => void (await library());

/** True after a failed load: nobody can sign in. */
export const isArgon2Missing = (): boolean => isMissing;

/** Derives 32 bytes in Node's thread pool. */
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

/** Hashes account passwords. Master passwords use `argon2idNative`. */
export interface AccountPasswords {
  /** Returns a PHC string. */
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (phc: string, password: string) => Promise<boolean>;
  /** Whether `hash` now uses other parameters. */
  readonly isOutdated: (phc: string) => boolean;
  /** Signing in with an unknown e-mail takes as long as with a known one. */
  readonly dummy: string;
  /** Returns a PHC string for an account without a password: no password verifies against it, and checking one takes as long. */
  readonly unusable: () => string;
}

interface Cost {
  readonly memoryKib: number;
  readonly iterations: number;
}

/** OWASP, ASVS (docs/spec/threats.md §3.1.7). */
const ACCOUNT_COST: Cost = { memoryKib: 19_456, iterations: 2 };

export function accountPasswords({ memoryKib, iterations }: Cost = ACCOUNT_COST): AccountPasswords {
  const options = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: iterations, parallelism: 1 };
  const prefix = `$argon2id$v=19$m=${memoryKib},t=${iterations},p=1$`;
  return {
    hash: async (password) => (await library()).hash(password, options),
    verify: async (phc, password) => (await library()).verify(phc, password),
    isOutdated: (phc) => !phc.startsWith(prefix),
    dummy: `${prefix}ZgKGqrCed68dZWgJrLVEjA$iPrfVLfjBzJriX8jSMkkQ6puvEfx1fblykVCVmiRWEA`,
    unusable: () => `${prefix}${unpadded(16)}$${unpadded(32)}`,
  };
}

const unpadded = (bytes: number) => Buffer.from(randomBytes(bytes)).toString('base64').replaceAll('=', '');
