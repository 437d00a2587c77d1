/** The German catalogues by the name that `catalogue` asks for; those of imports and exports are in `german-exchange.ts`. */
import { ACCESS, PREVIEW } from './es/access.ts';
import { ACCOUNT, FRESH_SIGN_IN, NOTICE, PASSWORD_RULE, WEAK_PASSWORD } from './es/account.ts';
import { ADMIN, ADMIN_TOKENS, ADMIN_LOGS, ADMIN_SETTINGS, CHECKUP } from './es/admin/admin.ts';
import { EVENTS, NAMES } from './es/admin/audit-events.ts';
import { ADMIN_PROVIDERS } from './es/admin/providers.ts';
import { ADMIN_SIGN_IN } from './es/admin/sign-in.ts';
import { ENROL, FACTOR, FACTORS, GRACE, HOW } from './es/identity/factors.ts';
import { ADMIN_BACKUP, BACKUP_COPY } from './es/admin/backup.ts';
import {
  COPY,
  CONNECTION,
  SESSION,
  KEYRING,
  TRUST_PROBLEM,
  MASTER_PASSWORD,
  NEW_KEYS,
  OFFLINE_COPY,
} from './es/client.ts';
import { DESK, HOME, MARK, OWN_TEMPLATE, TEMPLATE } from './es/desk.ts';
import { ENTRY, BULK } from './es/entries.ts';
import {
  FIELD,
  FIELD_HISTORY,
  ADD_FIELD,
  DRAFT,
  RECORD,
  EDIT_FIELD,
  CONFLICT,
  REMOVE_FIELD,
  QR,
  SEEN_BY,
} from './es/fields.ts';
import { UI, FRAME, KEYBOARD, HELP, MANUAL } from './es/frame.ts';
import { GROUP, GROUP_HISTORY } from './es/groups.ts';
import { MEMBER, FORMER_MEMBER, JOINED, SHARING } from './es/members.ts';
export { spanishSentence as sentence } from './es/messages/spanish-sentence.ts';
import { OFFLINE, OFFLINE_LOGIN } from './es/offline.ts';
import { PASSKEYS } from './es/identity/passkeys.ts';
import { SSO } from './es/identity/sso.ts';
import { RECOVERY_KIT, RECOVERY_KIT_BANNER, RECOVERY_KIT_PROBLEM } from './es/identity/recovery-kit.ts';
import { SEARCH, ENTRY_PART, SUGGESTION, TRASH, UNDO, ACTIVITY_LOG, CLIPBOARD } from './es/search-and-trash.ts';
import { IDENTITY, SIGN_UP, INVITATION, LOGOUT, RECOVERY, SERVER } from './es/signed-out.ts';
import { TRUST_RECORD } from './es/trust-record.ts';
import { TRUST, ROTATION } from './es/trust.ts';
import { ADMIN_USERS, ADMIN_INVITES, OFFBOARDING } from './es/admin/users.ts';

export const TEXTS: Readonly<Record<string, object>> = {
  access: ACCESS,
  preview: PREVIEW,
  account: ACCOUNT,
  passkeys: PASSKEYS,
  sso: SSO,
  factor: FACTOR,
  enrol: ENROL,
  grace: GRACE,
  factors: FACTORS,
  how: HOW,
  passwordRule: PASSWORD_RULE,
  weakPassword: WEAK_PASSWORD,
  admin: ADMIN,
  adminTokens: ADMIN_TOKENS,
  adminLogs: ADMIN_LOGS,
  auditNames: NAMES,
  auditEvents: EVENTS,
  adminSettings: ADMIN_SETTINGS,
  adminSignIn: ADMIN_SIGN_IN,
  adminProviders: ADMIN_PROVIDERS,
  checkup: CHECKUP,
  adminBackup: ADMIN_BACKUP,
  backupCopy: BACKUP_COPY,
  copy: COPY,
  connection: CONNECTION,
  freshSignIn: FRESH_SIGN_IN,
  session: SESSION,
  keyring: KEYRING,
  trustProblem: TRUST_PROBLEM,
  masterPassword: MASTER_PASSWORD,
  newKeys: NEW_KEYS,
  recoveryKit: RECOVERY_KIT,
  recoveryKitBanner: RECOVERY_KIT_BANNER,
  recoveryKitProblem: RECOVERY_KIT_PROBLEM,
  offlineCopy: OFFLINE_COPY,
  desk: DESK,
  home: HOME,
  mark: MARK,
  template: TEMPLATE,
  ownTemplate: OWN_TEMPLATE,
  entry: ENTRY,
  bulk: BULK,
  field: FIELD,
  fieldHistory: FIELD_HISTORY,
  addField: ADD_FIELD,
  draft: DRAFT,
  record: RECORD,
  seenBy: SEEN_BY,
  editField: EDIT_FIELD,
  conflict: CONFLICT,
  removeField: REMOVE_FIELD,
  qr: QR,
  ui: UI,
  frame: FRAME,
  keyboard: KEYBOARD,
  help: HELP,
  manual: MANUAL,
  group: GROUP,
  groupHistory: GROUP_HISTORY,
  member: MEMBER,
  formerMember: FORMER_MEMBER,
  sharing: SHARING,
  notice: NOTICE,
  joined: JOINED,
  offline: OFFLINE,
  offlineLogin: OFFLINE_LOGIN,
  search: SEARCH,
  entryPart: ENTRY_PART,
  suggestion: SUGGESTION,
  trash: TRASH,
  undo: UNDO,
  activityLog: ACTIVITY_LOG,
  clipboard: CLIPBOARD,
  identity: IDENTITY,
  signUp: SIGN_UP,
  invitation: INVITATION,
  logout: LOGOUT,
  recovery: RECOVERY,
  server: SERVER,
  trustRecord: TRUST_RECORD,
  trust: TRUST,
  rotation: ROTATION,
  adminUsers: ADMIN_USERS,
  adminInvites: ADMIN_INVITES,
  offboarding: OFFBOARDING,
};
