/** Checks of sealed revisions (docs/spec/crypto.md §19.2, §19.5, §19.6). */
import type { create } from '@passwordbroker/core/contract/entries/fields';
import { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import {
  isBodyShape,
  isSiteShape,
  isValueShape,
  isVectorOf,
  isWrappedContentKeyShape,
} from '@passwordbroker/core/domain/fields/sealed-shape';
import type { Tables } from '../db/schema/tables.ts';
import type { UploadedFile } from '../http/body/body.ts';

type Sealed = BodyOf<typeof create>;

export type PlainColumns = Pick<
  Tables['fields'],
  'title' | 'login' | 'totp_hash_algorithm' | 'totp_timeout' | 'file_name' | 'file_mime' | 'file_size'
>;

type Named = Pick<Sealed, 'type'> & { readonly [Name in keyof PlainColumns]?: Sealed[Name] };

const NONE = {
  login: null,
  totp_hash_algorithm: null,
  totp_timeout: null,
  file_name: null,
  file_mime: null,
  file_size: null,
} as const;

const malformed = (member: string) =>
  new AppError('bad_sealed_value', { errors: { [member]: [TEXTS.malformed(labelOf([member]))] } });

/** Strict base64. Sealed bytes are not secret, so Node's buffer pool may hold them. */
function decoded(text: string, member: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw malformed(member);
  return bytes;
}

function needed<T>(value: T | undefined, member: string): T {
  if (value === undefined) throw refuse(member, TEXTS.required(labelOf([member])));
  return value;
}

/** Columns of other types become null. */
export function columnsOf(body: Named): PlainColumns {
  const title = body.title ?? '';
  switch (body.type) {
    case 'password':
      return { ...NONE, title, login: body.login ?? '' };
    case 'TOTP':
      return {
        ...NONE,
        title,
        totp_hash_algorithm: needed(body.totp_hash_algorithm, 'totp_hash_algorithm'),
        totp_timeout: needed(body.totp_timeout, 'totp_timeout'),
      };
    case 'file':
      return {
        ...NONE,
        title,
        file_name: needed(body.file_name, 'file_name'),
        file_mime: body.file_mime ?? '',
        file_size: needed(body.file_size, 'file_size'),
      };
    case 'link':
    case 'note':
      return { ...NONE, title };
  }
}

export interface SealedBytes<Bytes extends Uint8Array = Uint8Array> {
  readonly cek: Bytes;
  readonly value: Bytes;
  /** Null for a link whose client knows no rules, and for other types. */
  readonly site: Bytes | null;
}

/** Checks form only. @throws AppError `bad_sealed_value` */
export function checkSealed(
  type: Sealed['type'],
  body: Pick<Sealed, 'cek_wrapped' | 'value_encrypted' | 'initialization_vector' | 'site_sealed'>,
): SealedBytes<Buffer> {
  const cek = decoded(body.cek_wrapped, 'cek_wrapped');
  const value = decoded(body.value_encrypted, 'value_encrypted');
  const site = body.site_sealed === undefined ? null : decoded(body.site_sealed, 'site_sealed');
  const sealed = checkSealedBytes(type, { cek, value, site });
  if (!isVectorOf(body.initialization_vector, value)) throw malformed('initialization_vector');
  return sealed;
}

export function checkSealedBytes<Bytes extends Uint8Array>(
  type: Sealed['type'],
  sealed: SealedBytes<Bytes>,
): SealedBytes<Bytes> {
  if (!isWrappedContentKeyShape(sealed.cek)) throw malformed('cek_wrapped');
  if (!isValueShape(sealed.value)) throw malformed('value_encrypted');
  if (sealed.site !== null) requireSite(type, sealed.site);
  return sealed;
}

function requireSite(type: Sealed['type'], site: Uint8Array): void {
  if (type !== 'link' || !isSiteShape(site)) throw malformed('site_sealed');
}

/** @throws AppError `bad_sealed_value` */
export function checkSite(type: Sealed['type'], text: string): Buffer {
  const site = decoded(text, 'site_sealed');
  requireSite(type, site);
  return site;
}

/** Returns null for types without a file. */
export function checkBody(body: Pick<Named, 'type' | 'file_size'>, files: readonly UploadedFile[]): Uint8Array | null {
  if (body.type !== 'file') return null;
  const file = files.find((one) => one.part === 'file');
  if (file === undefined) throw refuse('file', FIELD_TEXTS.fileMissing);
  const bytes = new Uint8Array(file.bytes);
  if (!isBodyShape(bytes, bytes.length, body.file_size ?? 0)) throw malformed('file');
  return bytes;
}
