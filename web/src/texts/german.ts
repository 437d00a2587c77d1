/** The German catalogues; those of imports and exports are in `de/exchange.ts`. */
import * as access from './de/access.ts';
import * as account from './de/account.ts';
import * as adminAdmin from './de/admin/admin.ts';
import * as adminAuditEvents from './de/admin/audit-events.ts';
import * as adminBackup from './de/admin/backup.ts';
import * as adminProviders from './de/admin/providers.ts';
import * as adminSignIn from './de/admin/sign-in.ts';
import * as adminUsers from './de/admin/users.ts';
import * as client from '@passwordbroker/client/texts/de/client';
import * as desk from './de/desk.ts';
import * as entries from './de/entries.ts';
import * as fields from './de/fields.ts';
import * as frame from './de/frame.ts';
import * as groups from './de/groups.ts';
import * as identityFactors from './de/identity/factors.ts';
import * as identityPasskeys from './de/identity/passkeys.ts';
import * as identityRecoveryKit from './de/identity/recovery-kit.ts';
import * as identitySso from './de/identity/sso.ts';
import * as members from './de/members.ts';
import * as offline from './de/offline.ts';
import * as searchAndTrash from './de/search-and-trash.ts';
import * as signedOut from './de/signed-out.ts';
import * as trust from './de/trust.ts';
import * as trustRecord from './de/trust-record.ts';
import * as ui from '@passwordbroker/ui/languages/de';
import { cataloguesOf } from '@passwordbroker/client/texts/translations';

export { germanSentence as sentence } from '@passwordbroker/client/texts/de/messages/german-sentence';

export const TEXTS = cataloguesOf([
  access,
  account,
  adminAdmin,
  adminAuditEvents,
  adminBackup,
  adminProviders,
  adminSignIn,
  adminUsers,
  client,
  desk,
  entries,
  fields,
  frame,
  groups,
  identityFactors,
  identityPasskeys,
  identityRecoveryKit,
  identitySso,
  members,
  offline,
  searchAndTrash,
  signedOut,
  trust,
  trustRecord,
  ui,
]);
