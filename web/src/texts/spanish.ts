/** The Spanish catalogues; those of imports and exports are in `es/exchange.ts`. */
import * as access from './es/access.ts';
import * as account from './es/account.ts';
import * as adminAdmin from './es/admin/admin.ts';
import * as adminAuditEvents from './es/admin/audit-events.ts';
import * as adminBackup from './es/admin/backup.ts';
import * as adminProviders from './es/admin/providers.ts';
import * as adminSignIn from './es/admin/sign-in.ts';
import * as adminUsers from './es/admin/users.ts';
import * as client from '@passwordbroker/client/texts/es/client';
import * as desk from './es/desk.ts';
import * as entries from './es/entries.ts';
import * as fields from './es/fields.ts';
import * as frame from './es/frame.ts';
import * as groups from './es/groups.ts';
import * as identityFactors from './es/identity/factors.ts';
import * as identityPasskeys from './es/identity/passkeys.ts';
import * as identityRecoveryKit from './es/identity/recovery-kit.ts';
import * as identitySso from './es/identity/sso.ts';
import * as members from './es/members.ts';
import * as offline from './es/offline.ts';
import * as searchAndTrash from './es/search-and-trash.ts';
import * as signedOut from './es/signed-out.ts';
import * as trust from './es/trust.ts';
import * as trustRecord from './es/trust-record.ts';
import * as ui from '@passwordbroker/ui/languages/es';
import { cataloguesOf } from '@passwordbroker/client/texts/translations';

export { spanishSentence as sentence } from '@passwordbroker/client/texts/es/messages/spanish-sentence';

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
