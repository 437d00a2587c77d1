import { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import type { create } from '@passwordbroker/core/contract/entries/fields';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import type { PlainColumnsWire } from '@passwordbroker/core/domain/import/import-fields';
import { sealFile } from '@passwordbroker/core/domain/fields/field';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import type { UploadedFile } from '../../http/body/body.ts';
import type { FieldTexts } from '../../http/validation.ts';
import { isMasterPasswordGiven } from '../caller-keyring.ts';

export type PlainField = PlainBodyOf<typeof create>;
type Received = { readonly members: Readonly<Record<string, unknown>>; readonly files: readonly UploadedFile[] };

const PART = 'file';
const DEFAULT_TOTP = { algorithm: 'sha1', period: 30 } as const;

/** Problems beyond the schema of the plain form. */
export function plainFieldTexts({ members, files }: Received): FieldTexts {
  const texts: FieldTexts = {};
  const { type, value, master_password } = members;
  if (type === 'file') {
    const file = files.find((one) => one.part === PART);
    const text = file === undefined ? FIELD_TEXTS.fileMissing : textAboutName(file.filename);
    if (text !== null) texts['file'] = [text];
  } else {
    const text = textAboutValue(type, value);
    if (text !== null) texts['value'] = [text];
  }
  if (!isMasterPasswordGiven(master_password)) texts['master_password'] = [FIELD_TEXTS.masterPasswordMissing];
  return texts;
}

export function textAboutName(name: string): string | null {
  if (name.includes('\0')) return TEXTS.malformed('file name');
  return name.length > LIMITS.fileName ? TEXTS.tooLong(LIMITS.fileName)('file name') : null;
}

export function textAboutValue(type: unknown, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return FIELD_TEXTS.valueMissing;
  if (typeof value !== 'string') return null;
  if (Buffer.byteLength(value) > LIMITS.valueBytes) return TEXTS.tooLong(LIMITS.valueBytes)('value');
  return type === 'TOTP' && parseTotpSecret(value) === null ? FIELD_TEXTS.totpBad : null;
}

/** `body` is the sealed body of a file. */
export interface PreparedField {
  readonly content: FieldContent;
  readonly columns: PlainColumns;
  readonly body: UploadedFile | null;
}

type PlainColumns = Omit<PlainColumnsWire, 'title'>;

/** Requires that `plainFieldTexts` found no problem. */
export async function prepareField(
  fieldId: string,
  plain: PlainField,
  files: readonly UploadedFile[],
): Promise<PreparedField> {
  const { type, title = '', login = '', value: text = '' } = plain;
  const value = utf8(text);
  switch (type) {
    case 'password':
      return { content: { type, title, login, value }, columns: { login }, body: null };
    case 'link':
    case 'note':
      return { content: { type, title, value }, columns: {}, body: null };
    case 'TOTP': {
      const { secret, totp } = totpOf(plain);
      const columns = { totp_hash_algorithm: totp.algorithm, totp_timeout: totp.period };
      return { content: { type, title, value: utf8(secret), totp }, columns, body: null };
    }
    case 'file':
      return prepareFile(fieldId, title, files);
  }
}

function totpOf({ value = '', totp_hash_algorithm, totp_timeout }: PlainField) {
  const parsed = parseTotpSecret(value);
  if (parsed === null) throw new TypeError('The TOTP secret was not examined');
  const algorithm = totp_hash_algorithm ?? parsed.algorithm ?? DEFAULT_TOTP.algorithm;
  const period = totp_timeout ?? parsed.period ?? DEFAULT_TOTP.period;
  return { secret: parsed.secret, totp: { algorithm, period } };
}

async function prepareFile(fieldId: string, title: string, files: readonly UploadedFile[]): Promise<PreparedField> {
  const file = files.find((one) => one.part === PART);
  if (file === undefined) throw new TypeError('The file was not examined');
  const [name, mime] = [file.filename === '' ? PART : file.filename, file.mime.slice(0, LIMITS.fileName)];
  const { body, secret } = await sealFile(fieldId, { name, mime, bytes: new Uint8Array(file.bytes) });
  return {
    content: { type: 'file', title, file: secret },
    columns: { file_name: name, file_mime: mime, file_size: secret.size },
    body: { part: PART, filename: name, mime: 'application/octet-stream', bytes: Buffer.from(body.buffer) },
  };
}

/** The plain columns of a content. */
export function columnsOfContent(content: FieldContent): PlainColumns {
  switch (content.type) {
    case 'password':
      return { login: content.login };
    case 'TOTP':
      return { totp_hash_algorithm: content.totp.algorithm, totp_timeout: content.totp.period };
    case 'file':
      return { file_name: content.file.name, file_mime: content.file.mime, file_size: content.file.size };
    case 'link':
    case 'note':
      return {};
  }
}
