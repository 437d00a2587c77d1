/** Seals and opens one revision of a field, and its file body (docs/spec/crypto.md §10–§12). */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, randomBytes, sameBytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import {
  type SealingKey,
  importSealingKey,
  open,
  seal,
  sealMaybeSync,
  importSealingKeyMaybeSync,
} from '../../crypto/seal.ts';
import { type MaybePromise, bothThen, andThen, andFinally } from '../../crypto/maybe-promise.ts';
import { FILE_KEY_BYTES, checkFile, collect, openStream, sealStream } from '../../crypto/stream.ts';
import type { FieldType } from './field-kinds.ts';
import type { GroupKey } from '../groups/grants.ts';
import { type FieldContent, type FileSecret, decodePayload, encodePayload } from './payload.ts';
import { decodeSiteRules, encodeSiteRules, siteRulesOf, type SiteRules } from '../sites/site-rules.ts';

/**
 * Bound into a revision's seal (docs/spec/crypto.md §10). Build it from the path that a person opened, never
 * from a response.
 */
export interface FieldContext {
  readonly entryGroupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly type: FieldType;
  readonly rev: number;
}

export interface SealedRevisionWire {
  readonly rev: number;
  readonly crypto_profile: 'pb1';
  readonly gk_version: number;
  readonly cek_wrapped: string;
  readonly value_encrypted: string;
  readonly initialization_vector: string;
  /** Of a link. */
  readonly site_sealed?: string;
}

export interface SealedRevision {
  readonly rev: number;
  readonly gkVersion: number;
  readonly cek: Bytes;
  readonly value: Bytes;
  /** Null unless it is a link. */
  readonly site: Bytes | null;
}

export interface EnvelopeWire {
  readonly rev: number;
  readonly gk_version: number;
  readonly cek_wrapped_base64: string;
  readonly encrypted_value_base64: string;
  readonly site_sealed_base64?: string | undefined;
}

const SALT_START = 4;
const SALT_END = 36;

/** Seals the content under a new content key, and that key under the group's key. */
export const sealField = async (
  groupKey: GroupKey,
  place: FieldContext,
  content: FieldContent,
): Promise<SealedRevisionWire> => wireOf(await sealRevision(groupKey, place, content));

export const wireOf = ({ rev, gkVersion, cek, value, site }: SealedRevision): SealedRevisionWire => ({
  rev,
  crypto_profile: 'pb1',
  gk_version: gkVersion,
  cek_wrapped: encodeBase64(cek),
  value_encrypted: encodeBase64(value),
  initialization_vector: encodeBase64(value.subarray(SALT_START, SALT_END)),
  ...(site === null ? {} : { site_sealed: encodeBase64(site) }),
});

/** Like `sealField`, as bytes, synchronous in Node. */
export function sealRevision(
  groupKey: GroupKey,
  place: FieldContext,
  content: FieldContent,
): MaybePromise<SealedRevision> {
  checkPath(groupKey, place);
  if (place.type !== content.type) throw new CryptoError('payload');
  const cek = randomBytes(32);
  const payload = encodePayload(content);
  const sealAll = (contentKey: SealingKey) =>
    andThen(sealSite(contentKey, place, content), (site) =>
      bothThen<Bytes, Bytes, SealedRevision>(
        sealMaybeSync('value', contentKey, valueContext(place), payload),
        sealMaybeSync('cek', groupKey.key, cekContext(place, groupKey), cek),
        (value, wrapped) => ({ rev: place.rev, gkVersion: groupKey.version, cek: wrapped, value, site }),
      ),
    );
  return andFinally(
    () => andThen(importSealingKeyMaybeSync(cek), sealAll),
    () => {
      cek.fill(0);
      payload.fill(0);
    },
  );
}

function sealSite(contentKey: SealingKey, place: FieldContext, content: FieldContent): MaybePromise<Bytes | null> {
  if (content.type !== 'link') return null;
  const rules = content.sites ?? siteRulesOf(new TextDecoder().decode(content.value));
  return sealMaybeSync('site', contentKey, valueContext(place), encodeSiteRules(rules));
}

/**
 * A link's rules are absent if they do not open: its value does not depend on them.
 * @throws CryptoError `commit` if value or key belong to another path; others of `open`
 */
export function openField(groupKey: GroupKey, place: FieldContext, envelope: EnvelopeWire): Promise<FieldContent> {
  return withContentKey(groupKey, place, envelope.cek_wrapped_base64, async (contentKey) => {
    const payload = await open('value', contentKey, valueContext(place), decodeBase64(envelope.encrypted_value_base64));
    try {
      const content = decodePayload(payload, place.type);
      const site = envelope.site_sealed_base64;
      if (content.type !== 'link' || site === undefined) return content;
      const sites = await openRules(contentKey, place, site).catch(() => null);
      return sites === null ? content : { ...content, sites };
    } finally {
      payload.fill(0);
    }
  });
}

/** The rules alone, without the value. @throws CryptoError of `open`, `padding`, `payload` */
export const openSite = (
  groupKey: GroupKey,
  place: FieldContext,
  {
    cek_wrapped_base64,
    site_sealed_base64,
  }: { readonly cek_wrapped_base64: string; readonly site_sealed_base64: string },
): Promise<SiteRules> =>
  withContentKey(groupKey, place, cek_wrapped_base64, (contentKey) => openRules(contentKey, place, site_sealed_base64));

/** Other rules for the same revision, in base64. @throws CryptoError of `open`; `payload` as `encodeSiteRules` */
export const sealSiteAgain = (
  groupKey: GroupKey,
  place: FieldContext,
  cekWrappedBase64: string,
  rules: SiteRules,
): Promise<string> =>
  withContentKey(groupKey, place, cekWrappedBase64, async (contentKey) =>
    encodeBase64(await seal('site', contentKey, valueContext(place), encodeSiteRules(rules))),
  );

const openRules = async (contentKey: SealingKey, place: FieldContext, sealedBase64: string): Promise<SiteRules> =>
  decodeSiteRules(await open('site', contentKey, valueContext(place), decodeBase64(sealedBase64)));

async function withContentKey<T>(
  groupKey: GroupKey,
  place: FieldContext,
  cekWrappedBase64: string,
  work: (contentKey: SealingKey) => Promise<T>,
): Promise<T> {
  const cek = await unwrapContentKey(groupKey, place, cekWrappedBase64);
  try {
    return await work(await importSealingKey(cek));
  } finally {
    cek.fill(0);
  }
}

/** Wraps the content key of a revision for another group or key version. */
export async function rewrapField(
  from: GroupKey,
  to: GroupKey,
  place: FieldContext,
  cekWrappedBase64: string,
): Promise<string> {
  const cek = await unwrapContentKey(from, place, cekWrappedBase64);
  try {
    const target = { ...place, entryGroupId: to.groupId };
    checkPath(to, target);
    return encodeBase64(await seal('cek', to.key, cekContext(target, to), cek));
  } finally {
    cek.fill(0);
  }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Rejects impossible paths, because the value could never be opened. @throws CryptoError `payload` */
function checkPath(groupKey: GroupKey, { entryGroupId, entryId, fieldId, rev }: FieldContext): void {
  const isPlace = entryGroupId === groupKey.groupId && [entryGroupId, entryId, fieldId].every((id) => ID.test(id));
  if (!isPlace || !Number.isSafeInteger(rev) || rev < 1) throw new CryptoError('payload');
}

function unwrapContentKey(groupKey: GroupKey, place: FieldContext, cekWrappedBase64: string): Promise<Bytes> {
  return open('cek', groupKey.key, cekContext(place, groupKey), decodeBase64(cekWrappedBase64));
}

const valueContext = ({ entryId, fieldId, rev, type }: FieldContext) => ({ entryId, fieldId, rev, type });
const cekContext = ({ entryGroupId, entryId, fieldId, rev, type }: FieldContext, { version: gkVersion }: GroupKey) => ({
  entryGroupId,
  gkVersion,
  entryId,
  fieldId,
  rev,
  type,
});

export async function sealFile(
  fieldId: string,
  file: { name: string; mime: string; bytes: Bytes },
): Promise<{ body: Bytes; secret: FileSecret }> {
  const key = randomBytes(FILE_KEY_BYTES);
  const body = await collect(sealStream(key, fieldId, [file.bytes]));
  const { name, mime, bytes } = file;
  return { body, secret: { name, mime, size: bytes.length, sha256: await sha256(bytes), key } };
}

/** @throws CryptoError `file_header`, `file_chunk`, `file_empty_final`, `file_mismatch` */
export async function openFile(
  fieldId: string,
  secret: FileSecret,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Bytes> {
  const bytes = await collect(openStream(secret.key, fieldId, body));
  checkFile({ size: bytes.length, sha256: await sha256(bytes) }, secret);
  return bytes;
}

/** Whether the file of a value has these contents. */
export const hasContents = async ({ sha256: digest }: Pick<FileSecret, 'sha256'>, bytes: Bytes): Promise<boolean> =>
  sameBytes(await sha256(bytes), digest);
