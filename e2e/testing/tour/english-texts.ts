/** All English catalogues by name. */
import { COPY_TEXTS } from '@passwordbroker/client/texts/clipboard';
import { UI_TEXTS } from '@passwordbroker/ui/texts';
import { CONNECTION_TEXTS, SESSION_TEXTS } from '@passwordbroker/client/texts/connection';
import { KEYRING_TEXTS, TRUST_PROBLEM_TEXTS } from '@passwordbroker/client/texts/keyring';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { NEW_KEYS_TEXTS } from '@passwordbroker/client/texts/new-keys';
import { OFFLINE_COPY_TEXTS } from '@passwordbroker/client/texts/offline-copy';
import { ADMIN_TEXTS, ADMIN_TOKENS_TEXTS, ADMIN_LOGS_TEXTS } from '../../../web/src/texts/admin/admin.ts';
import { AUDIT_EVENT_TEXTS, AUDIT_NAMES } from '../../../web/src/texts/admin/audit-events.ts';
import { ADMIN_BACKUP_TEXTS, BACKUP_COPY_TEXTS } from '../../../web/src/texts/admin/backup.ts';
import { CHECKUP_TEXTS } from '../../../web/src/texts/admin/checkup.ts';
import { OFFBOARDING_TEXTS } from '../../../web/src/texts/admin/offboarding.ts';
import { ADMIN_SETTINGS_TEXTS } from '../../../web/src/texts/admin/settings.ts';
import { ADMIN_SIGN_IN_TEXTS } from '../../../web/src/texts/admin/sign-in.ts';
import { ADMIN_USERS_TEXTS, ADMIN_INVITES_TEXTS } from '../../../web/src/texts/admin/users.ts';
import { MARK_TEXTS, OWN_TEMPLATE_TEXTS, TEMPLATE_TEXTS } from '../../../web/src/texts/entries/marks.ts';
import { DESK_TEXTS, HOME_TEXTS } from '../../../web/src/texts/entries/desk.ts';
import { ENTRY_TEXTS, BULK_TEXTS } from '../../../web/src/texts/entries/entries.ts';
import {
  FIELD_TEXTS,
  FIELD_HISTORY_TEXTS,
  ADD_FIELD_TEXTS,
  RECORD_TEXTS,
  SEEN_BY_TEXTS,
  EDIT_FIELD_TEXTS,
  CONFLICT_TEXTS,
  REMOVE_FIELD_TEXTS,
  QR_TEXTS,
} from '../../../web/src/texts/entries/fields.ts';
import { IMPORT_TEXTS } from '../../../web/src/texts/entries/import.ts';
import { SEARCH_TEXTS, ENTRY_PART_TEXTS, SUGGESTION_TEXTS } from '../../../web/src/texts/entries/search.ts';
import {
  TRASH_TEXTS,
  UNDO_TEXTS,
  ACTIVITY_LOG_TEXTS,
  CLIPBOARD_TEXTS,
} from '../../../web/src/texts/entries/trash-and-activity.ts';
import {
  ENROL_TEXTS,
  FACTOR_TEXTS,
  FACTORS_TEXTS,
  GRACE_TEXTS,
  HOW_TEXTS,
} from '../../../web/src/texts/identity/factors.ts';
import { SERVICE_TEXTS } from '../../../web/src/texts/identity/services.ts';
import { SSO_TEXTS } from '../../../web/src/texts/identity/sso.ts';
import { FRAME_TEXTS } from '../../../web/src/texts/frame.ts';
import { GROUP_TEXTS, GROUP_HISTORY_TEXTS } from '../../../web/src/texts/groups/groups.ts';
import { MEMBER_TEXTS, FORMER_MEMBER_TEXTS } from '../../../web/src/texts/groups/members.ts';
import { SHARING_TEXTS } from '../../../web/src/texts/groups/sharing.ts';
import { TRUST_RECORD_TEXTS } from '../../../web/src/texts/groups/trust-record.ts';
import { TRUST_TEXTS, ROTATION_TEXTS } from '../../../web/src/texts/groups/trust.ts';
import {
  ACCOUNT_TEXTS,
  PASSWORD_RULE_TEXTS,
  WEAK_PASSWORD_TEXTS,
  FRESH_SIGN_IN_TEXTS,
} from '../../../web/src/texts/identity/account.ts';
import { HELP_TEXTS } from '../../../web/src/texts/help.ts';
import { MANUAL_TEXTS } from '../../../web/src/texts/manual.ts';
import { IDENTITY_TEXTS } from '../../../web/src/texts/identity/identity.ts';
import {
  SIGN_UP_TEXTS,
  INVITATION_TEXTS,
  LOGOUT_TEXTS,
  RECOVERY_TEXTS,
  SERVER_TEXTS,
} from '../../../web/src/texts/identity/signed-out.ts';
import { KEYBOARD_TEXTS } from '../../../web/src/texts/keyboard.ts';
import { OFFLINE_TEXTS, OFFLINE_LOGIN_TEXTS } from '../../../web/src/texts/offline.ts';

export const ENGLISH: Readonly<Record<string, object>> = {
  ui: UI_TEXTS,
  copy: COPY_TEXTS,
  connection: CONNECTION_TEXTS,
  session: SESSION_TEXTS,
  keyring: KEYRING_TEXTS,
  trustProblem: TRUST_PROBLEM_TEXTS,
  masterPassword: MASTER_PASSWORD_TEXTS,
  newKeys: NEW_KEYS_TEXTS,
  offlineCopy: OFFLINE_COPY_TEXTS,
  admin: ADMIN_TEXTS,
  adminTokens: ADMIN_TOKENS_TEXTS,
  adminLogs: ADMIN_LOGS_TEXTS,
  auditNames: AUDIT_NAMES,
  auditEvents: AUDIT_EVENT_TEXTS,
  adminBackup: ADMIN_BACKUP_TEXTS,
  backupCopy: BACKUP_COPY_TEXTS,
  checkup: CHECKUP_TEXTS,
  offboarding: OFFBOARDING_TEXTS,
  adminSettings: ADMIN_SETTINGS_TEXTS,
  adminSignIn: ADMIN_SIGN_IN_TEXTS,
  adminUsers: ADMIN_USERS_TEXTS,
  adminInvites: ADMIN_INVITES_TEXTS,
  desk: DESK_TEXTS,
  home: HOME_TEXTS,
  mark: MARK_TEXTS,
  template: TEMPLATE_TEXTS,
  ownTemplate: OWN_TEMPLATE_TEXTS,
  entry: ENTRY_TEXTS,
  bulk: BULK_TEXTS,
  field: FIELD_TEXTS,
  fieldHistory: FIELD_HISTORY_TEXTS,
  addField: ADD_FIELD_TEXTS,
  record: RECORD_TEXTS,
  seenBy: SEEN_BY_TEXTS,
  editField: EDIT_FIELD_TEXTS,
  conflict: CONFLICT_TEXTS,
  removeField: REMOVE_FIELD_TEXTS,
  qr: QR_TEXTS,
  import: IMPORT_TEXTS,
  search: SEARCH_TEXTS,
  entryPart: ENTRY_PART_TEXTS,
  suggestion: SUGGESTION_TEXTS,
  trash: TRASH_TEXTS,
  undo: UNDO_TEXTS,
  activityLog: ACTIVITY_LOG_TEXTS,
  clipboard: CLIPBOARD_TEXTS,
  frame: FRAME_TEXTS,
  group: GROUP_TEXTS,
  groupHistory: GROUP_HISTORY_TEXTS,
  member: MEMBER_TEXTS,
  formerMember: FORMER_MEMBER_TEXTS,
  sharing: SHARING_TEXTS,
  trustRecord: TRUST_RECORD_TEXTS,
  trust: TRUST_TEXTS,
  rotation: ROTATION_TEXTS,
  account: ACCOUNT_TEXTS,
  factor: FACTOR_TEXTS,
  enrol: ENROL_TEXTS,
  grace: GRACE_TEXTS,
  factors: FACTORS_TEXTS,
  how: HOW_TEXTS,
  sso: SSO_TEXTS,
  passwordRule: PASSWORD_RULE_TEXTS,
  weakPassword: WEAK_PASSWORD_TEXTS,
  freshSignIn: FRESH_SIGN_IN_TEXTS,
  identity: IDENTITY_TEXTS,
  help: HELP_TEXTS,
  manual: MANUAL_TEXTS,
  signUp: SIGN_UP_TEXTS,
  invitation: INVITATION_TEXTS,
  logout: LOGOUT_TEXTS,
  recovery: RECOVERY_TEXTS,
  server: SERVER_TEXTS,
  keyboard: KEYBOARD_TEXTS,
  offline: OFFLINE_TEXTS,
  offlineLogin: OFFLINE_LOGIN_TEXTS,
  services: SERVICE_TEXTS,
};
