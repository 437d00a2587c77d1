/**
 * The authorisation matrix: every call in the classes of docs/spec/api.md §4. It imports neither
 * the endpoints nor the policy, so that a test compares two independent statements. A call is its
 * method and path, with its case after ' · '. 'Ours': not in the original specification.
 */

/**
 * An: no credential · Ou: signed in, no role · Gu: role only in a group below g · Me, Mo, Ad: member, moderator, admin of g · SA: site admin without a
 * role · Au: auditor without a role · Ex: a credential that has ended · Sv: a service account that is a member of g.
 */
export const ACTORS = ['An', 'Ou', 'Gu', 'Me', 'Mo', 'Ad', 'SA', 'Au', 'Ex', 'Sv'] as const;
export type Actor = (typeof ACTORS)[number];

/** `ok`: the success status of the endpoint; else the exact refusal. */
export type Outcome = 'ok' | 401 | 403 | 404;

interface Row {
  /** In the order of `ACTORS` without the auditor and the service account. */
  readonly cells: string;
  /** Ours: if absent, an auditor gets the response of an outsider. */
  readonly auditor?: 'ok';
  /** Ours: if absent, a service account gets 403, unless `outcomeForServices` names the call. */
  readonly service?: 'as a member';
  readonly calls: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    cells: 'ok ok ok ok ok ok ok ok',
    calls: [
      'GET /sanctum/csrf-cookie',
      'GET /identity/api/me',
      'GET /system/api/setup',
      // Ours: whether a client with an ended session may keep its copy.
      'GET /identity/api/userApplication/:id/standing',
      'GET /system/api/recovery',
      'GET /identity/api/invite/:token',
      'POST /identity/api/invite/:token',
      'POST /identity/api/login',
      'POST /identity/api/login/factor',
      // Ours: a program that was let in by a browser.
      'POST /identity/api/login/program',
      'POST /identity/api/login/factor/options',
      // Ours: single sign-on.
      'POST /identity/api/sso/:providerId/begin',
      'POST /identity/api/sso/callback',
      'POST /identity/api/sso/:providerId/backchannelLogout',
      'POST /identity/api/passkey/options',
      'POST /identity/api/passkey/login',
      'GET /identity/api/logout',
      'POST /identity/api/logout',
      'GET /system/api/openapi.json',
      'GET /health',
      'GET /ready',
    ],
  },
  {
    cells: '401 ok ok ok ok ok ok 401',
    calls: [
      'GET B/entryGroupsAsTree',
      'GET B/entryGroups',
      'GET B/entryGroupsWithFields',
      'POST B/entryGroups · a tree, sealed',
      'POST B/entryGroups · a tree, with a master password',
      'POST B/entryGroups · a tree, without one',
      'GET B/entrySearch',
      // Ours: favourites and recent entries, each only while the caller may read it.
      'GET B/entries',
      'GET B/tags',
      'GET B/trash',
      'POST B/import · sealed',
      'POST B/import · a file',
      'POST /import · sealed',
      'POST /import · a file',
      // Ours: an import in parts.
      'POST B/imports',
      // Ours: own operations, and people who left groups that the caller administers.
      'GET B/operations',
      'GET B/trash/purge',
      'DELETE B/trash',
      'GET B/departures',
      // Ours: many groups at once, each with the result of the call for one group.
      'GET B/groupUsers',
      'GET B/rosters',
      'GET B/names',
      // Ours: fields by their names.
      'POST B/resolve',
      'POST B/groupUsers',
      // Ours: sealed site rules of links.
      'POST B/sites',
    ],
  },
  {
    cells: '401 403 403 ok ok ok 403 401',
    service: 'as a member',
    calls: [
      'GET G',
      'GET G/entries',
      'GET E',
      'GET E/fields',
      'GET F',
      'GET G/history',
      'GET F/history',
      'GET E/seenBy',
      'GET G/users',
      'GET G/roster',
      // Ours: who can read the group.
      'GET G/access',
      'GET G/sites',
      // Ours: kinds of entries of the group and of those above it.
      'GET G/templates',
      'GET F/envelope',
      // Ours: several values in one call.
      'POST B/releases',
      'GET F/history/:logId/envelope',
      'GET F/file',
      'GET F/history/:logId/file',
    ],
  },
  {
    cells: '401 403 403 ok ok ok 403 401',
    calls: [
      'POST F/decrypted',
      'POST F/history/:logId/decrypted',
      'GET /identity/api/users/search · entryGroupExclude',
    ],
  },
  {
    cells: '401 403 403 403 ok ok 403 401',
    calls: [
      'POST B/entryGroups · a child of g, sealed',
      'POST B/entryGroups · a child of g, with a master password',
      'POST B/entryGroups · a child of g, without one',
      'POST G/entries',
      'PUT E',
      'PUT E/marks',
      'DELETE E',
      'PATCH E · sealed',
      'PATCH E · with a master password',
      'POST G/entries/bulkEdit/delete',
      'POST G/entries/bulkEdit/wraps',
      // Ours: each preview has the rights of its operation.
      'POST B/access/preview · move-entries from g',
      'POST B/access/preview · delete-entries',
      'POST B/access/preview · move-entries into g',
      'POST G/entries/bulkEdit/move · sealed',
      'POST G/entries/bulkEdit/move · with a master password',
      'POST G/entries/bulkEdit/move · into g, sealed',
      'POST G/entries/bulkEdit/move · into g, with a master password',
      'PATCH E · into g, sealed',
      'GET G/trash',
      'POST E/fields · sealed',
      'POST E/fields · with a master password',
      'PUT F · sealed',
      'PUT F · with a master password',
      'PUT F/site',
      'DELETE F · sealed',
      'DELETE F · with a master password',
      'POST B/trash/:operationId/restore · an entry of g',
      'POST B/trash/:operationId/restore · a field of g',
      'POST B/operations/:operationId/undo · an entry of g',
      'POST B/operations/:operationId/undo · a field of g',
    ],
  },
  {
    // Ours: admins may export while `export_by` has its default; groups that one cannot read are not found.
    cells: '401 404 404 403 403 ok 404 401',
    calls: ['POST B/exports'],
  },
  {
    // Ours: an import in parts belongs to the person who began it.
    cells: '401 404 404 404 404 ok 404 401',
    calls: ['PUT B/imports/:importId/parts/:part', 'POST B/imports/:importId/commit', 'DELETE B/imports/:importId'],
  },
  {
    // An export belongs to the person who began it.
    cells: '401 404 404 404 404 ok 404 401',
    calls: ['GET B/exports/:exportId/outline', 'POST B/exports/:exportId/releases', 'POST B/exports/:exportId/finish'],
  },
  {
    cells: '401 403 403 403 403 ok 403 401',
    calls: [
      'PUT G',
      'PUT G/templates/:t',
      'DELETE G/templates/:t',
      'DELETE G',
      'PATCH G · to the root',
      'PATCH G · into a group where admin',
      'PATCH G · another group into g',
      'POST G/users · sealed',
      'POST G/users · with a master password',
      'POST G/users · another role, sealed',
      'POST G/rotate · sealed',
      'POST G/rotate · with a master password',
      'GET G/rotate',
      'POST G/roster · sealed',
      'POST G/roster · with a master password',
      'POST G/trust',
      'POST G/rotate/rewraps',
      'DELETE G/users/:u · a member',
      'DELETE G/users/:u · a moderator',
      'POST B/trash/:operationId/restore · group g',
      'POST B/operations/:operationId/undo · group g',
      'DELETE B/trash/:operationId · an entry of g',
      'DELETE B/trash/:operationId · group g',
      // Ours: previews of a purge, and emptying the trash.
      'GET B/trash/:operationId/purge · an entry of g',
      'GET B/trash/:operationId/purge · group g',
      'GET G/trash/purge',
      'DELETE G/trash',
      // Ours: preview of a deletion, and what former members had opened.
      'GET G/removal',
      'POST B/access/preview · add-user',
      'POST B/access/preview · remove-user',
      'POST B/access/preview · change-role',
      'POST B/access/preview · move-group',
      'POST B/access/preview · move-group into g',
      'POST B/access/preview · delete-group',
      'POST B/access/preview · restore-group',
      'GET G/departures',
      'GET G/departures/:d',
      'GET G/users/:u/opened',
    ],
  },
  {
    cells: '401 403 403 403 403 403 403 401',
    calls: [
      'DELETE G/users/:u · oneself',
      'DELETE G/users/:u · another admin',
      'GET /identity/api/userApplication/:id · another’s',
      'DELETE /identity/api/userApplication/:id · another’s',
      'GET /identity/api/userApplication/:id/offlineDatabaseMode · another’s',
      'PUT /identity/api/userApplication/:id/offlineDatabaseMode · another’s',
      'GET /identity/api/userApplication/:id/isRsaPrivateRequiredUpdate · another’s',
      'GET /identity/api/userApplication/:id/isOfflineDatabaseRequiredUpdate · another’s',
    ],
  },
  {
    cells: '401 ok ok ok ok ok ok 401',
    calls: [
      'GET /identity/api/users/search',
      'GET /identity/api/user/:id · oneself',
      'PUT /identity/api/user/:id · oneself',
      'PUT /identity/api/password',
      'DELETE /identity/api/password',
      'GET /identity/api/ownEvents',
      'GET /identity/api/user/:id/certificate',
      'GET /identity/api/certificates',
      'GET /identity/api/keyBundle',
      'PUT /identity/api/keyBundle',
      'PUT /identity/api/keyBundle/slots/:slotType',
      'DELETE /identity/api/keyBundle/slots/:slotType',
      'GET /identity/api/keyBundle/grants',
      'GET /identity/api/factors/passkeys',
      'POST /identity/api/factors/passkeys/options',
      'POST /identity/api/factors/passkeys',
      'PUT /identity/api/factors/passkeys/:passkeyId · one’s own',
      'DELETE /identity/api/factors/passkeys/:passkeyId · one’s own',
      'PUT /identity/api/keyBundle/passkeys/:passkeyId · one’s own',
      'DELETE /identity/api/keyBundle/passkeys/:passkeyId · one’s own',
      'GET /identity/api/keyBundle/onlyMine',
      'GET /identity/api/keyBundle/documents/:name',
      'PUT /identity/api/keyBundle/documents/:name',
      'PUT /identity/api/serverCryptoOptOut',
      'POST /identity/api/masterPassword',
      'POST /identity/api/trustedKeys',
      'POST /identity/api/confirmPassword',
      // Ours: second factors, each of one’s own.
      'POST /identity/api/confirmPassword/options',
      'GET /identity/api/confirmWays',
      'GET /identity/api/factors',
      'POST /identity/api/factors/totp',
      'POST /identity/api/factors/totp/:totpId/confirm',
      'DELETE /identity/api/factors/totp/:totpId',
      'POST /identity/api/factors/recoveryCodes',
      'POST /identity/api/factors/recoveryCodes/check',
      'DELETE /identity/api/factors/remembered/:browserId',
      'DELETE /identity/api/factors/remembered',
      'GET /identity/api/sso/links',
      'POST /identity/api/sso/links',
      'DELETE /identity/api/sso/links/:linkId',
      'GET /identity/api/getPrivateRsa',
      'GET /identity/api/getCbcSalt',
      'GET /identity/api/sessions',
      'DELETE /identity/api/sessions',
      'DELETE /identity/api/sessions/:sessionId · one’s own',
      'POST /identity/api/token',
      'POST /identity/api/programs',
      'GET /identity/api/tokens',
      'DELETE /identity/api/tokens/:tokenId · one’s own',
      'GET /identity/api/userApplications',
      // Ours: each person's own notices.
      'GET /identity/api/notices',
      'GET /identity/api/notices/count',
      'POST /identity/api/notices/read',
      'GET /identity/api/notices/settings',
      'PUT /identity/api/notices/settings',
      'POST /identity/api/userApplications',
      'GET /identity/api/userApplication/:id · one’s own',
      'DELETE /identity/api/userApplication/:id · one’s own',
      'GET /identity/api/userApplication/:id/offlineDatabaseMode · one’s own',
      'PUT /identity/api/userApplication/:id/offlineDatabaseMode · one’s own',
      'GET /identity/api/userApplication/:id/isRsaPrivateRequiredUpdate · one’s own',
      'GET /identity/api/userApplication/:id/isOfflineDatabaseRequiredUpdate · one’s own',
      'GET /system/api/setting/site',
      // Ours.
      'GET /system/api/setting/limits',
      'GET /system/api/setting/signIn',
      'GET /identity/api/inviter',
      'GET /identity/api/serviceAccounts',
      'GET /identity/api/serviceAccount/:id · one’s own',
      'PUT /identity/api/serviceAccount/:id · one’s own',
      'DELETE /identity/api/serviceAccount/:id · one’s own',
      'DELETE /identity/api/serviceAccount/:id/credentials/:slotId · one’s own',
      'POST /identity/api/serviceAccount/:id/keys · one’s own',
    ],
  },
  {
    // Ours: site admins manage those of others, too.
    cells: '401 404 404 404 404 404 ok 401',
    calls: [
      'GET /identity/api/serviceAccount/:id · another’s',
      'PUT /identity/api/serviceAccount/:id · another’s',
      'DELETE /identity/api/serviceAccount/:id · another’s',
      'DELETE /identity/api/serviceAccount/:id/credentials/:slotId · another’s',
    ],
  },
  {
    // Only the owner gets a new credential.
    cells: '401 404 404 404 404 404 403 401',
    calls: ['POST /identity/api/serviceAccount/:id/keys · another’s'],
  },
  {
    // For the service account itself.
    cells: '401 404 404 404 404 404 404 401',
    calls: ['POST /identity/api/serviceAccount/:id/credentials'],
  },
  {
    cells: '401 404 404 404 404 404 404 401',
    calls: [
      'DELETE /identity/api/sessions/:sessionId · another’s',
      'DELETE /identity/api/tokens/:tokenId · another’s',
      'PUT /identity/api/factors/passkeys/:passkeyId · another’s',
      'DELETE /identity/api/factors/passkeys/:passkeyId · another’s',
      'PUT /identity/api/keyBundle/passkeys/:passkeyId · another’s',
      'DELETE /identity/api/keyBundle/passkeys/:passkeyId · another’s',
    ],
  },
  {
    cells: '401 403 403 403 403 403 ok 401',
    auditor: 'ok',
    calls: [
      'GET /identity/api/user/:id · another’s',
      'GET /identity/api/invites',
      'GET /system/api/setting/backupSetting/backup',
      'GET /system/api/backups',
      'GET /system/api/backups/:id',
      'GET /system/api/backupStatus',
      'GET B/entryGroup/history',
      'GET /system/api/auditLog',
      'GET /system/api/auditLog/verify',
      'GET /system/api/auditLog/export',
      'GET /system/api/auditLog/size',
      'GET /system/api/tokens',
      'GET /system/api/storage',
      'GET /system/api/setting/networks',
      'GET /system/api/setting/providers',
      'GET /system/api/checkup',
    ],
  },
  {
    cells: '401 403 403 403 403 403 ok 401',
    calls: [
      // While the site has the default policy.
      'POST /identity/api/serviceAccounts',
      'PUT /identity/api/user/:id · another’s',
      'PUT /identity/api/user/:id · another’s password',
      'DELETE /identity/api/user/:id',
      'PUT /identity/api/user/:id/admin',
      'PUT /identity/api/user/:id/auditor',
      'GET /identity/api/user/:id/keyReset',
      'GET /identity/api/user/:id/factors',
      'POST /identity/api/user/:id/factorReset',
      'GET /identity/api/user/:id/links',
      'PUT /identity/api/user/:id/breakGlass',
      'PUT /system/api/setting/providers/:providerId',
      'POST /system/api/setting/providers/:providerId/test',
      'DELETE /identity/api/user/:id/links/:linkId',
      'POST /identity/api/user/:id/keyReset',
      'GET /identity/api/user/:id/offboarding',
      'POST /identity/api/user/:id/offboarding',
      'POST /identity/api/registration · sealed',
      'POST /identity/api/registration · with a master password',
      'POST /identity/api/invite',
      'DELETE /identity/api/invites/:inviteId',
      // Ours.
      'GET /identity/api/invites/joined',
      'DELETE /identity/api/invites/:inviteId/groups',
      'PUT /system/api/setting/site',
      'POST /system/api/setting/backupSetting/backup',
      'POST /system/api/backups',
      'GET /system/api/backups/:id/download',
      'POST /system/api/backups/:id/verify',
      // Ours.
      'POST /system/api/backups/:id/copy',
      'PUT /identity/api/user/:id/disabled',
      'PUT /system/api/setting/limits',
      'DELETE /system/api/tokens/:tokenId',
      'PUT /system/api/setting/networks',
      'PUT /system/api/setting/signIn',
      'PUT /system/api/checkup',
      'POST /system/api/checkup/mail',
    ],
  },
  { cells: '403 403 403 403 403 403 403 403', calls: ['POST /system/api/recovery'] },
  // docs/spec/api.md §3.11: only loopback peers and site admins learn that it exists.
  { cells: '404 404 404 404 404 404 ok 404', calls: ['GET /metrics'] },
];

/**
 * Calls without an endpoint so far, as `METHOD path`. Remove a call when its endpoint exists, and
 * add a request for it.
 */
export const NOT_YET: ReadonlySet<string> = new Set([]);

const PATHS: Readonly<Record<string, string>> = {
  B: '/passwordBroker/api',
  G: '/passwordBroker/api/entryGroups/:g',
  E: '/passwordBroker/api/entryGroups/:g/entries/:e',
  F: '/passwordBroker/api/entryGroups/:g/entries/:e/fields/:f',
};

/** Ours: what a service account may call of rows where it may not call everything; it gets the response of a member. */
const FOR_SERVICES: ReadonlySet<string> = new Set([
  'GET /identity/api/me',
  'GET /identity/api/keyBundle',
  'GET /identity/api/user/:id/certificate',
  'GET /identity/api/certificates',
  'GET B/entryGroupsAsTree',
  'GET B/entryGroups',
  'GET B/entrySearch',
  'GET B/entries',
  'GET B/rosters',
  'POST B/resolve',
]);
/** What it may call about itself, where a person may not. */
const ABOUT_ITSELF: ReadonlySet<string> = new Set([
  'POST /identity/api/serviceAccount/:id/credentials',
  'DELETE /identity/api/serviceAccount/:id/credentials/:slotId · one’s own',
]);
const STRANGE: ReadonlySet<string> = new Set([
  'DELETE /identity/api/serviceAccount/:id/credentials/:slotId · another’s',
]);

function outcomeForServices(name: string, { service }: Row, { Me }: TableCall['outcomes']): Outcome {
  if (ABOUT_ITSELF.has(name)) return 'ok';
  if (STRANGE.has(name)) return 404;
  return service === 'as a member' || FOR_SERVICES.has(name) ? Me : 403;
}

export interface TableCall {
  /** As in the table. */
  readonly name: string;
  /** `METHOD path` as in the table, without the case. */
  readonly short: string;
  readonly method: string;
  /** The full path template. */
  readonly path: string;
  readonly outcomes: Readonly<Record<Actor, Outcome>>;
}

/** 'GET E/fields' → `{method: 'GET', path: '/passwordBroker/api/entryGroups/:g/entries/:e/fields'}`. */
function spelledOut(short: string): Pick<TableCall, 'method' | 'path'> {
  const [method = '', path = ''] = short.split(' ');
  return { method, path: path.replace(/^[BGEF](?=\/|$)/, (letter) => PATHS[letter] ?? letter) };
}

function outcomesOf({ cells, auditor }: Row): TableCall['outcomes'] {
  const read = cells.split(' ').map((cell): Outcome => {
    const known = (['ok', 401, 403, 404] as const).find((outcome) => String(outcome) === cell);
    if (known === undefined) throw new Error(`No outcome: ${cell}`);
    return known;
  });
  const told = ACTORS.filter((actor) => actor !== 'Au' && actor !== 'Sv');
  if (read.length !== told.length) throw new Error(`A row has ${told.length} cells: ${cells}`);
  const outcomes = Object.fromEntries(told.map((actor, at) => [actor, read[at]])) as Record<Actor, Outcome>;
  return { ...outcomes, Au: auditor ?? outcomes.Ou, Sv: 403 };
}

export const TABLE: readonly TableCall[] = ROWS.flatMap((row) =>
  row.calls.map((name) => {
    const [short = ''] = name.split(' · ');
    const outcomes = outcomesOf(row);
    return {
      name,
      short,
      ...spelledOut(short),
      outcomes: { ...outcomes, Sv: outcomeForServices(name, row, outcomes) },
    };
  }),
);
