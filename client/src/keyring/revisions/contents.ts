/** What the page may know of sealed contents: never a file's key. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { isWellFormed } from '@passwordbroker/core/crypto/password-form';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/fields/payload';
import type { SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import { KeyringError } from '../keyring-error.ts';

interface TotpParameters {
  readonly algorithm: TotpAlgorithm;
  readonly period: number;
}

export interface OpenedContent {
  readonly title: string;
  readonly login: string | null;
  readonly text: string;
  readonly totp: TotpParameters | null;
  readonly file: { readonly name: string; readonly mime: string; readonly size: number } | null;
  /** Of a link that has rules. */
  readonly sites?: SiteRules;
}

export interface ContentToSeal {
  readonly title: string;
  readonly login?: string;
  readonly text?: string;
  readonly totp?: TotpParameters;
  /** Of a link; absent: those of its value. */
  readonly sites?: SiteRules;
}

/** The plain columns must repeat it. */
export type SealedColumns = Omit<OpenedContent, 'text' | 'sites'>;

/** @throws KeyringError `ill_formed_text` for lone surrogates, which UTF-8 would silently change */
export function wellFormed(text: string): string {
  if (!isWellFormed(text)) throw new KeyringError({ code: 'ill_formed_text' });
  return text;
}

/** @throws CryptoError `payload` if a required member is missing; KeyringError `ill_formed_text` */
export function contentToSeal(type: FieldType, plain: ContentToSeal): FieldContent {
  const title = wellFormed(plain.title);
  const value = new TextEncoder().encode(wellFormed(plain.text ?? ''));
  switch (type) {
    case 'password':
      return { type, title, login: wellFormed(plain.login ?? ''), value };
    case 'link':
      return { type, title, value, ...(plain.sites === undefined ? {} : { sites: plain.sites }) };
    case 'note':
      return { type, title, value };
    case 'TOTP':
      if (plain.totp === undefined) throw new CryptoError('payload');
      return { type, title, value, totp: plain.totp };
    case 'file':
      throw new CryptoError('payload');
  }
}

/** Wipes the content's bytes. @throws CryptoError `payload` if they are not UTF-8 */
export function openedContent(content: FieldContent): OpenedContent {
  try {
    const opened = { ...columnsOf(content), text: content.type === 'file' ? '' : textOf(content.value) };
    return content.type === 'link' && content.sites !== undefined ? { ...opened, sites: content.sites } : opened;
  } finally {
    wipeContent(content);
  }
}

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
