/**
 * The authorisation matrix (docs/spec/api.md §4, docs/spec/threats.md §4.1): every cell of the table, by cookie and by bearer token. An endpoint that is declared and not in
 * the table, or in the table and not mounted, fails here, too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { ROUTES } from '../app/app.ts';
import type { TestAnswer, TestRequest } from '../testing/test-client.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { type Caller, renewActor } from './testing/callers.ts';
import { REQUESTS, requestOf } from './testing/requests.ts';
import { changedTables, readStored } from './testing/stored.ts';
import { ACTORS, NOT_YET, TABLE } from './testing/table.ts';
import type { Outcome, TableCall } from './testing/table.ts';
import { type World, startWorld } from './testing/world.ts';

/** Paths are compared without the names of their parameters. */
const shape = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`;
const DECLARED = new Map((Object.values(CONTRACT) as Endpoint[]).map((endpoint) => [shape(endpoint), endpoint]));

describe('the table', () => {
  test('contains every declared endpoint, and every endpoint in it is mounted', () => {
    const inTable = new Set(TABLE.map(shape));
    expect([...DECLARED.keys()].filter((key) => !inTable.has(key))).toEqual([]);
    const mounted = new Set(ROUTES.map(({ endpoint }) => shape(endpoint)));
    expect(TABLE.filter((call) => !NOT_YET.has(call.short) && !mounted.has(shape(call)))).toEqual([]);
  });

  test('lists as not yet implemented only missing endpoints', () => {
    const there = TABLE.filter(({ short }) => NOT_YET.has(short)).filter((call) => DECLARED.has(shape(call)));
    expect(there.map(({ short }) => short)).toEqual([]);
    expect([...NOT_YET].filter((short) => !TABLE.some((call) => call.short === short))).toEqual([]);
  });

  test('has a request for each of its calls', () => {
    const names = TABLE.filter(({ short }) => !NOT_YET.has(short)).map(({ name }) => name);
    expect(Object.keys(REQUESTS).toSorted()).toEqual(names.toSorted());
  });
});

const CODES = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' } as const;

let world: World;
let cells = 0;
/** Successful calls other than GET, and those of them that added a row to the audit log. */
const done = new Set<string>();
const onRecord = new Set<string>();
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.app.stop();
  console.info(`authorisation matrix: ${cells} cells`);
});

/** Number of refusals so far: rows of first refusals, and counters of repeated ones. */
async function countRefusals(): Promise<number> {
  const { read } = world.app.deps.db;
  const { count } = await read
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_type', '=', 'access_refused')
    .executeTakeFirstOrThrow();
  const { repeats } = await read
    .selectFrom('refusal_counts')
    .select(({ fn }) => fn.sum<number | null>('repeats').as('repeats'))
    .executeTakeFirstOrThrow();
  return Number(count) + Number(repeats ?? 0);
}

async function countRows(): Promise<number> {
  const { count } = await world.app.deps.db.read
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Foreign texts in the response, except texts of the request itself. */
function leaked(caller: Caller, call: TableCall, request: TestRequest, answer: TestAnswer): string[] {
  const said = request.path + JSON.stringify(request.json ?? '');
  // The log names targets by id only.
  const mayNameIds = /auditLog|entryGroup\/history/.test(call.path);
  // A member of a subgroup sees the path to it.
  const seesWay =
    caller.actor === 'Gu' && ['GET B/entryGroupsAsTree', 'GET B/entryGroupsWithFields'].includes(call.short);
  return world
    .foreignTo(caller.actor)
    .filter((text) => answer.text.includes(text) && !said.includes(text))
    .filter((text) => !(mayNameIds && /^[0-9a-f-]{36}$/.test(text)) && !(seesWay && world.way.includes(text)));
}

interface Cell {
  readonly call: TableCall;
  readonly caller: Caller;
  readonly request: TestRequest;
}

/** The expected status of the table, but 403 for tokens of signed-in people at `browserOnly` calls. */
function outcomeOf(call: TableCall, { actor, mode }: Caller): Outcome {
  const outcome = call.outcomes[actor];
  const isRefused = mode === 'bearer' && DECLARED.get(shape(call))?.browserOnly === true;
  return isRefused && outcome !== 401 ? 403 : outcome;
}

const nameOf = ({ call, caller }: Cell) => `${call.name} by ${caller.name}`;

/** Differences between the response and one cell. */
async function judge({ call, caller, request }: Cell): Promise<string[]> {
  const expected = outcomeOf(call, caller);
  // The call does not depend on credentials, refused or not.
  const isOpen = call.outcomes.An === 'ok' || call.outcomes.An === 403;
  const recorded = call.method === 'GET' ? 0 : await countRows();
  const answer = await (isOpen ? caller.sendOpenly(request) : caller.send(request));
  if (call.method !== 'GET' && answer.status < 300) {
    done.add(call.name);
    if ((await countRows()) > recorded) onRecord.add(call.name);
  }
  cells += 1;
  const said = `is ${answer.status} ${answer.text.slice(0, 200)}`;
  const foreign = leaked(caller, call, request, answer).map((text) => `tells of ${text}`);
  const success = REQUESTS[call.name]?.status?.(caller) ?? DECLARED.get(shape(call))?.answer.status;
  const status = expected === 'ok' ? success : expected;
  const isRight = answer.status === status && (expected === 'ok' || answer.json()['code'] === CODES[expected]);
  return isRight ? foreign : [...foreign, `${said}, not ${status}`];
}

/** Sends the refused calls in turn; together they change nothing but the record of refusals. */
async function judgeRefusals(refusals: readonly Cell[]): Promise<string[]> {
  const [before, recorded] = [await readStored(world.app.deps), await countRefusals()];
  const wrong: string[] = [];
  for (const cell of refusals) wrong.push(...(await judge(cell)).map((fault) => `${nameOf(cell)} ${fault}`));
  const changed = changedTables(before, await readStored(world.app.deps));
  const due = refusals.filter(({ call, caller }) => caller.isSignedIn && outcomeOf(call, caller) === 403).length;
  const written = (await countRefusals()) - recorded;
  const [first] = refusals;
  const who = refusals.length === 1 && first !== undefined ? nameOf(first) : 'One of the refusals';
  if (changed.length > 0) wrong.push(`${who} changes ${changed.join(', ')}`);
  if (written !== due) wrong.push(`${who} is not on record: ${written} of ${due}`);
  return wrong;
}

describe.each(TABLE.filter(({ short }) => !NOT_YET.has(short)))('$name', (call) => {
  const outcomes = ACTORS.map((actor) => `${actor} ${call.outcomes[actor]}`).join(', ');
  test(outcomes, async () => {
    const { make, spends = false } = REQUESTS[call.name]!;
    const wrong: string[] = [];
    const prepared = await make(world);
    const cellOf = async (caller: Caller, sending: typeof prepared): Promise<Cell> => ({
      call,
      caller,
      request: await requestOf(call, caller, await sending(caller), world.app.clock.now()),
    });
    const refusals: Cell[] = [];
    for (const caller of world.callers)
      if (outcomeOf(call, caller) !== 'ok') refusals.push(await cellOf(caller, prepared));
    if (refusals.length > 0) wrong.push(...(await judgeRefusals(refusals)));
    // Otherwise sends each one alone to find the faulty one.
    if (wrong.length > 0) for (const cell of refusals) wrong.push(...(await judgeRefusals([cell])));
    let sending = prepared;
    for (const caller of world.callers) {
      if (outcomeOf(call, caller) !== 'ok') continue;
      const cell = await cellOf(caller, sending);
      wrong.push(...(await judge(cell)).map((fault) => `${nameOf(cell)} ${fault}`));
      if (spends) await renewActor(world.app, world.people, world.callers, caller);
      if (call.method !== 'GET') sending = await make(world);
    }
    expect(wrong).toEqual([]);
  });
});

/**
 * Calls that need a fresh account password (docs/spec/threats.md §3.1.18, T145), besides first keys
 * of an account without any.
 */
const FRESH = [
  'PUT /system/api/setting/site',
  'PUT /system/api/setting/limits',
  'PUT /system/api/setting/networks',
  'PUT /system/api/setting/signIn',
  'POST /identity/api/factors/totp',
  'POST /identity/api/factors/totp/:totpId/confirm',
  'DELETE /identity/api/factors/totp/:totpId',
  'POST /identity/api/factors/recoveryCodes',
  'POST /identity/api/factors/recoveryCodes/check',
  'PUT /system/api/checkup',
  'POST /system/api/setting/backupSetting/backup',
  'GET /system/api/backups/:id/download',
  // Its other members can be changed without it.
  'PUT /identity/api/user/:id · another’s password',
  'PUT /identity/api/user/:id/admin',
  'PUT /identity/api/user/:id/auditor',
  'PUT /identity/api/user/:id/disabled',
  'DELETE /identity/api/user/:id',
  'POST /identity/api/user/:id/keyReset',
  'POST /identity/api/user/:id/offboarding',
  'POST /identity/api/user/:id/factorReset',
  'POST /identity/api/serviceAccount/:id/keys · one’s own',
  'PUT /identity/api/user/:id/breakGlass',
  'PUT /system/api/setting/providers/:providerId',
  'POST /system/api/setting/providers/:providerId/test',
  'POST /identity/api/sso/links',
  'DELETE /identity/api/sso/links/:linkId',
  'DELETE /identity/api/user/:id/links/:linkId',
  'POST /identity/api/registration · sealed',
  'POST /identity/api/registration · with a master password',
  'POST /identity/api/invite',
  'POST /identity/api/token',
  'POST /identity/api/programs',
  'POST B/exports',
  'POST /identity/api/factors/passkeys/options',
  'POST /identity/api/factors/passkeys',
  'PUT /identity/api/factors/passkeys/:passkeyId · one’s own',
  'DELETE /identity/api/factors/passkeys/:passkeyId · one’s own',
  'PUT /identity/api/keyBundle/passkeys/:passkeyId · one’s own',
  'DELETE /identity/api/keyBundle/passkeys/:passkeyId · one’s own',
  'DELETE /identity/api/keyBundle/slots/:slotType',
  'DELETE /identity/api/password',
  // A proof of the open keyring is accepted instead.
  'POST B/trash/:operationId/restore · an entry of g',
  'DELETE B/trash/:operationId · an entry of g',
  'DELETE B/trash/:operationId · group g',
  'DELETE B/trash',
  'DELETE G/trash',
];

describe('a fresh sign-in (T22)', () => {
  const callNamed = (name: string) => TABLE.find((call) => call.name === name)!;

  test('is needed for exactly these calls', () => {
    // `with-factor`: accounts of this world have no second factor.
    const declared = [...DECLARED.values()]
      .filter(({ fresh = 'without-keys' }) => fresh !== 'without-keys' && fresh !== 'with-factor')
      .map(shape);
    expect(declared.toSorted()).toEqual([...new Set(FRESH.map((name) => shape(callNamed(name))))].toSorted());
  });

  test.each(FRESH)('%s: refused 10 minutes after the password, without a change', async (name) => {
    const call = callNamed(name);
    const { app, people, callers } = world;
    const actor = call.outcomes.SA === 'ok' ? 'SA' : 'Ad';
    for (const caller of callers.filter((one) => one.actor === actor && outcomeOf(call, one) === 'ok')) {
      const { make, status } = REQUESTS[name]!;
      const prepare = async () => requestOf(call, caller, await (await make(world))(caller), app.clock.now());
      const send = async (request: TestRequest) => [caller.name, (await caller.send(request)).status];
      const success = [caller.name, status?.(caller) ?? DECLARED.get(shape(call))?.answer.status];
      // Either of them may have created what a call is about.
      for (const one of ['SA', 'Ad'] as const)
        await renewActor(
          app,
          people,
          callers,
          callers.find((each) => each.actor === one)!,
        );
      app.clock.advance(10 * MINUTE - 1);
      expect(await send(await prepare())).toEqual(success);
      const request = await prepare();
      const before = await readStored(app.deps);
      app.clock.advance(1);
      const refused = await caller.send(request);
      expect([caller.name, refused.status, refused.json()['code']]).toEqual([caller.name, 403, 'reauth_required']);
      expect(refused.json()['message']).toBe('Confirm your password first');
      expect(changedTables(before, await readStored(app.deps))).toEqual([]);
      const json = { password: caller.person.password };
      expect((await caller.send({ path: confirmPassword.path, json })).status).toBe(200);
      expect(await send(request)).toEqual(success);
    }
  });
});

/**
 * Events that need more than one call of the table and have their own tests. The table has caused
 * every other event at least once (docs/spec/api.md §3.11).
 */
const ELSEWHERE = new Set<string>([
  'recovery_kit_made',
  'recovery_kit_used',
  'login_failed',
  'mp_refused',
  'mass_reveal',
  'export_expired',
  'user_updated',
  'user_admin_changed',
  'backup_created',
  'backup_failed',
  'backup_downloaded',
  'backup_verified',
  'backup_copied',
  'backup_copy_failed',
  'mail_tested',
  'recovered',
  'audit_pruned',
  'second_factor_asked',
  'second_factor_failed',
  'factor_added',
  'factor_reset',
  'recovery_codes_made',
  'recovery_code_used',
  'browser_remembered',
  'sso_linked',
  'sso_refused',
  'provider_changed',
  'break_glass_changed',
  'break_glass_login',
  'password_removed',
  'service_refused',
]);

/** Calls other than GET without an audit row, with the reason. */
const WITHOUT_EVENT: Readonly<Record<string, string>> = {
  'POST /identity/api/confirmPassword': 'changes nothing; a failure is on record',
  'POST /identity/api/factors/totp': 'counts for nothing until a code confirms it (factor_added)',
  'POST G/entries/bulkEdit/wraps': 'reads',
  'POST B/resolve': 'reads names, as a search does',
  'POST B/imports': 'nothing is visible before the commit (imported)',
  'PUT B/imports/:importId/parts/:part': 'nothing is visible before the commit (imported)',
  'DELETE B/imports/:importId': 'nothing was visible',
  'POST /identity/api/factors/passkeys/options': 'stores nothing',
  'POST /identity/api/passkey/options': 'stores nothing',
  ...Object.fromEntries(
    TABLE.filter(({ short }) => short === 'POST B/access/preview').map(({ name }) => [name, 'reads']),
  ),
  'POST G/rotate/rewraps': 'the second half of what key_rotated records; no value changes',
  'DELETE /identity/api/invites/:inviteId/groups': 'an own reminder; gives and takes no access',
  'POST /system/api/checkup/mail': 'without a mail server nothing is tried (mail_tested: checkup.test.ts)',
  'PUT /identity/api/keyBundle/documents/:name': 'the sealed memory of one’s own client',
  'POST /identity/api/notices/read': 'what the person has seen of the own notices',
  'PUT /identity/api/notices/settings': 'which notices the person gets; the log has what they are about',
  'POST /identity/api/userApplications': 'gives access to nothing; offline_mode_changed records what does',
  'DELETE /identity/api/userApplication/:id · one’s own': 'as above: this one keeps no copy',
  'PUT /identity/api/user/:id · oneself': 'asks for what is so already (user_updated: accounts.test.ts)',
  'PUT /identity/api/user/:id · another’s': 'asks for what is so already (user_updated: accounts.test.ts)',
  'PUT /identity/api/user/:id/admin': 'asks for what is so already (user_admin_changed: accounts.test.ts)',
  'PUT /identity/api/user/:id/auditor': 'asks for what is so already (user_auditor_changed: auditor.test.ts)',
};

test('every call that changes something is recorded (T157)', () => {
  const silent = [...done].filter((name) => !onRecord.has(name));
  expect(silent.toSorted()).toEqual(Object.keys(WITHOUT_EVENT).toSorted());
});

test('every event is recorded with the name of the actor and without a title', async () => {
  const rows = await world.app.deps.db.read.selectFrom('audit_log').selectAll().execute();
  const recorded = new Set(rows.map(({ event_type }) => event_type));
  expect(AUDIT_EVENTS.filter((event) => !ELSEWHERE.has(event) && !recorded.has(event))).toEqual([]);
  // A person who accepts an invitation has an address but no account yet.
  const nameless = rows.filter(({ event_type, user_id }) => user_id === null && event_type !== 'invite_accepted');
  expect([nameless, rows.filter(({ login }) => login === null)]).toEqual([[], []]);
  expect(rows.filter((row) => JSON.stringify(row).includes('canary'))).toEqual([]);
});
