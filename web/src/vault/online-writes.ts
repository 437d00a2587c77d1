/** Writes: sealed here, structure checked there. Ids are chosen here, because sealed values are bound to them. */
import * as operations from '@passwordbroker/core/contract/operations';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import type { Http } from '../lib/http.ts';
import { onlineEntries } from './online-entries.ts';
import { onlineFields } from './online-fields.ts';
import { onlineGroups } from './online-groups.ts';
import { importFile } from './online-import.ts';
import type { VaultWrite } from './vault.ts';

export function onlineWrites(http: Http, keyring: VaultKeyring): Omit<VaultWrite, 'members' | 'trust'> {
  return {
    ...onlineGroups(http, keyring),
    ...onlineEntries(http, keyring),
    ...onlineFields(http, keyring),
    importFile: (file, options) => importFile(http, keyring, file, options),
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
