/** Between what core seals and what the page may know of it: texts instead of bytes, and never the key of a file. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { isWellFormed } from '@passwordbroker/core/crypto/password-form';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/fields/payload';
import type { OpenedContent, PlainContent, SealedColumns } from '../calls.ts';
import { KeyringError } from '../keyring-error.ts';

/** The same text. @throws KeyringError `ill_formed_text` for one that no UTF-8 has: encoding would change it without a word */
export function wellFormed(text: string): string {
  if (!isWellFormed(text)) throw new KeyringError({ code: 'ill_formed_text' });
  return text;
}

/** @throws CryptoError `payload` when a member that the type needs is missing; KeyringError `ill_formed_text` */
export function contentToSeal(type: FieldType, plain: PlainContent): FieldContent {
  const title = wellFormed(plain.title);
  const value = new TextEncoder().encode(wellFormed(plain.text ?? ''));
  switch (type) {
    case 'password':
      return { type, title, login: wellFormed(plain.login ?? ''), value };
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

/** Wipes what it reads: value or file key. @throws CryptoError `payload` when the bytes are no text */
export function openedContent(content: FieldContent): OpenedContent {
  try {
    return { ...columnsOf(content), text: content.type === 'file' ? '' : textOf(content.value) };
  } finally {
    wipeContent(content);
  }
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
  }
}

const described = ({ name, mime, size }: { name: string; mime: string; size: number }) => ({ name, mime, size });
