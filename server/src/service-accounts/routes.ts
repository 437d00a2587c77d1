import * as services from '@passwordbroker/core/contract/users/service-accounts';
import { on, type Route } from '../http/route.ts';
import { createServiceAccount, mayCreate, renewKeys } from './create-service.ts';
import { addCredential, endOne } from './credentials.ts';
import { removeServiceAccount, servicesPage, updateServiceAccount } from './manage-services.ts';
import { demandManager, readService } from './service-checks.ts';

export const routes: readonly Route[] = [
  on(services.createService, (context) => createServiceAccount(context), { permit: mayCreate }),
  on(services.serviceAccounts, ({ deps, actor, query }) => servicesPage(deps, actor, query)),
  on(services.serviceAccount, async ({ deps, actor, params }) => {
    await demandManager(deps.db.read, actor, params.id, 'manager');
    return readService(deps, params.id);
  }),
  on(services.updateService, (context) => updateServiceAccount(context)),
  on(services.removeService, ({ deps, actor, origin, params }) =>
    removeServiceAccount(deps, { actor, origin }, params.id),
  ),
  on(services.addServiceCredential, (context) => addCredential(context)),
  on(services.endServiceCredential, (context) => endOne(context)),
  on(services.renewServiceKeys, (context) => renewKeys(context)),
];
