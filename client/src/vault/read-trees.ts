/** The trees of an answer, checked node by node: thousands of them in one piece would keep the page from drawing. */
import * as z from 'zod/mini';
import { TreeRow, type TreeNode } from '@passwordbroker/core/contract/entities';
import { AnswerError } from '../transport/answers.ts';
import { nextTurn } from '../transport/next-turn.ts';

/** Nodes a turn: a few milliseconds, also when it is the first time. */
const PORTION = 100;

interface Waiting {
  readonly raw: unknown;
  readonly siblings: TreeNode[];
}

/** @throws AnswerError for anything that the contract does not describe */
export async function readTrees(raws: readonly unknown[]): Promise<TreeNode[]> {
  const trees: TreeNode[] = [];
  const waiting: Waiting[] = raws.map((raw) => ({ raw, siblings: trees }));
  let at = 0;
  // Those below a node join the end of the line, so brothers keep their order.
  for (const { raw, siblings } of waiting) {
    at += 1;
    if (at % PORTION === 0) await nextTurn();
    const read = z.safeParse(TreeRow, raw);
    if (!read.success) throw new AnswerError();
    const node: TreeNode = { ...read.data, children: [] };
    siblings.push(node);
    for (const child of read.data.children) waiting.push({ raw: child, siblings: node.children });
  }
  return trees;
}
