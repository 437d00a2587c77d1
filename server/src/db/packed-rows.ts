/** Rows of one table without the names of their columns in each of them: a tenth of the memory, and quick to hand to another thread. */
import type { Insertable } from 'kysely';
import type { Tables } from './schema.ts';

export interface PackedRows<Name extends keyof Tables> {
  readonly columns: readonly (keyof Tables[Name] & string)[];
  /** Row after row, each in the order of the columns. */
  readonly values: readonly unknown[];
}

export type Rows<Name extends keyof Tables> = readonly Insertable<Tables[Name]>[] | PackedRows<Name>;

/** The first row names the columns; those after it have the same, in any order. @throws Error for one that has others, and would lose them */
export function packRows<Name extends keyof Tables>(rows: readonly Insertable<Tables[Name]>[]): PackedRows<Name> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[Name] & string)[];
  const values: unknown[] = [];
  for (const row of rows) {
    if (Object.keys(row).length !== columns.length || !columns.every((column) => Object.hasOwn(row, column))) {
      throw new Error(`A row of other columns than the first: ${Object.keys(row).join(', ')}`);
    }
    for (const column of columns) values.push((row as Readonly<Record<string, unknown>>)[column]);
  }
  return { columns, values };
}

export function packedRows<Name extends keyof Tables>(rows: Rows<Name>): PackedRows<Name> {
  return 'columns' in rows ? rows : packRows<Name>(rows);
}

/** Of whatever table. */
export interface AnyPackedRows {
  readonly columns: readonly string[];
  readonly values: readonly unknown[];
}

/** The rows one by one again. */
export function unpackRows({ columns, values }: AnyPackedRows): Record<string, unknown>[] {
  return Array.from({ length: countRows({ columns, values }) }, (_, at) =>
    Object.fromEntries(columns.map((column, index) => [column, values[at * columns.length + index]])),
  );
}

export const countRows = ({ columns, values }: AnyPackedRows): number =>
  columns.length === 0 ? 0 : values.length / columns.length;
