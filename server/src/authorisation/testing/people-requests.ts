/** Accounts, settings of the site, and the audit log. */
import { v7 } from 'uuid';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody } from '../../testing/test-app.ts';
import { testPerson } from '../../testing/test-person.ts';
import { forgetPerson } from './identity-requests.ts';
import { type Requests, about, each, sends } from './sending.ts';

/** A different number each time, so that a setting changes. */
let asked = 0;
const another = (from: number, below: number) => from + (asked++ % (below - from));

const ofTarget = (json?: object) =>
  each((_caller, { target }) => ({ params: { id: target.userId }, ...(json === undefined ? {} : { json }) }));

/** An account that may be deleted. */
const ofNewcomer = about(
  async (world) => {
    const person = await testPerson('joining');
    await forgetPerson(world, person.userId);
    await world.people.SA.call(register, { body: { user: signUpBody(person) } });
    return person.userId;
  },
  (id) => ({ params: { id }, json: {} }),
);

export const PEOPLE_REQUESTS: Requests = {
  'GET /identity/api/users/search': sends({ query: '?q=a' }),
  'GET /identity/api/users/search · entryGroupExclude': each((_caller, { g }) => ({
    query: `?q=&entryGroupExclude=${g.g}`,
  })),
  'GET /identity/api/user/:id · oneself': each(({ person }) => ({ params: { id: person.userId } })),
  'GET /identity/api/user/:id · another’s': ofTarget(),
  'PUT /identity/api/user/:id · oneself': each(({ person }) => ({
    params: { id: person.userId },
    json: { name: person.name },
  })),
  'PUT /identity/api/user/:id · another’s': ofTarget({ name: 'target' }),
  'PUT /identity/api/user/:id · another’s password': each((_caller, { target }) => ({
    params: { id: target.userId },
    json: { password: target.password, password_confirmation: target.password },
  })),
  'PUT /identity/api/user/:id/admin': ofTarget({ is_admin: false }),
  'PUT /identity/api/user/:id/auditor': ofTarget({ is_auditor: false }),
  'PUT /identity/api/user/:id/disabled': ofTarget({ status: false }),
  'DELETE /identity/api/user/:id': ofNewcomer,
  'GET /identity/api/user/:id/keyReset': ofTarget(),
  'POST /identity/api/user/:id/keyReset': ofNewcomer,
  'GET /identity/api/user/:id/offboarding': ofTarget(),
  'POST /identity/api/user/:id/offboarding': ofNewcomer,
  'GET /identity/api/user/:id/certificate': ofTarget(),
  'GET /identity/api/certificates': each((_caller, { target }) => ({ query: `?user_ids=${target.userId}` })),
  'POST /identity/api/registration · sealed': each(async (_caller, world) => {
    const person = await testPerson('joining');
    await forgetPerson(world, person.userId);
    return { json: { user: signUpBody(person) } };
  }),
  'POST /identity/api/registration · with a master password': each(() => {
    const [username, password, master] = [v7(), 'the account password', 'the master password'];
    const passwords = { password, password_confirmation: password };
    const keys = { master_password: master, master_password_confirmation: master };
    return { json: { user: { username, email: `${username}@example.org`, ...passwords, ...keys } } };
  }),

  'GET /system/api/setting/site': sends(),
  'PUT /system/api/setting/site': each(() => ({ json: { trash_days: another(30, 40) } })),
  'GET /system/api/setting/limits': sends(),
  'PUT /system/api/setting/limits': each(() => ({ json: { invite_days: another(5, 15) } })),
  'GET /system/api/storage': sends(),
  'GET /system/api/setting/signIn': sends(),
  'PUT /system/api/setting/signIn': each(() => ({ json: { second_factor_grace_days: another(5, 15) } })),
  'GET /system/api/setting/networks': sends(),
  'PUT /system/api/setting/networks': each(() => ({
    json: { sign_in_networks: `0.0.0.0/0, ::/${another(0, 2) % 2}` },
  })),
  'GET /system/api/checkup': sends(),
  'PUT /system/api/checkup': each(() => ({ json: { point: 'mail', kept: another(0, 2) % 2 === 0 } })),
  'POST /system/api/checkup/mail': sends(),
  'GET B/entryGroup/history': sends(),
  'GET /system/api/auditLog': sends(),
  'GET /system/api/auditLog/export': sends({ query: '?format=ndjson' }),
  'GET /system/api/auditLog/verify': sends(),
  'GET /system/api/auditLog/size': sends(),
};
