/** A query of the query builder as the server gets it, and what it answers as the builder gives it on. */
import type { CompiledQuery, QueryResult } from 'kysely';
import { isLater, nameOf } from './kept-query.ts';
import type { Answer, Statement } from './postgres-batch.ts';

/** Of a statement that nobody waits for. */
export const NOTHING: QueryResult<never> = { rows: [] };

const COUNTED: ReadonlySet<string> = new Set(['UPDATE', 'DELETE', 'INSERT', 'MERGE']);

export function statementOf(query: CompiledQuery): Statement {
  const { sql: text, parameters: values } = query;
  const name = nameOf(query);
  return { text, values, isSilent: isLater(query), ...(name === undefined ? {} : { name }) };
}

/** Several statements in one text, which the server takes without values. */
export const isSeveral = ({ text, values }: Statement): boolean => values.length === 0 && text.includes(';');

export function resultOf<Row>({ command, rowCount, rows }: Answer): QueryResult<Row> {
  // The rows are what the builder says of its query.
  const answer = { rows: rows as Row[] };
  return COUNTED.has(command) ? { ...answer, numAffectedRows: BigInt(rowCount) } : answer;
}
