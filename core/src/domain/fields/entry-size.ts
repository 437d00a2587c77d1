import { LIMITS } from '../limits.ts';

export interface SearchedTexts {
  readonly title: string;
  readonly login?: string | null | undefined;
  readonly file_name?: string | null | undefined;
}

export interface EntrySize {
  readonly fields: number;
  /** Of all titles, logins and file names. */
  readonly text: number;
}

export const textSize = ({ title, login, file_name }: SearchedTexts): number =>
  title.length + (login?.length ?? 0) + (file_name?.length ?? 0);

export const hasTooManyFields = ({ fields }: Pick<EntrySize, 'fields'>): boolean => fields > LIMITS.entryFields;
export const hasTooMuchText = ({ text }: Pick<EntrySize, 'text'>): boolean => text > LIMITS.entryText;

export const ENTRY_SIZE_TEXTS = {
  fields: `An entry has at most ${LIMITS.entryFields} fields.`,
  text: `The titles, logins and file names of an entry are too long (at most ${LIMITS.entryText.toLocaleString('en')} characters in all).`,
} as const;
