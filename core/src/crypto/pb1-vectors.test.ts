/** The frozen vectors of profile PB1 (docs/spec/crypto.md §24), in Node and in Chromium. */
import { describe, expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { certificateMessage, fingerprintOf, verifyCertificate } from '../domain/keyring/certificate.ts';
import { type FieldContext, openField, openFile } from '../domain/fields/field.ts';
import { commitmentOf, deriveGroupKey, type GroupSecret } from '../domain/groups/grants.ts';
import { openGroup } from '../domain/groups/group-keys.ts';
import { unlock } from '../domain/keyring/keyring.ts';
import { pad } from '../domain/fields/padding.ts';
import { prove, verifyProof } from '../domain/keyring/proof.ts';
import { encodeSiteRules, siteRulesOf } from '../domain/sites/site-rules.ts';
import { hashRoster, verifyRoster } from '../domain/rosters/roster.ts';
import { LOCKED_KEYRING, OTHER_ID, VECTORS as V } from '../testing/pb1-vectors.ts';
import { argon2idWasm } from './argon2/argon2-wasm.ts';
import { type Bytes, decodeBase64, decodeHex, encodeBase64, encodeHex, encodePieces, utf8 } from './bytes.ts';
import { importSigningKey, publicKeyOf, sign, verify } from './ed25519.ts';
import { CryptoError } from './errors.ts';
import { DEFAULT_KDF, KDF_PROFILES, type Kdf, deriveMasterKey, deriveSealingKey, describeDerivation } from './kdf.ts';
import { deriveBytes } from './kdf.ts';
import { importSealingKey, open, sealWithSalt } from './seal.ts';
import { collect, openStream, sealStream } from './stream.ts';

const KDF: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idWasm };
const { user_id: userId, slot_id: slotId, entry_group_id: groupId, entry_id: entryId, field_id: fieldId } = V.ids;
const place: FieldContext = { entryGroupId: groupId, entryId, fieldId, type: 'password', rev: 1 };

const code = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'no error';
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    return error.index === undefined ? error.code : `${error.code} ${error.index}`;
  }
};

const groupKey = (version = 1, id = groupId) =>
  deriveGroupKey(decodeHex(V.group.group_secret_hex) as GroupSecret, id, version);
const bigPlaintext = Uint8Array.from({ length: 131_077 }, (_, at) => at % 251);
const bigBody = () =>
  collect(sealStream(decodeHex(V.file_big.file_key_hex), fieldId, [bigPlaintext], decodeHex(V.file_big.file_salt_hex)));

describe('PB1 vectors (P22)', () => {
  test.each(V.pae.map((row) => [row.in, row.out] as const))('PAE of %j', (pieces, out) => {
    expect(encodeHex(encodePieces(pieces))).toBe(out);
  });

  test.each([V.kdf.master_password, V.kdf.master_password_nfd_equals])(
    'the slot key of A1 for the master password %j',
    async (masterPassword) => {
      const salt = decodeBase64(V.kdf.salt_base64);
      const masterKey = await deriveMasterKey(KDF, V.kdf.kdf, masterPassword, salt);
      expect(describeDerivation(KDF_PROFILES.A1, salt)).toBe(V.kdf.desc);
      const kek = await deriveBytes(masterKey, new Uint8Array(0), ['pb1:kek', userId, slotId, V.kdf.desc], 32);
      expect(encodeHex(kek)).toBe(V.kdf.kek_hex);
    },
  );

  test('slot', async () => {
    const key = await importSealingKey(decodeHex(V.kdf.kek_hex));
    const context = { userId, slotId, slotType: 'password', desc: V.kdf.desc };
    expect(encodeHex(await open('slot', key, context, decodeBase64(V.slot.blob_base64)))).toBe(V.slot.user_key_hex);
  });

  test('identity, fingerprint and certificate', async () => {
    const seed = decodeHex(V.identity.ed25519_seed_hex);
    const ed25519 = await publicKeyOf(seed);
    const rsaSpki = decodeBase64(V.identity.rsa_spki_base64);
    expect(encodeHex(ed25519)).toBe(V.identity.ed25519_pub_hex);
    expect(await fingerprintOf(userId, ed25519, rsaSpki)).toBe(V.identity.fingerprint_hex);
    const message = certificateMessage({ userId, keysetVersion: 1, ed25519, rsaSpki, prevFingerprint: '' });
    expect(encodeHex(await sha256(message))).toBe(V.cert.msg_sha256);
    expect(encodeHex(await sign(await importSigningKey(seed), message))).toBe(V.cert.sig_hex);
    expect(await verify(ed25519, message, decodeHex(V.cert.sig_hex))).toBe(true);
    expect((await verifyCertificate(LOCKED_KEYRING.certificate)).fingerprint).toBe(V.identity.fingerprint_hex);
  });

  test('the whole keyring opens with the master password', async () => {
    const keyring = await unlock({ bundle: LOCKED_KEYRING, masterPassword: V.kdf.master_password, kdf: KDF });
    expect(keyring.fingerprint).toBe(V.identity.fingerprint_hex);
  });

  test('keyset', async () => {
    const key = await importSealingKey(decodeHex(V.slot.user_key_hex));
    const context = { userId, keysetVersion: 1, fingerprint: V.identity.fingerprint_hex };
    const keyset = JSON.parse(
      new TextDecoder().decode(await open('keyset', key, context, decodeBase64(V.keyset.blob_base64))),
    );
    expect(keyset).toEqual({
      v: 1,
      rsa_pkcs8_base64: V.identity.rsa_pkcs8_base64,
      ed25519_seed_base64: encodeBase64(decodeHex(V.identity.ed25519_seed_hex)),
    });
  });

  test('group key, second version and commitment', async () => {
    const secret = decodeHex(V.group.group_secret_hex) as GroupSecret;
    expect(encodeHex(await commitmentOf(secret, groupId, 1))).toBe(V.group.gk_commit_hex);
    const derived = (version: string) => deriveBytes(secret, new Uint8Array(0), ['pb1:gk', groupId, version], 32);
    expect(encodeHex(await derived('1'))).toBe(V.group.group_key_hex);
    expect(encodeHex(await derived('2'))).toBe(V.group.group_key_v2_hex);
  });

  test('grant and roster open the group', async () => {
    const keyring = await unlock({ bundle: LOCKED_KEYRING, masterPassword: V.kdf.master_password, kdf: KDF });
    const roster = {
      roster_base64: V.roster.roster_base64,
      roster_sig_base64: encodeBase64(decodeHex(V.roster.sig_hex)),
      signer_certificate: LOCKED_KEYRING.certificate,
    };
    const content = await verifyRoster(roster, groupId);
    expect(await hashRoster(decodeBase64(V.roster.roster_base64))).toBe(V.roster.sha256);
    expect(content.members).toEqual([{ userId, role: 'admin', fingerprint: V.identity.fingerprint_hex }]);
    expect(content.gkCommit).toBe(V.group.gk_commit_hex);
    const wire = { gk_version: 1, origin: 'client' as const, rosters: [roster], grants: [V.grant] };
    const opened = await openGroup(keyring, wire, groupId);
    const content2 = await openField(opened.groupKey, place, { rev: 1, gk_version: 1, ...V.field });
    expect(content2).toMatchObject({ type: 'password', title: 'prod db' });
  });

  test('field: wrap, value, payload and the repeated salt', async () => {
    const cek = await open(
      'cek',
      (await groupKey()).key,
      { ...place, gkVersion: 1 },
      decodeBase64(V.field.cek_wrapped_base64),
    );
    expect(encodeHex(cek)).toBe(V.field.cek_hex);
    const value = decodeBase64(V.field.encrypted_value_base64);
    const padded = await open('value', await importSealingKey(cek), place, value);
    expect(padded).toEqual(pad(utf8(V.field.payload)));
    expect(encodeBase64(value.subarray(4, 36))).toBe(V.field.initialization_vector_base64);
  });

  test('file field and small file', async () => {
    const content = await openField(
      await groupKey(),
      { ...place, type: 'file' },
      { rev: 1, gk_version: 1, ...V.file_field },
    );
    if (content.type !== 'file') throw new Error('not a file');
    expect(encodeHex(content.file.key)).toBe(V.file_small.file_key_hex);
    const bytes = await openFile(fieldId, content.file, [decodeBase64(V.file_small.blob_base64)]);
    expect(encodeHex(bytes)).toBe(V.file_small.plaintext_hex);
  });

  test('big file', async () => {
    const body = await bigBody();
    expect(body.length).toBe(V.file_big.blob_len);
    expect(encodeHex(await sha256(body))).toBe(V.file_big.blob_sha256);
    expect(await collect(openStream(decodeHex(V.file_big.file_key_hex), fieldId, [body]))).toEqual(bigPlaintext);
  });
});

describe('values of the specification that are not in the file', () => {
  test('slot key of a recovery key', async () => {
    const recoveryKey = Uint8Array.from({ length: 20 }, (_, at) => at);
    const kek = await deriveBytes(recoveryKey, new Uint8Array(0), ['pb1:kek', userId, slotId, 'hkdf-r1'], 32);
    expect(encodeHex(kek)).toBe('0fd7ac5edb6fe1b6b99b485159dce4787c1f83d832ed833c671cf4c25461c1fe');
  });

  test('proof', async () => {
    const request = {
      sessionId: '11111111-2222-4333-8444-555555555555',
      method: 'POST',
      path: `/passwordBroker/api/entryGroups/${groupId}/entries/bulkEdit/move`,
      bodyDigest: await sha256(utf8('{"entries":[]}')),
    };
    const header =
      'v1;ts=1795219200;nonce=AAECAwQFBgcICQoLDA0ODw==;sig=+k0RduQ99FgEfQk6/rTM4TnHAED9TX5hIInL2UILyJ4KUEoReUal4evXCAHqIiRFV5J9U6csZGC+XCRZ1IY5AA==';
    const key = await publicKeyOf(decodeHex(V.identity.ed25519_seed_hex));
    expect(await verifyProof(header, request, key)).toEqual({ ts: 1_795_219_200, nonce: 'AAECAwQFBgcICQoLDA0ODw==' });
    expect(await code(verifyProof(header, { ...request, path: '/other' }, key))).toBe('signature');
    const keyring = await unlock({ bundle: LOCKED_KEYRING, masterPassword: V.kdf.master_password, kdf: KDF });
    const own = await prove(keyring, request, 1_795_219_200_000);
    expect((await verifyProof(own, request, key)).ts).toBe(1_795_219_200);
  });

  const salt = new Uint8Array(32).fill(0x55);
  test('kind 5', async () => {
    const key = await importSealingKey(decodeHex(V.slot.user_key_hex));
    expect(encodeBase64(await sealWithSalt('doc', key, { userId, name: 'pins', n: 1 }, utf8('{"v":1}'), salt))).toBe(
      'UEIxBVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVlzz63Qe6pc+uzUcy68VGGm7JuSKiv9OekwzpxOsB57BinD6gz3HPb6ONpwaiJ22MTiAdsEHTYQ==',
    );
  });
  test('kind 6', async () => {
    const key = await importSealingKey(decodeHex(V.slot.user_key_hex));
    const context = { userId, serverOrigin: 'https://vault.example', timestamp: 1_795_219_200 };
    expect(encodeBase64(await sealWithSalt('offline', key, context, utf8('{"v":1}'), salt))).toBe(
      'UEIxBlVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVXt4CZ3/JN3MDl+3vc3GPXS+oDEegQzjxQZXGlPTX3NG81XKnStQ42V2OFG8mAzZo6wCCcfRVPg==',
    );
  });
  test('kind 8', async () => {
    const rules = siteRulesOf('https://example.org/login');
    expect(JSON.stringify({ v: 1, rules })).toBe(
      '{"v":1,"rules":[{"mode":"host","scheme":"https","host":"example.org","port":443}]}',
    );
    const key = await importSealingKey(decodeHex(V.field.cek_hex));
    const blob = await sealWithSalt('site', key, { ...place, type: 'link' }, encodeSiteRules(rules), salt);
    expect(blob.length).toBe(212);
    expect(encodeHex(await sha256(blob))).toBe('ea7854bfd35502c9195ee7e2b0e2b779b33865514938988f9fd4445ce2bb122d');
  });
});

/** How each negative of the file is built from its positives. */
const value = () => decodeBase64(V.field.encrypted_value_base64);
const openValue = async (at: Partial<FieldContext>, blob: Bytes = value()) =>
  open('value', await importSealingKey(decodeHex(V.field.cek_hex)), { ...place, ...at }, blob);
const openWrap = async (key: Awaited<ReturnType<typeof groupKey>>) =>
  open(
    'cek',
    key.key,
    { ...place, entryGroupId: key.groupId, gkVersion: key.version },
    decodeBase64(V.field.cek_wrapped_base64),
  );
const flipped = (at: number) => {
  const blob = value();
  blob[at] = (blob[at] ?? 0) ^ 1;
  return blob;
};
const salt = decodeBase64(V.kdf.salt_base64);
let derivations = 0;
const spied: Kdf = { ...KDF, argon2id: (...args) => ((derivations += 1), argon2idWasm(...args)) };
const openSlot = async (masterPassword: string, owner = userId) => {
  const masterKey = await deriveMasterKey(KDF, 'A1', masterPassword, salt);
  const key = await deriveSealingKey(masterKey, ['pb1:kek', owner, slotId, V.kdf.desc]);
  return open(
    'slot',
    key,
    { userId: owner, slotId, slotType: 'password', desc: V.kdf.desc },
    decodeBase64(V.slot.blob_base64),
  );
};
const openBig = async (change: (body: Bytes) => Bytes, id = fieldId, key = V.file_big.file_key_hex) =>
  collect(openStream(decodeHex(key), id, [change(await bigBody())]));
const chunk = (body: Bytes, index: number) => body.subarray(36 + index * 65_552, 36 + (index + 1) * 65_552);
const join = (...parts: Bytes[]): Bytes => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
};

const NEGATIVES: Record<string, () => Promise<unknown>> = {
  'value opened as other field_id': () => openValue({ fieldId: OTHER_ID }),
  'value opened as other entry': () => openValue({ entryId: OTHER_ID }),
  'value opened as other type (note)': () => openValue({ type: 'note' }),
  'value opened as other rev': () => openValue({ rev: 2 }),
  'cek opened for other group': async () => openWrap({ ...(await groupKey()), groupId: OTHER_ID }),
  'cek opened with key version 2': async () => openWrap({ ...(await groupKey()), version: 2 }),
  'cek blob presented as value': () => openValue({}, decodeBase64(V.field.cek_wrapped_base64)),
  'bit flip at 0': () => openValue({}, flipped(0)),
  'bit flip at 3': () => openValue({}, flipped(3)),
  'bit flip at 4': () => openValue({}, flipped(4)),
  'bit flip at 36': () => openValue({}, flipped(36)),
  'bit flip at 68': () => openValue({}, flipped(68)),
  'bit flip at 211': () => openValue({}, flipped(211)),
  'truncated tag': () => openValue({}, value().slice(0, -1)),
  'wrong master password': () => openSlot('wrong'),
  'slot of other user': () => openSlot(V.kdf.master_password, OTHER_ID),
  'kdf unknown (A9)': () => deriveMasterKey(spied, 'A9', 'x', salt),
  'kdf of tests (T0)': () => deriveMasterKey(spied, 'T0', 'x', salt),
  'kdf null': () => deriveMasterKey(spied, null, 'x', salt),
  'kdf numbers instead of a name': () => deriveMasterKey(spied, { m: 8, t: 1, p: 1 }, 'x', salt),
  'kdf salt 8 bytes': () => deriveMasterKey(spied, 'A1', 'x', salt.slice(0, 8)),
  'file truncated at chunk boundary': () => openBig((body) => body.slice(0, 36 + 2 * 65_552)),
  'file chunks swapped': () =>
    openBig((body) => join(body.slice(0, 36), chunk(body, 1), chunk(body, 0), body.slice(36 + 2 * 65_552))),
  'file extended': () => openBig((body) => join(body, chunk(body, 0))),
  'file other field': () => openBig((body) => body, OTHER_ID),
  'file key of another upload': () => openBig((body) => body, fieldId, V.file_small.file_key_hex),
};

describe('PB1 negatives (P22)', () => {
  test('every negative of the file is built here, and no other', () => {
    expect(Object.keys(NEGATIVES)).toEqual(V.negative.map(([name]) => name));
    expect(V.negative).toHaveLength(26);
  });

  test.each(V.negative)('%s → %s', async (name, expected, index) => {
    const build = NEGATIVES[String(name)];
    if (build === undefined) throw new Error('not built');
    expect(await code(build())).toBe(index === undefined ? expected : `${expected} ${index}`);
  });

  test('a rejected profile never reaches Argon2', () => {
    expect(derivations).toBe(0);
  });
});
