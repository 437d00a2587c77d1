/** Makes and manages service accounts. A credential is made in the worker and shown once. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import * as services from '@passwordbroker/core/contract/users/service-accounts';
import type { VaultKeyring } from '../keyring/groups/group-openings.ts';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { reasonOf } from '../transport/reason.ts';
import type { Http } from '../transport/http.ts';
import type { MemberWrites } from './groups/people.ts';

export interface NewService {
  readonly name: string;
  readonly description: string;
  readonly networks: readonly string[];
  readonly days: number;
  readonly groupIds: readonly string[];
  /** Of the server, for the credential. */
  readonly origin: string;
}

export interface MadeService {
  readonly account: services.ServiceAccount;
  /** `pbsa1_…` */
  readonly text: string;
  /** Of the caller's own key: a line for `PB_SERVICE_PINS`. */
  readonly pin: string;
  /** Groups that it could not be added to, and why. */
  readonly missed: readonly { readonly groupId: string; readonly reason: string }[];
}

export interface ServiceWrites {
  /** The caller's own by name; for a site admin all. */
  list(signal?: AbortSignal): Promise<readonly services.ServiceAccount[]>;
  /** @throws AppError `validation`; `not_found` unless the caller owns it or is a site admin */
  change(id: string, change: BodyOf<typeof services.updateService>): Promise<services.ServiceAccount>;
  /** Ends a credential at once. @throws AppError `not_found` */
  end(id: string, slotId: string): Promise<void>;
  /** @throws AppError `not_found` */
  remove(id: string): Promise<void>;
  create(asked: NewService): Promise<MadeService>;
  /** New keys after a loss; the account is added to its groups again. */
  renew(
    account: Pick<services.ServiceAccount, 'user_id' | 'name' | 'keyset_version'>,
    asked: Pick<NewService, 'days' | 'origin'>,
  ): Promise<MadeService>;
}

/** Far above what people make: the server says how many there are. */
const MOST_PAGES = 100;

export function serviceWrites(
  http: Http,
  keyring: VaultKeyring,
  members: Pick<MemberWrites, 'confirmKey' | 'add'>,
  rotateSoon: (groupId: string) => void,
): ServiceWrites {
  /** Never throws: the text is not lost. */
  async function joined(account: services.ServiceAccount, fingerprint: string, groupIds: readonly string[]) {
    const missed: { groupId: string; reason: string }[] = [];
    const person = { userId: account.user_id, name: account.name };
    const decided = await members.confirmKey(person, fingerprint, 'made').then(
      () => null,
      (failure: unknown) => reasonOf(failure),
    );
    for (const groupId of groupIds) {
      const reason =
        decided ??
        (await members.add(groupId, { ...person, fingerprint }, 'member').then(
          () => null,
          (failure: unknown) => reasonOf(failure),
        ));
      if (reason !== null) missed.push({ groupId, reason });
    }
    return missed;
  }

  const pinOf = async () => (await keyring.call('ownKey', null)).fingerprint;

  return {
    async list(signal) {
      const found: services.ServiceAccount[] = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const query = { page, perPage: LIMITS.pageMax };
        const { data, last_page } = await http.call(services.serviceAccounts, { query, signal });
        found.push(...data);
        if (page >= last_page) break;
      }
      return found;
    },
    change: (id, body) => http.call(services.updateService, { params: { id }, body }),
    async end(id, slotId) {
      await http.call(services.endServiceCredential, { params: { id, slotId } });
    },
    async remove(id) {
      await http.call(services.removeService, { params: { id } });
    },

    async create({ name, description, networks, days, groupIds, origin }) {
      const pin = await pinOf();
      const userId = crypto.randomUUID();
      const made = await keyring.call('createServiceKeys', { userId, origin, keysetVersion: 1 });
      const { key_bundle, credential, text, fingerprint } = made;
      const account = await http.call(services.createService, {
        body: {
          user_id: userId,
          name,
          description,
          allowed_networks: [...networks],
          key_bundle,
          credential: { ...credential, expires_in_days: days },
        },
      });
      return { account, text, pin, missed: await joined(account, fingerprint, groupIds) };
    },

    async renew({ user_id: userId, keyset_version }, { days, origin }) {
      const pin = await pinOf();
      const made = await keyring.call('createServiceKeys', { userId, origin, keysetVersion: keyset_version + 1 });
      const { key_bundle, credential, text, fingerprint } = made;
      const { account, groups } = await http.call(services.renewServiceKeys, {
        params: { id: userId },
        body: { key_bundle, credential: { ...credential, expires_in_days: days } },
      });
      const groupIds = groups.map(({ entry_group_id }) => entry_group_id);
      const missed = await joined(account, fingerprint, groupIds);
      // The former keys could open what they held; in a group where this fails, an admin is told.
      for (const groupId of groupIds) if (missed.every((one) => one.groupId !== groupId)) rotateSoon(groupId);
      return { account, text, pin, missed };
    },
  };
}
