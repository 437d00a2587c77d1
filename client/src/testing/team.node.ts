/** Several people with the real client on one server, each on their own device. */
import type { SignedIn, TestApp } from '../../../server/src/testing/test-app.ts';
import type { EntryPath, FieldPath, VaultRead, VaultWrite } from '../vault/vault.ts';
import { vaultOf, type RealVault } from './real-vault.node.ts';
import { deviceStoreInMemory } from './device-store-in-memory.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';

export interface Mate extends RealVault {
  readonly person: SignedIn;
  readonly deviceStore: DeviceStore;
  readonly read: VaultRead;
  readonly write: VaultWrite;
}

/** An unlocked client. @param deviceStore store of a device used before; default: a new device */
export async function mateOf(person: SignedIn, deviceStore: DeviceStore = deviceStoreInMemory()): Promise<Mate> {
  const real = vaultOf(person, onlyTab(), deviceStore);
  await real.keyring.unlock(person.masterPassword);
  const { read, write } = real.vault;
  if (write === null) throw new Error('The online vault writes');
  // Forged answers are set on the vault itself, so it stays the same object.
  return Object.assign(real, { person, deviceStore, read, write });
}

export const signUpAll = (app: TestApp, names: readonly string[]): Promise<SignedIn[]> =>
  names.reduce<Promise<SignedIn[]>>(async (all, name) => [...(await all), await app.signUp(name)], Promise.resolve([]));

let groups = 0;

/** A group with one entry and one password. Its name is unique, because equal paths cause a question. */
export async function groupWithSecret(mate: Mate, text: string): Promise<FieldPath> {
  const { entryGroup } = await mate.write.createGroup({
    name: `Production ${(groups += 1)}`,
    parentId: null,
    sameMembers: false,
  });
  const entry = await mate.write.createEntry(entryGroup.entry_group_id, 'Ledger');
  return addSecret(mate, { entryGroupId: entryGroup.entry_group_id, entryId: entry.entry_id }, text);
}

export async function addSecret(mate: Mate, path: EntryPath, text: string): Promise<FieldPath> {
  const field = await mate.write.createField(path, { type: 'password', title: 'Root', login: 'root', value: text });
  return { ...path, field };
}

/** Continues from the shown list, as a person who has looked at it. */
export const goOn = ({ write, vault }: Mate, groupId: string): Promise<void> =>
  write.trust.goOn(groupId, vault.trust.details(groupId)?.newest?.hash ?? null);

/** Confirms the group as a person who has compared the key of the list's signer. */
export async function trustGroup(
  { write, read, vault }: Pick<Mate, 'write' | 'read' | 'vault'>,
  groupId: string,
  how: 'words' | 'first-use' = 'words',
): Promise<void> {
  await read.examine(groupId);
  const details = vault.trust.details(groupId);
  if (details?.trust.state === 'unconfirmed' && details.newest !== null) {
    const { hash, signer } = details.newest;
    await write.trust.confirmSigner(groupId, { hash, signer: { ...signer, name: 'the signer' } }, how);
  }
  await write.trust.readAgain();
}
