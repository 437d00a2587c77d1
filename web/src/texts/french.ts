/** The French catalogues; those of imports and exports are in `fr/exchange.ts`. */
import * as access from './fr/access.ts';
import * as account from './fr/account.ts';
import * as adminAdmin from './fr/admin/admin.ts';
import * as adminAuditEvents from './fr/admin/audit-events.ts';
import * as adminBackup from './fr/admin/backup.ts';
import * as adminProviders from './fr/admin/providers.ts';
import * as adminSignIn from './fr/admin/sign-in.ts';
import * as adminUsers from './fr/admin/users.ts';
import * as client from '@passwordbroker/client/texts/fr/client';
import * as desk from './fr/desk.ts';
import * as entries from './fr/entries.ts';
import * as fields from './fr/fields.ts';
import * as frame from './fr/frame.ts';
import * as groups from './fr/groups.ts';
import * as identityFactors from './fr/identity/factors.ts';
import * as identityPasskeys from './fr/identity/passkeys.ts';
import * as identityRecoveryKit from './fr/identity/recovery-kit.ts';
import * as identitySso from './fr/identity/sso.ts';
import * as members from './fr/members.ts';
import * as offline from './fr/offline.ts';
import * as searchAndTrash from './fr/search-and-trash.ts';
import * as signedOut from './fr/signed-out.ts';
import * as trust from './fr/trust.ts';
import * as trustRecord from './fr/trust-record.ts';
import * as ui from '@passwordbroker/ui/languages/fr';
import { cataloguesOf } from '@passwordbroker/client/texts/translations';

export { frenchSentence as sentence } from '@passwordbroker/client/texts/fr/messages/french-sentence';

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
