/** The audit log in words: for each event its name in lists, and its sentence. */
import { catalogue } from '@passwordbroker/core/texts';
import type { AuditEvent } from '@passwordbroker/core/contract/site/audit-events';
import { counted } from '../counted.ts';
import { say, type Name, type Sentence } from '../sentence.ts';

type Kind = 'entry_group' | 'entry' | 'field' | 'user';
type Details = Readonly<Record<string, string | number | boolean | null>>;

/** What a sentence may say of a row. */
export interface AuditParts {
  /** The acting person, or the server. */
  readonly who: string;
  readonly hasActor: boolean;
  /** What the row is about, for example a field with its entry. */
  readonly target: Name;
  readonly targetType: string | null;
  readonly details: Details;
  /** The thing whose id is this detail. */
  readonly by: (detail: string, kind: Kind) => Name;
}

interface Words {
  readonly title: string;
  readonly says: (parts: AuditParts) => Sentence;
}

/** Names that cannot be told. */
export const AUDIT_NAMES = catalogue('auditNames', {
  server: 'The server',
  somebody: 'Somebody',
  loading: '…',
  root: 'the top level',
  ofField: (entry: string, field: string) => `${entry} › ${field}`,
  unseen: {
    entry_group: 'a group you cannot see',
    entry: 'an entry you cannot see',
    field: 'a field you cannot see',
    user: 'a removed person',
  },
  others: {
    backup: 'a backup',
    export: 'an export',
    invite: 'an invitation',
    session: 'a session',
    site: 'the site',
    token: 'a token',
    user_application: 'a browser',
  } as Readonly<Record<string, string>>,
  something: 'something',
});

const exported = ({ values }: Details): string => counted(typeof values === 'number' ? values : 0, 'value', 'values');
const entryCount = (details: Details) => things(details) || 'entries';
const things = ({ entry_groups: groups, entries, fields }: Details): string =>
  [
    typeof groups === 'number' && groups > 0 ? counted(groups, 'group', 'groups') : '',
    typeof entries === 'number' && entries > 0 ? counted(entries, 'entry', 'entries') : '',
    typeof fields === 'number' && fields > 0 ? counted(fields, 'field', 'fields') : '',
  ]
    .filter((text) => text !== '')
    .join(', ');

const withThings = (details: Details) => (things(details) === '' ? '' : ` with ${things(details)}`);
const again = (details: Details) => ('undo_of' in details ? ' back' : '');
const count = ({ count: n }: Details) => (typeof n === 'number' ? n : 1);
const toGroups = ({ groups }: Details) =>
  typeof groups === 'number' ? ` to ${counted(groups, 'group', 'groups')}` : '';
const isKey = (details: Details) => details['factor'] === 'passkey';
const asRole = (details: Details) => String(details['role'] ?? 'member');
const ofSite = ({ targetType }: AuditParts) =>
  targetType === 'backup' ? 'the backup settings' : targetType === 'user' ? 'their own settings' : 'site settings';

function userUpdated({ who, target, details }: AuditParts): Sentence {
  if (details['disabled'] === true) return say`${who} disabled the account of ${target}`;
  if (details['disabled'] === false) return say`${who} enabled the account of ${target}`;
  if (details['released'] === true) return say`${who} let ${target} sign in again after failed attempts`;
  return target.name === who ? say`${who} changed their own account` : say`${who} changed the account of ${target}`;
}

function keysChanged({ who, details }: AuditParts): Sentence {
  if (details['slot'] === 'password') return say`${who} changed the master password`;
  if (details['slot'] === 'recovery') return say`${who} changed the recovery key`;
  return say`${who} changed the keys`;
}

/** A new event of the contract needs its words here, or this does not compile. */
export const AUDIT_EVENT_TEXTS = catalogue('auditEvents', {
  login: { title: 'Signed in', says: ({ who }) => say`${who} signed in` },
  login_failed: {
    title: 'Sign-in failed',
    says: ({ who, details }) =>
      details['reason'] === 'address'
        ? say`${who} tried to sign in from a network that is not allowed`
        : say`${who} failed to sign in`,
  },
  logout: { title: 'Signed out', says: ({ who }) => say`${who} signed out` },
  session_ended: {
    title: 'Session ended',
    says: ({ who, details }) => say`${who} ended ${counted(count(details), 'session', 'sessions')}`,
  },
  token_created: { title: 'Token created', says: ({ who }) => say`${who} created a token` },
  token_revoked: {
    title: 'Token revoked',
    says: ({ who, details, by }) =>
      'user_id' in details ? say`${who} revoked a token of ${by('user_id', 'user')}` : say`${who} revoked a token`,
  },
  password_changed: { title: 'Account password changed', says: ({ who }) => say`${who} changed the account password` },
  keys_changed: { title: 'Keys changed', says: keysChanged },
  keys_reset: { title: 'Keys reset', says: ({ who, target }) => say`${who} reset the keys of ${target}` },
  key_bundle_released: { title: 'Encrypted keys loaded', says: ({ who }) => say`${who} loaded their encrypted keys` },
  mp_used_on_server: {
    title: 'Master password sent to the server',
    says: ({ who }) => say`${who} sent the master password to the server`,
  },
  mp_refused: {
    title: 'Wrong master password',
    says: ({ who }) => say`${who} sent a wrong master password to the server`,
  },
  mass_reveal: {
    title: 'Many values shown',
    says: ({ who }) => say`${who} showed more than 200 values in ten minutes`,
  },
  user_created: {
    title: 'Account created',
    says: ({ who, target, hasActor }) =>
      hasActor ? say`${who} created the account of ${target}` : say`${target} signed up`,
  },
  user_updated: { title: 'Account changed', says: userUpdated },
  user_admin_changed: {
    title: 'Site admin changed',
    says: ({ who, target, details }) =>
      details['is_admin'] === true
        ? say`${who} made ${target} a site admin`
        : say`${who} ended the site admin role of ${target}`,
  },
  user_deleted: { title: 'Account deleted', says: ({ who, target }) => say`${who} deleted the account of ${target}` },
  invite_created: {
    title: 'Invitation created',
    says: ({ who, details }) => say`${who} invited a person${toGroups(details)}`,
  },
  invite_accepted: { title: 'Invitation accepted', says: ({ who }) => say`${who} accepted an invitation` },
  invite_revoked: {
    title: 'Invitation revoked',
    says: ({ who, details, by }) =>
      'invited_by' in details
        ? say`${who} revoked an invitation of ${by('invited_by', 'user')}`
        : say`${who} revoked an invitation`,
  },
  group_created: { title: 'Group created', says: ({ who, target }) => say`${who} created the group ${target}` },
  group_renamed: {
    title: 'Group renamed',
    says: ({ who, target, details }) => say`${who} renamed the group ${target}${again(details)}`,
  },
  group_moved: {
    title: 'Group moved',
    says: ({ who, target, by, details }) =>
      say`${who} moved the group ${target}${again(details)} to ${by('to', 'entry_group')}`,
  },
  group_deleted: {
    title: 'Group deleted',
    says: ({ who, target, details }) => say`${who} deleted the group ${target}${withThings(details)}`,
  },
  role_granted: {
    title: 'Member added',
    says: ({ who, target, details, by }) =>
      say`${who} added ${by('user_id', 'user')} to ${target} as ${asRole(details)}`,
  },
  role_changed: {
    title: 'Role changed',
    says: ({ who, target, details, by }) => say`${who} made ${by('user_id', 'user')} ${asRole(details)} of ${target}`,
  },
  role_removed: {
    title: 'Member removed',
    says: ({ who, target, by }) => say`${who} removed ${by('user_id', 'user')} from ${target}`,
  },
  key_rotated: { title: 'Group key renewed', says: ({ who, target }) => say`${who} renewed the key of ${target}` },
  entries_moved: {
    title: 'Entries moved',
    says: ({ who, target, details, by }) =>
      say`${who} moved ${entryCount(details)} from ${by('from', 'entry_group')} to ${target}`,
  },
  entries_deleted: {
    title: 'Entries deleted',
    says: ({ who, target, details }) => say`${who} deleted ${entryCount(details)} of ${target}`,
  },
  restored: { title: 'Restored', says: ({ who, target }) => say`${who} restored ${target} from the trash` },
  purged: { title: 'Removed for good', says: ({ who, target }) => say`${who} removed ${target} for good` },
  field_revealed: { title: 'Field shown', says: ({ who, target }) => say`${who} showed ${target}` },
  imported: {
    title: 'Imported',
    says: ({ who, target, details }) => say`${who} imported ${entryCount(details)} into ${target}`,
  },
  offline_mode_changed: {
    title: 'Offline use changed',
    says: ({ who, details }) =>
      details['status'] === true
        ? say`${who} turned on offline use in a browser`
        : say`${who} turned off offline use in a browser`,
  },
  offline_downloaded: {
    title: 'Offline copy downloaded',
    says: ({ who, details }) => say`${who} downloaded an offline copy${withThings(details)}`,
  },
  backup_created: { title: 'Backup created', says: ({ who }) => say`${who} created a backup` },
  backup_failed: { title: 'Backup failed', says: () => say`A backup failed` },
  backup_downloaded: { title: 'Backup downloaded', says: ({ who }) => say`${who} downloaded a backup` },
  backup_verified: {
    title: 'Backup verified',
    says: ({ who, details }) =>
      details['ok'] === false ? say`${who} verified a backup: it is damaged` : say`${who} verified a backup`,
  },
  settings_changed: {
    title: 'Settings changed',
    says: (parts) =>
      'checkup_kept' in parts.details || 'checkup_reopened' in parts.details
        ? say`${parts.who} answered a point of the site checkup`
        : say`${parts.who} changed ${ofSite(parts)}`,
  },
  recovered: { title: 'Site recovered', says: () => say`The site was recovered from a backup` },
  access_refused: {
    title: 'Access refused',
    says: ({ who, details }) =>
      count(details) === 1
        ? say`${who} was refused access`
        : say`${who} was refused access ${counted(count(details), 'time', 'times')}`,
  },
  audit_exported: { title: 'Log exported', says: ({ who }) => say`${who} exported this log` },
  user_auditor_changed: {
    title: 'Auditor changed',
    says: ({ who, target, details }) =>
      details['is_auditor'] === true
        ? say`${who} made ${target} an auditor`
        : say`${who} ended the auditor role of ${target}`,
  },
  user_offboarded: { title: 'Person offboarded', says: ({ who, target }) => say`${who} offboarded ${target}` },
  backup_requested: { title: 'Backup requested', says: ({ who }) => say`${who} requested a backup` },
  entry_created: { title: 'Entry created', says: ({ who, target }) => say`${who} created ${target}` },
  entry_renamed: {
    title: 'Entry renamed',
    says: ({ who, target, details }) => say`${who} renamed ${target}${again(details)}`,
  },
  entry_marked: {
    title: 'Tags, icon or due date changed',
    says: ({ who, target }) => say`${who} changed the tags, icon or due date of ${target}`,
  },
  template_created: {
    title: 'Kind of entry added',
    says: ({ who, target }) => say`${who} added a kind of entry to ${target}`,
  },
  template_changed: {
    title: 'Kind of entry changed',
    says: ({ who, target }) => say`${who} changed a kind of entry of ${target}`,
  },
  template_deleted: {
    title: 'Kind of entry deleted',
    says: ({ who, target }) => say`${who} deleted a kind of entry of ${target}`,
  },
  entry_moved: {
    title: 'Entry moved',
    says: ({ who, target, by }) =>
      say`${who} moved ${target} from ${by('from', 'entry_group')} to ${by('to', 'entry_group')}`,
  },
  entry_deleted: { title: 'Entry deleted', says: ({ who, target }) => say`${who} deleted ${target}` },
  field_created: { title: 'Field created', says: ({ who, target }) => say`${who} created ${target}` },
  field_updated: { title: 'Field changed', says: ({ who, target }) => say`${who} changed ${target}` },
  field_deleted: { title: 'Field deleted', says: ({ who, target }) => say`${who} deleted ${target}` },
  audit_pruned: { title: 'Old rows removed', says: ({ who }) => say`${who} removed old rows from this log` },
  backup_copied: { title: 'Backup copied', says: ({ who }) => say`${who} copied a backup to the second target` },
  backup_copy_failed: {
    title: 'Backup copy failed',
    says: () => say`A backup could not be copied to the second target`,
  },
  mail_tested: {
    title: 'Mail tested',
    says: ({ who, details }) =>
      details['sent'] === false ? say`${who} tested mail: it was not sent` : say`${who} sent a test mail`,
  },
  roster_signed: {
    title: 'List of members signed',
    says: ({ who, target }) => say`${who} signed the list of members of ${target}`,
  },
  trust_changed: {
    title: 'Trust changed',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} confirmed the key of ${target}`
        : say`${who} confirmed the members of ${target}`,
  },
  second_factor_asked: {
    title: 'Second factor asked for',
    says: ({ who }) => say`${who} gave the account password and was asked for the second factor`,
  },
  second_factor_failed: {
    title: 'Second factor failed',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} used a security key that was not accepted`
        : say`${who} gave a wrong code of the second factor`,
  },
  factor_added: {
    title: 'Second factor added',
    says: ({ who, details }) =>
      isKey(details) ? say`${who} added a security key` : say`${who} set up an authenticator app`,
  },
  factor_removed: {
    title: 'Second factor removed',
    says: ({ who, details }) =>
      isKey(details) ? say`${who} removed a security key` : say`${who} removed the authenticator app`,
  },
  factor_reset: {
    title: 'Second factors reset',
    says: ({ who, target }) => say`${who} reset the second factors of ${target}`,
  },
  recovery_codes_made: {
    title: 'Recovery codes made',
    says: ({ who }) => say`${who} made new recovery codes`,
  },
  recovery_code_used: {
    title: 'Recovery code used',
    says: ({ who }) => say`${who} used a recovery code`,
  },
  browser_remembered: {
    title: 'Browser remembered',
    says: ({ who }) => say`${who} will not be asked for the second factor in a browser for some days`,
  },
  browser_forgotten: {
    title: 'Browser forgotten',
    says: ({ who, details }) =>
      say`${who} will be asked for the second factor again in ${counted(count(details), 'browser', 'browsers')}`,
  },
  passkey_added: { title: 'Passkey registered', says: ({ who }) => say`${who} registered a passkey` },
  passkey_renamed: { title: 'Passkey renamed', says: ({ who }) => say`${who} renamed a passkey` },
  passkey_removed: { title: 'Passkey removed', says: ({ who }) => say`${who} removed a passkey` },
  unlock_passkey_added: {
    title: 'Passkey can open the vault',
    says: ({ who }) => say`${who} let a passkey open the vault`,
  },
  unlock_passkey_removed: {
    title: 'Passkey cannot open the vault',
    says: ({ who }) => say`${who} no longer lets a passkey open the vault`,
  },
  sso_linked: {
    title: 'Account linked',
    says: ({ who, details }) => say`${who} linked the account to ${String(details['provider'] ?? 'a sign-in service')}`,
  },
  sso_unlinked: {
    title: 'Account unlinked',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} ended the link of ${target} to a sign-in service`
        : say`${who} ended the link to a sign-in service`,
  },
  sso_refused: {
    title: 'Single sign-on refused',
    says: ({ details }) => say`A sign-in by ${String(details['provider'] ?? 'a sign-in service')} was refused`,
  },
  provider_changed: {
    title: 'Sign-in service changed',
    says: ({ who, details }) =>
      say`${who} changed the sign-in service ${String(details['provider'] ?? 'that is not named')}`,
  },
  break_glass_changed: {
    title: 'Break-glass account changed',
    says: ({ who, target, details }) =>
      details['status'] === true
        ? say`${who} made ${target} a break-glass account`
        : say`${who} ended the break-glass account ${target}`,
  },
  break_glass_login: {
    title: 'Break-glass account used',
    says: ({ who }) => say`${who} signed in with a break-glass account`,
  },
  recovery_kit_made: {
    title: 'Recovery kit made',
    says: ({ who }) => say`${who} made a recovery kit`,
  },
  recovery_kit_removed: {
    title: 'Recovery kit removed',
    says: ({ who }) => say`${who} removed the recovery kit`,
  },
  recovery_kit_used: {
    title: 'Recovery key used',
    says: ({ who }) => say`${who} opened the vault with the recovery key and chose a new master password`,
  },
  password_removed: { title: 'Account password removed', says: ({ who }) => say`${who} removed the account password` },
  export_started: {
    title: 'Export started',
    says: ({ who, details }) => say`${who} started an export of ${entryCount(details)}`,
  },
  export_released: {
    title: 'Values exported',
    says: ({ who, details }) => say`${who} exported ${exported(details)}`,
  },
  export_finished: {
    title: 'Export finished',
    says: ({ who, details }) =>
      details['state'] === 'cancelled'
        ? say`${who} cancelled an export, with ${exported(details)} opened`
        : say`${who} finished an export of ${exported(details)}`,
  },
  export_expired: {
    title: 'Export expired',
    says: ({ who, details }) => say`An export by ${who} expired, with ${exported(details)} opened`,
  },
  sites_listed: {
    title: 'Site rules listed',
    says: ({ who }) => say`${who} listed the site rules of links`,
  },
  site_rule_changed: {
    title: 'Site rules changed',
    says: ({ who, target }) => say`${who} changed where ${target} is offered`,
  },
  service_created: {
    title: 'Service account created',
    says: ({ who, target }) => say`${who} created the service account ${target}`,
  },
  service_changed: {
    title: 'Service account changed',
    says: ({ who, target }) => say`${who} changed the service account ${target}`,
  },
  service_deleted: {
    title: 'Service account deleted',
    says: ({ who, target }) => say`${who} deleted the service account ${target}`,
  },
  service_credential_added: {
    title: 'Credential added',
    says: ({ who, target }) => say`${who} added a credential of ${target}`,
  },
  service_credential_ended: {
    title: 'Credential ended',
    says: ({ who, target }) => say`${who} ended a credential of ${target}`,
  },
  service_refused: {
    title: 'Service account refused',
    says: ({ who }) => say`${who} was refused: the address is not allowed`,
  },
  program_admitted: { title: 'Program let in', says: ({ who }) => say`${who} let a program sign in` },
} satisfies Readonly<Record<AuditEvent, Words>>);

/** A row of a newer server may have an event without words. */
export const eventTitle = (event: string): string =>
  (AUDIT_EVENT_TEXTS as Readonly<Record<string, Words>>)[event]?.title ?? event;

export function auditSentence(event: string, parts: AuditParts): Sentence {
  const words = (AUDIT_EVENT_TEXTS as Readonly<Record<string, Words>>)[event];
  return words?.says(parts) ?? say`${parts.who}: ${event}`;
}
