/**
 * A server that shows a group at the path of another one, or hides its place (docs/spec/crypto.md §9; M43).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, trustGroup, type Mate } from '../../testing/team.node.ts';
import type { FieldPath } from '../vault.ts';

let app: TestApp;
let [ada, bob]: SignedIn[] = [];
let her: Mate;
let known: FieldPath;
let other: FieldPath;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = await signUpAll(app, ['ada', 'bob']);
}, 60_000);
afterAll(() => app.stop());
beforeEach(async () => {
  her = await mateOf(ada!);
  known = await groupWithSecret(her, 'x');
  other = await groupWithSecret(her, 'y');
});

/** Changes the trees that the server shows. */
function showing(mate: Mate, change: (trees: readonly TreeNode[]) => readonly TreeNode[]): void {
  mate.forge = (asked, honest) =>
    asked.endsWith('/entryGroupsAsTree')
      ? { ...(honest as object), trees: change((honest as { trees: TreeNode[] }).trees) }
      : honest;
}

const titleOf = (trees: readonly TreeNode[], groupId: string) =>
  trees.find(({ entry_group_id }) => entry_group_id === groupId)?.title ?? '';

const renamed = (trees: readonly TreeNode[], groupId: string, title: string) =>
  trees.map((node) => (node.entry_group_id === groupId ? { ...node, title } : node));

/** The second group gets the name of the first one. */
const asTwin = (trees: readonly TreeNode[]) => renamed(trees, other.entryGroupId, titleOf(trees, known.entryGroupId));

test('an open group is judged again when the trees show it at the path of another group', async () => {
  await her.read.tree();
  await addSecret(her, other, 'z');
  showing(her, asTwin);
  await her.read.tree();
  await expect(addSecret(her, other, 'never')).rejects.toMatchObject({ detail: 'same-path' });
  her.forge = null;
  await her.read.tree();
  await addSecret(her, other, 'again');
});

test('renaming a group to the path of another group does not make it that group', async () => {
  await her.read.tree();
  showing(her, asTwin);
  await her.write.renameGroup(other.entryGroupId, 'Whatever');
  await her.read.tree();
  await expect(addSecret(her, other, 'never')).rejects.toMatchObject({ detail: 'same-path' });
});

test('a group that the server shows below a deleted one is not forgotten with it', async () => {
  const title = titleOf(await her.read.tree(), known.entryGroupId);
  showing(her, (trees) => {
    const moved = trees.filter(({ entry_group_id }) => entry_group_id === known.entryGroupId);
    const rest = trees.filter(({ entry_group_id }) => entry_group_id !== known.entryGroupId);
    return rest.map((node) =>
      node.entry_group_id === other.entryGroupId ? { ...node, children: [...node.children, ...moved] } : node,
    );
  });
  await her.read.tree();
  await her.write.removeGroup(other.entryGroupId);
  her.forge = null;
  await her.write.trust.readAgain();

  const his = await mateOf(bob!);
  const twin = await groupWithSecret(his, 'z');
  await takeIn(his, twin.entryGroupId, ada!, 'moderator');
  await her.read.tree();
  await trustGroup(her, twin.entryGroupId);
  const fresh = await groupWithSecret(his, 'z');
  await takeIn(his, fresh.entryGroupId, ada!, 'moderator');
  showing(her, (trees) =>
    renamed(trees, fresh.entryGroupId, title).filter((one) => one.entry_group_id !== known.entryGroupId),
  );
  await her.read.tree();
  await expect(addSecret(her, fresh, 'never')).rejects.toMatchObject({ detail: 'same-path' });
});
