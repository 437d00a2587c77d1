/** Service accounts of the person who is signed in. */
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import type { VaultWrite, VaultRead } from '@passwordbroker/client/vault/vault';
import type { Client } from '@passwordbroker/client/client';
import { CommandError, EXIT } from '../failure.ts';
import { oneGroup } from './find.ts';
import type { Asked } from './node-platform.ts';
import { onePerson } from './sharing.ts';

export interface Made {
  readonly id: string;
  readonly text: string;
  readonly pin: string;
  readonly missed: readonly string[];
}

/** @param signedIn rejects unless somebody is signed in */
export function servicesOf(
  { servers }: Pick<Client, 'servers'>,
  read: Pick<VaultRead, 'tree' | 'people'>,
  write: () => VaultWrite,
  signedIn: () => Promise<void>,
) {
  async function all(): Promise<readonly ServiceAccount[]> {
    await signedIn();
    return (await write().services()).list();
  }

  async function oneNamed(name: string): Promise<ServiceAccount> {
    const account = (await all()).find((one) => one.name === name || one.user_id === name);
    if (account === undefined)
      throw new CommandError(EXIT.notFound, 'not_found', `No service account is called “${name}”.`);
    return account;
  }

  return {
    services: (_input: null) => all(),

    /** All groups are found before anything is made. An account whose command was cancelled, or is gone, is removed. */
    async createService(
      asked: {
        readonly name: string;
        readonly days: number;
        readonly networks: readonly string[];
        readonly groups: readonly (readonly string[])[];
      },
      { signal }: Pick<Asked, 'signal'>,
    ): Promise<Made> {
      await signedIn();
      const tree = asked.groups.length === 0 ? [] : await read.tree();
      const groups = asked.groups.map((elements) => oneGroup(tree, elements));
      const writes = await write().services();
      const { account, text, pin, missed } = await writes.create({
        name: asked.name,
        description: '',
        networks: asked.networks,
        days: asked.days,
        groupIds: groups.map(({ id }) => id),
        origin: servers.chosen() ?? '',
      });
      if (signal.aborted) {
        await writes.remove(account.user_id);
        throw new CommandError(EXIT.givenUp, 'given_up', 'Given up. The service account was not kept.');
      }
      const pathOf = (groupId: string) => groups.find(({ id }) => id === groupId)?.path ?? groupId;
      const told = missed.map(({ groupId, reason }) => `${pathOf(groupId)}: ${reason}`);
      return { id: account.user_id, text, pin, missed: told };
    },

    /** New keys and a new credential; all former ones end. The account is added to its groups again. */
    async renewService({ name, days }: { readonly name: string; readonly days: number }): Promise<Made> {
      const account = await oneNamed(name);
      const writes = await write().services();
      const { text, pin, missed } = await writes.renew(account, { days, origin: servers.chosen() ?? '' });
      return {
        id: account.user_id,
        text,
        pin,
        missed: missed.map(({ groupId, reason }) => `id:${groupId}: ${reason}`),
      };
    },

    async endCredential({ slotId }: { readonly slotId: string }): Promise<void> {
      const account = (await all()).find(({ credentials }) => credentials.some(({ slot_id }) => slot_id === slotId));
      if (account === undefined)
        throw new CommandError(EXIT.notFound, 'not_found', `No credential has the id ${slotId}.`);
      await (await write().services()).end(account.user_id, slotId);
    },

    async removeService({ name }: { readonly name: string }): Promise<void> {
      await (await write().services()).remove((await oneNamed(name)).user_id);
    },

    /** By a site admin. @param email of the next owner. @throws AppError if the server refuses */
    async giveService({ name, email }: { readonly name: string; readonly email: string }): Promise<ServiceAccount> {
      const account = await oneNamed(name);
      const owner = await onePerson(read, email);
      return (await write().services()).change(account.user_id, { owner_id: owner.user_id });
    },
  };
}
