/** Behind every step of a walk: the trees that people are answered, beside those made from the tables in the plainest way. */
import { plainTrees } from '../../groups/testing/plain-trees.ts';
import type { Company } from './random-walk.ts';

/** @throws Error when somebody is answered another tree: one from before the step, or of somebody else */
export async function treesAreTrue({ app, people }: Company, step: number): Promise<void> {
  for (const person of people) {
    const answer = await person.request({ path: '/passwordBroker/api/entryGroupsAsTree' });
    // Who has lost his account, or his session, on the way is shown nothing.
    if (answer.status === 401) continue;
    const trees = await plainTrees(app.deps, person.userId);
    if (JSON.stringify(answer.json()) === JSON.stringify({ trees })) continue;
    throw new Error(`Step ${step}: ${person.name} is answered ${answer.text} in place of ${JSON.stringify(trees)}`);
  }
}
