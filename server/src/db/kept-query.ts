/** What the query builder's own type does not say of a query: that its text comes again, and whether anybody waits for it. */
import type { CompiledQuery } from 'kysely';
import { sha256Hex } from '../platform/secrets.ts';

export interface KeptQuery<Row> extends CompiledQuery<Row> {
  /** Under which a server keeps the statement for a connection: the same for the same text, in every process; empty where it keeps none. */
  readonly name: string;
  /** Goes with the next statement of its act, or with its commit: nobody waits for an answer, and its failure is that of the act. */
  readonly isLater: boolean;
  /** May be asked for together with others of the same moment: it takes no longer than finding a row by its key. */
  readonly isLookup: boolean;
}

export const nameOfText = (text: string): string => sha256Hex(text).slice(0, 32);

export const nameOf = (query: CompiledQuery): string | undefined =>
  'name' in query && typeof query.name === 'string' && query.name !== '' ? query.name : undefined;

export const isLater = (query: CompiledQuery): boolean => 'isLater' in query && query.isLater === true;

export const isLookup = (query: CompiledQuery): boolean => 'isLookup' in query && query.isLookup === true;
