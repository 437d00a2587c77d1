/** Values are sealed here. Ids are chosen here, because sealed values are bound to them. */
import * as operations from '@passwordbroker/core/contract/entries/operations';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import { onlineEntries } from './online-entries.ts';
import { onlineFields } from './online-fields.ts';
import { onlineGroups } from '../groups/online-groups.ts';
import { importFile } from './online-import.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { GroupPaths } from '../groups/group-paths.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import type { VaultWrite } from '../vault.ts';

interface Parts {
  readonly keys: OnlineKeys;
  readonly paths: GroupPaths;
  readonly sync: TrustSync;
}

export function onlineWrites(http: Http, keyring: VaultKeyring, parts: Parts): Omit<VaultWrite, 'members' | 'trust'> {
  return {
    ...onlineGroups(http, keyring, parts),
    ...onlineEntries(http, keyring, parts.keys),
    ...onlineFields(http, keyring, parts.keys),
    async importFile(file, options) {
      const imported = await importFile(http, keyring, file, options);
      parts.paths.forget();
      parts.sync.soon();
      return imported;
    },
    undo: (operationId) => http.call(operations.undo, { params: { operationId }, body: {} }),
    restore: (operationId, items) =>
      http.call(operations.restore, {
        params: { operationId },
        isProven: keyring.isOpen(),
        body: items === undefined ? {} : { items: [...items] },
      }),
    purge: async (what, items) => {
      const sent = { query: { items }, isProven: keyring.isOpen() };
      if ('operationId' in what) await http.call(operations.purge, { params: what, isProven: keyring.isOpen() });
      else if (what.groupId === null) await http.call(operations.emptyTrash, sent);
      else await http.call(operations.emptyGroupTrash, { params: { g: what.groupId }, ...sent });
    },
  };
}
