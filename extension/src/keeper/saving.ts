/** New sign-ins, and new passwords of existing ones. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import type { EntryPath } from '@passwordbroker/client/vault/vault';
import { Refusal } from '../refusal.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import type { KeeperClient } from './start-client.ts';

/** A group that may be written. */
export interface Shelf {
  readonly id: string;
  /** Names from the root, with slashes. */
  readonly path: string;
}

export interface NewSignIn {
  readonly groupId: string;
  readonly title: string;
  readonly userName: string;
  readonly password: string;
  /** Of the page: its host is the rule. */
  readonly address: string;
}

const LAST_GROUP = 'passwordbroker.extension.last-group';

export function savingOperations({ vault }: Pick<KeeperClient, 'vault'>) {
  const write = () => {
    if (vault.write === null) throw new Error('The vault of a server can be written');
    return vault.write;
  };

  return {
    /** The group that was used last comes first. */
    async shelves(): Promise<readonly Shelf[]> {
      const last = localStorage.getItem(LAST_GROUP);
      const all = shelvesOf(await vault.read.tree());
      return [...all.filter(({ id }) => id === last), ...all.filter(({ id }) => id !== last)];
    },

    /** An entry with a password, and a link whose rule is the host of the page. @throws Refusal, AppError */
    async save({ groupId, title, userName, password, address }: NewSignIn): Promise<void> {
      if (password === '') throw new Refusal('no_password', TEXTS.passwordMissing);
      const { entry_id: entryId } = await write().createEntry(groupId, title);
      const entry = { entryGroupId: groupId, entryId };
      await write().createField(entry, { type: 'password', title: '', login: userName, value: password });
      const { origin } = new URL(address);
      await write().createField(entry, { type: 'link', title: '', value: origin });
      localStorage.setItem(LAST_GROUP, groupId);
    },

    /** A new revision of the first password, which is opened for it. @throws Refusal if somebody has changed it meanwhile */
    async update({ entry, password }: { readonly entry: EntryPath; readonly password: string }): Promise<void> {
      const { entryGroupId, entryId } = entry;
      const field = (await vault.read.fields({ entryGroupId, entryId })).find(({ type }) => type === 'password');
      if (field?.type !== 'password') throw new Refusal('no_field', TEXTS.noPassword);
      // What is kept comes from the sealed value: a server could show another title or login.
      const [former] = await vault.read.revealSeveral([{ entryGroupId, entryId, field }], 'extension (save)');
      if (former === undefined) throw new RangeError('One value was asked for');
      const { title, login } = former;
      try {
        await write().updateField(
          { entryGroupId, entryId, field },
          { type: 'password', title, login: login ?? '', value: password },
          { isValueChanged: true },
        );
      } catch (failure) {
        if (failure instanceof AppError && failure.code === 'revision_conflict')
          throw new Refusal('revision_conflict', TEXTS.changedMeanwhile);
        throw failure;
      }
    },
  };
}

function shelvesOf(nodes: readonly TreeNode[], above = ''): Shelf[] {
  return nodes.flatMap((node) => {
    const path = `${above}${node.title}`;
    const own = can(node.role, 'entry.write') ? [{ id: node.entry_group_id, path }] : [];
    return [...own, ...shelvesOf(node.children, `${path} / `)];
  });
}
