/** Between what core seals and what the page may know of it: texts instead of bytes, and never the key of a file. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { FieldType } from '@passwordbroker/core/domain/field-kinds';
import type { FieldContent } from '@passwordbroker/core/domain/payload';
import type { OpenedContent, PlainContent, SealedColumns } from './calls.ts';

/** @throws CryptoError `payload` when a member that the type needs is missing */
export function contentToSeal(type: FieldType, plain: PlainContent): FieldContent {
  const { title } = plain;
  const value = new TextEncoder().encode(plain.text ?? '');
  switch (type) {
    case 'password':
      return { type, title, login: plain.login ?? '', value };
    case 'link':
    case 'note':
      return { type, title, value };
    case 'TOTP':
      if (plain.totp === undefined) throw new CryptoError('payload');
      return { type, title, value, totp: plain.totp };
    case 'file':
      throw new CryptoError('payload');
  }
}

/** @throws CryptoError `payload` when the bytes are no text */
export function openedContent(content: FieldContent): OpenedContent {
  return { ...columnsOf(content), text: content.type === 'file' ? '' : textOf(content.value) };
}

/** What is sealed with a value, without the value. */
export function columnsOf(content: FieldContent): SealedColumns {
  return {
    title: content.title,
    login: content.type === 'password' ? content.login : null,
    totp: content.type === 'TOTP' ? content.totp : null,
    file: content.type === 'file' ? described(content.file) : null,
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CryptoError('payload');
  } finally {
    bytes.fill(0);
  }
}

const described = ({ name, mime, size }: { name: string; mime: string; size: number }) => ({ name, mime, size });
