/** The frozen vectors with their types, and the key bundle made of them. */
import vectors from './fixtures/pb1_vectors.json' with { type: 'json' };

export const OTHER_ID = 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff';

type Negative = readonly [name: string, code: string, index?: number];
export const VECTORS = { ...vectors, negative: vectors.negative as unknown as readonly Negative[] };

const hexToBase64 = (hex: string) =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

export const LOCKED_KEYRING = {
  user_id: vectors.ids.user_id,
  keyset: { version: 1, blob_base64: vectors.keyset.blob_base64 },
  certificate: {
    v: 1 as const,
    user_id: vectors.ids.user_id,
    keyset_version: 1,
    ed25519_base64: hexToBase64(vectors.identity.ed25519_pub_hex),
    rsa_spki_base64: vectors.identity.rsa_spki_base64,
    prev_fpr: '',
    fpr: vectors.identity.fingerprint_hex,
    sig_base64: hexToBase64(vectors.cert.sig_hex),
    sig_prev_base64: null,
  },
  slots: [
    {
      slot_id: vectors.ids.slot_id,
      slot_type: 'password',
      kdf: vectors.kdf.kdf,
      salt_base64: vectors.kdf.salt_base64,
      blob_base64: vectors.slot.blob_base64,
    },
  ],
};
