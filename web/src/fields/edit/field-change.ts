import type { FieldChange, Revealed } from '@passwordbroker/client/vault/vault';
import { FRESH_DRAFT, readDraft, type Draft, type DraftErrors } from './new-field.ts';

export function draftOf({ type, title, login, text, totp }: Revealed): Draft {
  const draft = { ...FRESH_DRAFT, type, title };
  switch (type) {
    case 'password':
      return { ...draft, login: login ?? '', password: text };
    case 'link':
      return { ...draft, link: text };
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
