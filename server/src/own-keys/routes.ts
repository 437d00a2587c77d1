import * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import { asGrant } from '../groups/group-answers.ts';
import { on, type Route } from '../http/route.ts';
import { replacedVersion } from '../users/keys/slots-and-documents.ts';
import { listEveryGrant } from './rekey-repository.ts';
import { replaceKeys } from './rekey.ts';

export const routes: readonly Route[] = [
  on(ownKeys.grants, async ({ deps, actor }) => ({
    grants: (await listEveryGrant(deps.db.read, actor.userId)).map(asGrant),
  })),
  on(ownKeys.rekey, (context) => replaceKeys(context, replacedVersion(context), context.body), {
    // A missing header is reported first.
    permit: async (request) => void replacedVersion(request),
  }),
];
