/** Sealing and opening one revision of one field, and its file body (`crypto.md` §10–§12). */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, randomBytes } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import { importSealingKey, open, seal, sealSoon } from '../crypto/seal.ts';
import { FILE_KEY_BYTES, checkFile, collect, openStream, sealStream } from '../crypto/stream.ts';
import type { FieldType } from './field-kinds.ts';
import type { GroupKey } from './grants.ts';
import { type FieldContent, type FileSecret, decodePayload, encodePayload } from './payload.ts';

/** Where a revision stands. Taken from the path that a person acted on, never from an answer. */
export interface FieldPlace {
  readonly entryGroupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly type: FieldType;
  readonly rev: number;
}

/** The sealed members of a write. */
export interface SealedRevisionWire {
  readonly rev: number;
  readonly crypto_profile: 'pb1';
  readonly gk_version: number;
  readonly cek_wrapped: string;
  readonly value_encrypted: string;
  readonly initialization_vector: string;
}

/** The sealed members of an envelope. */
export interface EnvelopeWire {
  readonly rev: number;
  readonly gk_version: number;
  readonly cek_wrapped_base64: string;
  readonly encrypted_value_base64: string;
}

const SALT_START = 4;
const SALT_END = 36;

/** Seals content under a content key of its own, and that key under the group's. */
export async function sealField(
  groupKey: GroupKey,
  place: FieldPlace,
  content: FieldContent,
): Promise<SealedRevisionWire> {
  checkPlace(groupKey, place);
  if (place.type !== content.type) throw new CryptoError('payload');
  const cek = randomBytes(32);
  const payload = encodePayload(content);
  try {
    const contentKey = await importSealingKey(cek);
    const [value, wrapped] = await Promise.all([
      sealSoon('value', contentKey, valueContext(place), payload),
      sealSoon('cek', groupKey.key, cekContext(place, groupKey), cek),
    ]);
    return {
      rev: place.rev,
      crypto_profile: 'pb1',
      gk_version: groupKey.version,
      cek_wrapped: encodeBase64(wrapped),
      value_encrypted: encodeBase64(value),
      initialization_vector: encodeBase64(value.subarray(SALT_START, SALT_END)),
    };
  } finally {
    cek.fill(0);
    payload.fill(0);
  }
}

/** @throws CryptoError `commit` when value or key belong to another place, `tag`, `kind`, `padding`, `payload`, … */
export async function openField(groupKey: GroupKey, place: FieldPlace, envelope: EnvelopeWire): Promise<FieldContent> {
  const cek = await unwrapContentKey(groupKey, place, envelope.cek_wrapped_base64);
  try {
    const contentKey = await importSealingKey(cek);
    const payload = await open('value', contentKey, valueContext(place), decodeBase64(envelope.encrypted_value_base64));
    try {
      return decodePayload(payload, place.type);
    } finally {
      payload.fill(0);
    }
  } finally {
    cek.fill(0);
  }
}

/** The content key of one revision, wrapped anew for another group or key version; value and body stay as they are. */
export async function rewrapField(
  from: GroupKey,
  to: GroupKey,
  place: FieldPlace,
  cekWrappedBase64: string,
): Promise<string> {
  const cek = await unwrapContentKey(from, place, cekWrappedBase64);
  try {
    const target = { ...place, entryGroupId: to.groupId };
    checkPlace(to, target);
    return encodeBase64(await seal('cek', to.key, cekContext(target, to), cek));
  } finally {
    cek.fill(0);
  }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What is sealed for a place that cannot be could never be opened again. @throws CryptoError `payload` */
function checkPlace(groupKey: GroupKey, { entryGroupId, entryId, fieldId, rev }: FieldPlace): void {
  const isPlace = entryGroupId === groupKey.groupId && [entryGroupId, entryId, fieldId].every((id) => ID.test(id));
  if (!isPlace || !Number.isSafeInteger(rev) || rev < 1) throw new CryptoError('payload');
}

function unwrapContentKey(groupKey: GroupKey, place: FieldPlace, cekWrappedBase64: string): Promise<Bytes> {
  return open('cek', groupKey.key, cekContext(place, groupKey), decodeBase64(cekWrappedBase64));
}

const valueContext = ({ entryId, fieldId, rev, type }: FieldPlace) => ({ entryId, fieldId, rev, type });
const cekContext = (place: FieldPlace, groupKey: GroupKey) => ({ ...place, gkVersion: groupKey.version });

/** Seals a file in memory; its key goes into the field's payload. */
export async function sealFile(
  fieldId: string,
  file: { name: string; mime: string; bytes: Bytes },
): Promise<{ body: Bytes; secret: FileSecret }> {
  const key = randomBytes(FILE_KEY_BYTES);
  const body = await collect(sealStream(key, fieldId, [file.bytes]));
  const { name, mime, bytes } = file;
  return { body, secret: { name, mime, size: bytes.length, sha256: await sha256(bytes), key } };
}

/** The plain bytes, only after the last check. @throws CryptoError `file_header`, `file_chunk`, `file_empty_final`, `file_mismatch` */
export async function openFile(
  fieldId: string,
  secret: FileSecret,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Bytes> {
  const bytes = await collect(openStream(secret.key, fieldId, body));
  checkFile({ size: bytes.length, sha256: await sha256(bytes) }, secret);
  return bytes;
}
