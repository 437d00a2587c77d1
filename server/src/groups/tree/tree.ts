/** The caller's groups as trees, with their ancestors as guest nodes; no siblings or other branches (docs/spec/decisions.md G7). */
import type { TreeRole } from '@passwordbroker/core/domain/policy';
import type { Database } from '../../db/database.ts';
import { Forest } from './forest.ts';
import { readTreeLines, readTreeLinesOf } from '../group-repository.ts';
import { rememberedTrees } from './remembered-trees.ts';

/** The answer with the trees, in UTF-8. What it is made of is read each time; one that was made of the very same lines is not written again. */
export async function readTreeAnswer(db: Pick<Database, 'read'>, userId: string): Promise<Buffer> {
  const trees = rememberedTrees(db.read);
  const own = await readTreeLines(db, userId);
  const last = trees.find(userId);
  const known = last?.own === own ? last : undefined;
  let forest = known === undefined ? forestOf(own) : null;
  const idsAbove = known?.idsAbove ?? forest?.idsAbove() ?? [];
  const above = await readAbove(db, idsAbove);
  if (known?.above === above) return known.body;
  forest ??= forestOf(own);
  plant(forest, above);
  const body = Buffer.from(`{"trees":${forest.toJson()}}`);
  trees.keep(userId, { own, idsAbove, above, body });
  return body;
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

/** A line a group: path, title as JSON, role where it is his own. */
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
