/** The caller's groups, with ancestors as `guest` (docs/spec/decisions.md G7). */
import type { TreeRole } from '@passwordbroker/core/domain/policy';
import type { Database } from '../../db/database.ts';
import { Forest } from './forest.ts';
import { readTreeLines, readTreeLinesOf } from '../group-repository.ts';

/** JSON in UTF-8. */
export async function readTreeAnswer(db: Pick<Database, 'read'>, userId: string): Promise<Buffer> {
  const forest = await readForest(db, userId);
  return Buffer.from(`{"trees":${forest.toJson()}}`);
}

export async function readForest(db: Pick<Database, 'read'>, userId: string): Promise<Forest> {
  const forest = forestOf(await readTreeLines(db, userId));
  plant(forest, await readAbove(db, forest.idsAbove()));
  return forest;
}

const readAbove = async (db: Pick<Database, 'read'>, ids: readonly string[]): Promise<string> =>
  ids.length === 0 ? '' : (await readTreeLinesOf(db, ids)).filter((lines) => lines !== '').join('\n');

function forestOf(lines: string): Forest {
  const forest = new Forest();
  plant(forest, lines);
  return forest;
}

function plant(forest: Forest, lines: string): void {
  for (let at = 0; at < lines.length;) {
    const end = endOf(lines, '\n', at, lines.length);
    const pathEnd = endOf(lines, '\t', at, end);
    const titleEnd = endOf(lines, '\t', pathEnd + 1, end);
    const role = titleEnd === end ? 'guest' : (lines.slice(titleEnd + 1, end) as TreeRole);
    forest.add(lines.slice(at, pathEnd), lines.slice(pathEnd + 1, titleEnd), role);
    at = end + 1;
  }
}

function endOf(text: string, letter: string, from: number, end: number): number {
  const at = text.indexOf(letter, from);
  return at === -1 || at > end ? end : at;
}
