import { AppError } from '@passwordbroker/core/contract/problem';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { isPeriod, parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import { changedSiteRules } from '@passwordbroker/core/domain/sites/changed-site-rules';
import type { SiteMode, SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import { isWrongMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { ADD_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import type { NewField, FieldChange, Revealed } from '@passwordbroker/client/vault/vault';
import { problemText } from '../table/problem-text.ts';

/** A field as typed (docs/spec/product.md §5, docs/spec/decisions.md H10). */
export interface Draft {
  readonly type: FieldType;
  readonly title: string;
  readonly login: string;
  readonly password: string;
  readonly link: string;
  /** What an edited link is; the mode of its rules stays unless another is chosen. */
  readonly formerLink: { readonly value: string; readonly rules: SiteRules | undefined };
  readonly siteMode: SiteMode | null;
  readonly note: string;
  /** Base32 or an `otpauth://` address. */
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  /** Seconds, as typed. */
  readonly period: string;
  readonly file: File | null;
}

type DraftMember = 'master_password' | 'title' | 'login' | 'value' | 'totp_timeout' | 'file' | 'other';
export type DraftErrors = Readonly<Partial<Record<DraftMember, string>>>;

export const FRESH_DRAFT: Draft = {
  type: 'password',
  title: '',
  login: '',
  password: '',
  link: '',
  formerLink: { value: '', rules: [] },
  siteMode: null,
  note: '',
  secret: '',
  algorithm: 'sha1',
  period: '30',
  file: null,
};

/** A form that a lock closed (`useDraftOverLock`), without its file. */
export type KeptField =
  | { readonly kind: 'add'; readonly fieldId: string; readonly draft: Draft }
  | { readonly kind: 'edit'; readonly fieldId: string; readonly rev: number; readonly draft: Draft };

export const keptFieldPlace = (entryId: string) => `field ${entryId}`;

/** The field to seal, or the errors. Trims titles as the server does, but not values. */
export function readDraft(draft: Draft): { readonly field: NewField } | { readonly errors: DraftErrors } {
  const title = draft.title.trim();
  const { type } = draft;
  if (type === 'file') return withFile(title, draft.file);
  if (type === 'TOTP') return withTotp(title, draft);
  const value = type === 'password' ? draft.password : type === 'link' ? draft.link : draft.note;
  const problem = problemOfValue(value);
  if (problem !== null) return { errors: { value: problem } };
  if (type === 'password') return { field: { type, title, login: draft.login, value } };
  if (type === 'note') return { field: { type, title, value } };
  return {
    field: { type, title, value, sites: changedSiteRules(draft.formerLink, value, draft.siteMode ?? undefined) },
  };
}

function withFile(title: string, file: File | null): ReturnType<typeof readDraft> {
  if (file === null) return { errors: { file: TEXTS.fileMissing } };
  return file.size > LIMITS.fileBytes
    ? { errors: { file: fileTooLarge(LIMITS.fileBytes) } }
    : { field: { type: 'file', title, file } };
}

/** @param limit bytes */
export const fileTooLarge = (limit: number) => TEXTS.fileTooLarge(formatFileSize(limit));

function withTotp(title: string, { secret, algorithm, period }: Draft): ReturnType<typeof readDraft> {
  const seconds = Number(period);
  const isWhole = /^\d+$/.test(period.trim());
  const isWithin = isWhole && isPeriod(seconds);
  const parsed = parseTotpSecret(secret);
  const errors: DraftErrors = {
    ...(isWithin ? {} : { totp_timeout: isWhole ? TEXTS.timeoutBad : TEXTS.timeoutNotWhole }),
    ...(secret.trim() === '' ? { value: TEXTS.valueMissing } : parsed === null ? { value: TEXTS.totpBad } : {}),
  };
  if (parsed === null || !isWithin) return { errors };
  return { field: { type: 'TOTP', title, value: parsed.secret, algorithm, period: seconds } };
}

function problemOfValue(value: string): string | null {
  if (value === '') return TEXTS.valueMissing;
  return new TextEncoder().encode(value).length > LIMITS.valueBytes ? TEXTS.valueTooLarge : null;
}

/** The first error text of each input (docs/spec/product.md §5). */
export function errorsOf(failure: unknown): DraftErrors {
  if (isWrongMasterPassword(failure)) return { master_password: TEXTS.masterPasswordInvalid };
  const limit = failure instanceof AppError && failure.code === 'payload_too_large' && failure.details?.['limit'];
  if (typeof limit === 'number') return { other: fileTooLarge(limit) };
  if (failure instanceof AppError && failure.errors !== undefined) {
    const known: DraftMember[] = ['master_password', 'title', 'login', 'value', 'totp_timeout', 'file'];
    const found = known.flatMap((member) => {
      const text = failure.errors?.[member]?.[0];
      return text === undefined ? [] : [[member, text] as const];
    });
    if (found.length > 0) return Object.fromEntries(found);
  }
  return { other: problemText(failure) };
}

export function draftOf({ type, title, login, text, totp, sites }: Revealed): Draft {
  const draft = { ...FRESH_DRAFT, type, title };
  switch (type) {
    case 'password':
      return { ...draft, login: login ?? '', password: text };
    case 'link':
      return { ...draft, link: text, formerLink: { value: text, rules: sites } };
    case 'note':
      return { ...draft, note: text };
    case 'TOTP':
      return { ...draft, secret: text, ...(totp && { algorithm: totp.algorithm, period: String(totp.period) }) };
    case 'file':
      return draft;
  }
}

/** The change to seal, or the errors. A file that is not replaced is kept. */
export function readChange(draft: Draft): { readonly change: FieldChange } | { readonly errors: DraftErrors } {
  if (draft.type === 'file' && draft.file === null) {
    return { change: { type: 'file', title: draft.title.trim(), file: null } };
  }
  const read = readDraft(draft);
  return 'errors' in read ? read : { change: read.field };
}

/** A chosen file always counts as a change. */
export function isUnchanged(change: FieldChange, present: Revealed): boolean {
  const read = readChange(draftOf(present));
  if ('errors' in read) return false;
  if (change.type === 'file') return change.file === null && change.title === present.title.trim();
  return JSON.stringify(change) === JSON.stringify(read.change);
}
