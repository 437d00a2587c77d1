/** New sign-ins, and new passwords of existing ones. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { newEntrySaving } from '@passwordbroker/client/vault/entries/new-entry';
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
  /** The same when a call is repeated that failed: what it stored is not stored again. */
  readonly saveId: string;
  readonly groupId: string;
  readonly title: string;
  readonly userName: string;
  readonly password: string;
  /** Of the page: its host is the rule. */
  readonly address: string;
}

const LAST_GROUP = 'passwordbroker.extension.last-group';

interface Begun {
  readonly saveId: string;
  readonly groupId: string;
  readonly entry: ReturnType<typeof newEntrySaving>;
}

export function savingOperations({ keyring, vault }: Pick<KeeperClient, 'keyring' | 'vault'>) {
  let begun: Begun | null = null;
  keyring.onLocked(() => {
    begun = null;
  });
  const write = () => {
    if (vault.write === null) throw new Error('The vault of a server can be written');
    return vault.write;
  };

  async function takeBack(): Promise<void> {
    const operationId = begun?.entry.entry()?.operationId;
    begun = null;
    if (typeof operationId === 'string') await write().undo(operationId);
  }

  return {
    /** The group that was used last comes first. */
    async shelves(): Promise<readonly Shelf[]> {
      const last = localStorage.getItem(LAST_GROUP);
      const all = shelvesOf(await vault.read.tree());
      return [...all.filter(({ id }) => id === last), ...all.filter(({ id }) => id !== last)];
    },

    /** An entry with a password, and a link whose rule is the host of the page. @throws Refusal, AppError */
    async save({ saveId, groupId, title, userName, password, address }: NewSignIn): Promise<void> {
      if (password === '') throw new Refusal('no_password', TEXTS.passwordMissing);
      if (begun !== null && (begun.saveId !== saveId || begun.groupId !== groupId)) await takeBack();
      begun ??= { saveId, groupId, entry: newEntrySaving(groupId, { read: vault.read, write: write() }) };
      await begun.entry.save(title, [
        { key: 'password', field: { type: 'password', title: '', login: userName, value: password } },
        { key: 'link', field: { type: 'link', title: '', value: new URL(address).origin } },
      ]);
      begun = null;
      localStorage.setItem(LAST_GROUP, groupId);
    },

    /** The person gave up: what a failed call stored is undone. @throws AppError */
    async dropSave(): Promise<void> {
      await takeBack();
    },

    /** A new revision of the first password, which is opened for it. @throws Refusal if somebody has changed it meanwhile */
    async update({ entry, password }: { readonly entry: EntryPath; readonly password: string }): Promise<void> {
      const { entryGroupId, entryId } = entry;
      const field = (await vault.read.fields({ entryGroupId, entryId })).find(({ type }) => type === 'password');
      if (field?.type !== 'password') throw new Refusal('no_field', TEXTS.noPassword);
      // What is kept comes from the sealed value: a server could show another title or login.
      const [former] = await vault.read.revealSeveral([{ entryGroupId, entryId, field }], { purpose: 'compare' });
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
