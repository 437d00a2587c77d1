/** The question about the columns of a table; apart, because a page asks it without reading the file. */
import { digestText } from '../../../crypto/bytes.ts';

/** What a column of any file can be. */
export const MEANINGS = [
  'title',
  'group',
  'login',
  'password',
  'url',
  'notes',
  'totp',
  'created',
  'modified',
  'tags',
  'text',
  'secret',
  'none',
] as const;
export type Meaning = (typeof MEANINGS)[number];

export const PATH_SEPARATORS = ['/', '\\', '>'] as const;
export type PathSeparator = (typeof PATH_SEPARATORS)[number];

/** What a person has said, or what is proposed. */
export interface ColumnChoice {
  /** One for each column. */
  readonly meanings: readonly Meaning[];
  /** Between the names of a group's path; null: each text is one group. */
  readonly separator: PathSeparator | null;
  /** Whether the first row has the names of the columns. */
  readonly hasNames: boolean;
}

/** A table before it is read. */
export interface TableLook {
  /** The first six, with the same number of cells. */
  readonly rows: readonly (readonly string[])[];
  readonly proposed: ColumnChoice;
}

/** Of the names of columns, by which a choice is remembered; null without names: then the first row holds values. */
export const digestOfNames = ({ rows, proposed }: TableLook): Promise<string> | null =>
  proposed.hasNames ? digestText(JSON.stringify(rows[0] ?? [])) : null;
