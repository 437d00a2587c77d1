import { decodeBase64 } from '../bytes.ts';
import { CryptoError } from '../errors.ts';
import { openLegacyPrivateKey, unwrapLegacySecret } from './open-legacy-key.ts';
import { openLegacyValue } from './open-legacy-value.ts';

interface LegacyField {
  readonly field_id: string;
  readonly encrypted_value_base64: string;
  readonly initialization_vector_base64: string;
}

/** Offline database of the older format (docs/spec/crypto.md §21). */
export interface LegacyDatabase {
  readonly key: { readonly rsa_private_key_base64: string };
  readonly salt: { readonly salt_base64: string };
  readonly database: {
    readonly data: {
      readonly groups: readonly {
        readonly encrypted_aes_password_base64: string;
        readonly entries: readonly Readonly<
          Record<'passwords' | 'links' | 'notes' | 'files' | 'TOTPs', readonly LegacyField[]>
        >[];
      }[];
    };
  };
}

/** By field id. Neither values nor their fields are authenticated. @throws CryptoError `legacy`, `base64` */
export async function openLegacyDatabase(
  { key, salt, database }: LegacyDatabase,
  masterPassword: string,
): Promise<ReadonlyMap<string, string>> {
  const pem = new TextDecoder().decode(decodeBase64(key.rsa_private_key_base64));
  const privateKey = await openLegacyPrivateKey(pem, masterPassword);
  const siteSalt = decodeBase64(salt.salt_base64);
  const values = new Map<string, string>();
  for (const { encrypted_aes_password_base64, entries } of database.data.groups) {
    const groupPassword = await unwrapLegacySecret(privateKey, decodeBase64(encrypted_aes_password_base64));
    for (const { passwords, links, notes, files, TOTPs } of entries) {
      for (const field of [...passwords, ...links, ...notes, ...files, ...TOTPs]) {
        const ciphertext = decodeBase64(field.encrypted_value_base64);
        const initializationVector = decodeBase64(field.initialization_vector_base64);
        const value = await openLegacyValue({ groupPassword, siteSalt, initializationVector, ciphertext });
        values.set(field.field_id, textOf(value));
      }
    }
    groupPassword.fill(0);
  }
  return values;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CryptoError('legacy');
  }
}
