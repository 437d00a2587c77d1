/**
 * After every step of a walk: compares the trees in responses with trees built from the tables in
 * the simplest way.
 */
import { plainTrees } from '../../groups/testing/plain-trees.ts';
import type { Company } from './random-walk.ts';

/** @throws Error if a person gets a different tree, e.g. one from before the step or of another person */
export async function treesAreTrue({ app, people }: Company, step: number): Promise<void> {
  for (const person of people) {
    const answer = await person.request({ path: '/passwordBroker/api/entryGroupsAsTree' });
    // A person whose account or session has ended gets no tree.
    if (answer.status === 401) continue;
    const trees = await plainTrees(app.deps, person.userId);
    if (JSON.stringify(answer.json()) === JSON.stringify({ trees })) continue;
    throw new Error(`Step ${step}: ${person.name} is answered ${answer.text} in place of ${JSON.stringify(trees)}`);
  }
}
