/** Seals demonstration fields like a client. Secrets are random. */
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { randomBytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { randomText } from '../platform/secrets.ts';
import type { Caller } from './caller.ts';
import type { SeedField } from './trees.ts';

const PASSWORD_BYTES = 18;
const TOTP_LETTERS = 32;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

interface Prepared {
  readonly content: FieldContent;
  readonly columns: object;
  readonly body?: Uint8Array<ArrayBuffer>;
}

export async function createField(caller: Caller, key: GroupKey, entryId: string, field: SeedField, fieldId: string) {
  const { content, columns, body } = await prepare(field, fieldId);
  const { type, title } = content;
  const sealed = await sealField(key, { entryGroupId: key.groupId, entryId, fieldId, type, rev: 1 }, content);
  await caller.call(fields.create, {
    params: { g: key.groupId, e: entryId },
    body: { field_id: fieldId, type, title, ...columns, ...sealed },
    ...(body === undefined ? {} : { files: { file: body } }),
  });
}

async function prepare(field: SeedField, fieldId: string): Promise<Prepared> {
  const { type, title } = field;
  switch (type) {
    case 'password': {
      const { login } = field;
      return { content: { type, title, login, value: utf8(randomText(PASSWORD_BYTES)) }, columns: { login } };
    }
    case 'link':
    case 'note':
      return { content: { type, title, value: utf8(field.value) }, columns: {} };
    case 'TOTP': {
      const totp = { algorithm: 'sha1', period: 30 } as const;
      return {
        content: { type, title, value: utf8(totpSecret()), totp },
        columns: { totp_hash_algorithm: totp.algorithm, totp_timeout: totp.period },
      };
    }
    case 'file': {
      const { name, mime, size } = field;
      const { body, secret } = await sealFile(fieldId, { name, mime, bytes: new Uint8Array(size).fill(0x2e) });
      return {
        content: { type, title, file: secret },
        columns: { file_name: name, file_mime: mime, file_size: size },
        body,
      };
    }
  }
}

const totpSecret = () => Array.from(randomBytes(TOTP_LETTERS), (byte) => BASE32[byte % BASE32.length]).join('');
