import type { FilledField } from '@passwordbroker/client/vault/entries/new-entry';
import { type Draft, type DraftErrors, FRESH_DRAFT, readDraft } from '../../fields/edit/new-field.ts';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import type { TemplateField } from '../templates/templates.ts';

/** What was typed, by the key of the field. */
export type Drafts = Readonly<Record<string, Draft>>;

type ReadFields =
  | { readonly fields: readonly FilledField[] }
  | { readonly errors: Readonly<Record<string, DraftErrors>> };

/** A password without a login loses a login that another template asked for. */
export const draftFor = (offered: TemplateField, drafts: Drafts): Draft => {
  const { key, type, title, login } = offered;
  const draft = { ...(drafts[key] ?? FRESH_DRAFT), type, title };
  return login === undefined ? { ...draft, login: '' } : draft;
};

/** The filled fields to seal, without those already saved, or the errors by key. */
export function readFields(offered: readonly TemplateField[], drafts: Drafts, saved: ReadonlySet<string>): ReadFields {
  const read = offered
    .map((one) => ({ key: one.key, draft: draftFor(one, drafts) }))
    .filter(({ key, draft }) => !saved.has(key) && isFilled(draft))
    .map(({ key, draft }) => ({ key, draft, result: readDraft(draft) }));
  const errors = read.flatMap(({ key, draft, result }) => {
    if (!('errors' in result)) return [];
    const isLoginAlone = draft.type === 'password' && draft.password === '';
    return [[key, isLoginAlone ? LOGIN_ALONE : result.errors] as const];
  });
  if (errors.length > 0) return { errors: Object.fromEntries(errors) };
  return { fields: read.flatMap(({ key, result }) => ('field' in result ? [{ key, field: result.field }] : [])) };
}

const LOGIN_ALONE: DraftErrors = { value: TEXTS.passwordMissing };

export function isFilled(draft: Draft): boolean {
  switch (draft.type) {
    case 'password':
      return draft.login !== '' || draft.password !== '';
    case 'link':
      return draft.link.trim() !== '';
    case 'TOTP':
      return draft.secret.trim() !== '';
    case 'note':
      return draft.note !== '';
    case 'file':
      return draft.file !== null;
  }
}
