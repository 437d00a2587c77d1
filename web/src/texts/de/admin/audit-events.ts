import type { Translation } from '@passwordbroker/core/texts';
import type { AUDIT_EVENT_TEXTS, AUDIT_NAMES as ENGLISH_NAMES, AuditParts } from '../../admin/audit-events.ts';
import { say, type Sentence } from '../../sentence.ts';

type Details = AuditParts['details'];

export const AUDIT_NAMES: Translation<typeof ENGLISH_NAMES> = {
  server: 'Der Server',
  somebody: 'Jemand',
  loading: '…',
  root: 'die oberste Ebene',
  ofField: (entry, field) => `${entry} › ${field}`,
  unseen: {
    entry_group: 'eine Gruppe, die Sie nicht sehen',
    entry: 'ein Eintrag, den Sie nicht sehen',
    field: 'ein Feld, das Sie nicht sehen',
    user: 'eine gelöschte Person',
  },
  others: {
    backup: 'ein Backup',
    invite: 'eine Einladung',
    session: 'eine Sitzung',
    site: 'die Site',
    token: 'ein Token',
    user_application: 'ein Browser',
    export: 'ein Export',
  },
  something: 'etwas',
};

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const part = (count: unknown, one: string, many: string) =>
  typeof count === 'number' && count > 0 ? [counted(count, one, many)] : [];
const exported = ({ values }: Details): string => counted(typeof values === 'number' ? values : 0, 'Wert', 'Werte');
const things = ({ entry_groups: groups, entries, fields }: Details): string =>
  [
    ...part(groups, 'Gruppe', 'Gruppen'),
    ...part(entries, 'Eintrag', 'Einträge'),
    ...part(fields, 'Feld', 'Felder'),
  ].join(', ');
const entryCount = (details: Details) => things(details) || 'Einträge';
const withThings = (details: Details) => (things(details) === '' ? '' : ` (${things(details)})`);
const back = (details: Details) => ('undo_of' in details ? ' zurück' : '');
const count = ({ count: n }: Details) => (typeof n === 'number' ? n : 1);
const toGroups = ({ groups }: Details) =>
  typeof groups === 'number' ? ` zu ${counted(groups, 'Gruppe', 'Gruppen')}` : '';
const isKey = (details: Details) => details['factor'] === 'passkey';
const asRole = (details: Details) => String(details['role'] ?? 'member');
const ofSite = ({ targetType }: AuditParts) =>
  targetType === 'backup'
    ? 'die Einstellungen der Backups'
    : targetType === 'user'
      ? 'die eigenen Einstellungen'
      : 'Einstellungen der Site';

function userUpdated({ who, target, details }: AuditParts): Sentence {
  if (details['disabled'] === true) return say`${who}: Konto von ${target} gesperrt`;
  if (details['disabled'] === false) return say`${who}: Konto von ${target} entsperrt`;
  if (details['released'] === true) return say`${who}: Anmeldung von ${target} nach Fehlversuchen wieder erlaubt`;
  return target.name === who
    ? say`${who} hat das eigene Konto geändert`
    : say`${who} hat das Konto von ${target} geändert`;
}

function keysChanged({ who, details }: AuditParts): Sentence {
  if (details['slot'] === 'password') return say`${who} hat das Masterpasswort geändert`;
  if (details['slot'] === 'recovery') return say`${who} hat den Notfallschlüssel geändert`;
  return say`${who} hat die Schlüssel geändert`;
}

export const AUDIT_EVENTS: Translation<typeof AUDIT_EVENT_TEXTS> = {
  login: { title: 'Angemeldet', says: ({ who }) => say`${who} hat sich angemeldet` },
  login_failed: {
    title: 'Anmeldung fehlgeschlagen',
    says: ({ who, details }) =>
      details['reason'] === 'address'
        ? say`${who} wurde nicht angemeldet: Das Netz ist nicht erlaubt`
        : say`${who} konnte sich nicht anmelden`,
  },
  logout: { title: 'Abgemeldet', says: ({ who }) => say`${who} hat sich abgemeldet` },
  session_ended: {
    title: 'Sitzung beendet',
    says: ({ who, details }) => say`${who} hat ${counted(count(details), 'Sitzung', 'Sitzungen')} beendet`,
  },
  token_created: { title: 'Token erstellt', says: ({ who }) => say`${who} hat ein Token erstellt` },
  token_revoked: {
    title: 'Token widerrufen',
    says: ({ who, details, by }) =>
      'user_id' in details
        ? say`${who} hat ein Token von ${by('user_id', 'user')} widerrufen`
        : say`${who} hat ein Token widerrufen`,
  },
  password_changed: { title: 'Kontopasswort geändert', says: ({ who }) => say`${who} hat das Kontopasswort geändert` },
  keys_changed: { title: 'Schlüssel geändert', says: keysChanged },
  keys_reset: {
    title: 'Schlüssel zurückgesetzt',
    says: ({ who, target }) => say`${who} hat die Schlüssel von ${target} zurückgesetzt`,
  },
  key_bundle_released: {
    title: 'Versiegelte Schlüssel geholt',
    says: ({ who }) => say`${who} hat die eigenen versiegelten Schlüssel geholt`,
  },
  mp_used_on_server: {
    title: 'Masterpasswort an den Server gesendet',
    says: ({ who }) => say`${who} hat das Masterpasswort an den Server gesendet`,
  },
  mp_refused: {
    title: 'Falsches Masterpasswort',
    says: ({ who }) => say`${who} hat ein falsches Masterpasswort an den Server gesendet`,
  },
  mass_reveal: {
    title: 'Viele Werte angezeigt',
    says: ({ who }) => say`${who} hat in zehn Minuten mehr als 200 Werte angezeigt`,
  },
  user_created: {
    title: 'Konto angelegt',
    says: ({ who, target, hasActor }) =>
      hasActor ? say`${who} hat das Konto von ${target} angelegt` : say`${target} hat sich registriert`,
  },
  user_updated: { title: 'Konto geändert', says: userUpdated },
  user_admin_changed: {
    title: 'Site-Admin geändert',
    says: ({ who, target, details }) =>
      details['is_admin'] === true
        ? say`${who} hat ${target} zum Site-Admin gemacht`
        : say`${who} hat ${target} die Rolle Site-Admin entzogen`,
  },
  user_deleted: {
    title: 'Konto gelöscht',
    says: ({ who, target }) => say`${who} hat das Konto von ${target} gelöscht`,
  },
  invite_created: {
    title: 'Einladung erstellt',
    says: ({ who, details }) => say`${who} hat eine Person${toGroups(details)} eingeladen`,
  },
  invite_accepted: { title: 'Einladung angenommen', says: ({ who }) => say`${who} hat eine Einladung angenommen` },
  invite_revoked: {
    title: 'Einladung widerrufen',
    says: ({ who, details, by }) =>
      'invited_by' in details
        ? say`${who} hat eine Einladung von ${by('invited_by', 'user')} widerrufen`
        : say`${who} hat eine Einladung widerrufen`,
  },
  group_created: { title: 'Gruppe angelegt', says: ({ who, target }) => say`${who} hat die Gruppe ${target} angelegt` },
  group_renamed: {
    title: 'Gruppe umbenannt',
    says: ({ who, target, details }) => say`${who} hat die Gruppe ${target}${back(details)} umbenannt`,
  },
  group_moved: {
    title: 'Gruppe verschoben',
    says: ({ who, target, by, details }) =>
      say`${who} hat die Gruppe ${target}${back(details)} verschoben, nach ${by('to', 'entry_group')}`,
  },
  group_deleted: {
    title: 'Gruppe gelöscht',
    says: ({ who, target, details }) => say`${who} hat die Gruppe ${target}${withThings(details)} gelöscht`,
  },
  role_granted: {
    title: 'Mitglied hinzugefügt',
    says: ({ who, target, details, by }) =>
      say`${who} hat ${by('user_id', 'user')} zu ${target} hinzugefügt, als ${asRole(details)}`,
  },
  role_changed: {
    title: 'Rolle geändert',
    says: ({ who, target, details, by }) =>
      say`${who} hat die Rolle von ${by('user_id', 'user')} in ${target} geändert: ${asRole(details)}`,
  },
  role_removed: {
    title: 'Mitglied entfernt',
    says: ({ who, target, by }) => say`${who} hat ${by('user_id', 'user')} aus ${target} entfernt`,
  },
  key_rotated: {
    title: 'Schlüssel der Gruppe erneuert',
    says: ({ who, target }) => say`${who} hat den Schlüssel von ${target} erneuert`,
  },
  entries_moved: {
    title: 'Einträge verschoben',
    says: ({ who, target, details, by }) =>
      say`${who} hat ${entryCount(details)} von ${by('from', 'entry_group')} nach ${target} verschoben`,
  },
  entries_deleted: {
    title: 'Einträge gelöscht',
    says: ({ who, target, details }) => say`${who} hat ${entryCount(details)} von ${target} gelöscht`,
  },
  restored: {
    title: 'Wiederhergestellt',
    says: ({ who, target }) => say`${who} hat ${target} aus dem Papierkorb wiederhergestellt`,
  },
  purged: { title: 'Endgültig entfernt', says: ({ who, target }) => say`${who} hat ${target} endgültig entfernt` },
  field_revealed: { title: 'Feld angezeigt', says: ({ who, target }) => say`${who} hat ${target} angezeigt` },
  imported: {
    title: 'Importiert',
    says: ({ who, target, details }) => say`${who} hat ${entryCount(details)} in ${target} importiert`,
  },
  offline_mode_changed: {
    title: 'Offline-Nutzung geändert',
    says: ({ who, details }) =>
      details['status'] === true
        ? say`${who} hat die Offline-Nutzung in einem Browser eingeschaltet`
        : say`${who} hat die Offline-Nutzung in einem Browser ausgeschaltet`,
  },
  offline_downloaded: {
    title: 'Offline-Kopie geladen',
    says: ({ who, details }) => say`${who} hat eine Offline-Kopie geladen${withThings(details)}`,
  },
  backup_created: { title: 'Backup erstellt', says: ({ who }) => say`${who} hat ein Backup erstellt` },
  backup_failed: { title: 'Backup fehlgeschlagen', says: () => say`Ein Backup ist fehlgeschlagen` },
  backup_downloaded: { title: 'Backup heruntergeladen', says: ({ who }) => say`${who} hat ein Backup heruntergeladen` },
  backup_verified: {
    title: 'Backup geprüft',
    says: ({ who, details }) =>
      details['ok'] === false
        ? say`${who} hat ein Backup geprüft: Es ist beschädigt`
        : say`${who} hat ein Backup geprüft`,
  },
  settings_changed: {
    title: 'Einstellungen geändert',
    says: (parts) =>
      'checkup_kept' in parts.details || 'checkup_reopened' in parts.details
        ? say`${parts.who} hat über einen Punkt der Prüfung entschieden`
        : say`${parts.who} hat ${ofSite(parts)} geändert`,
  },
  recovered: {
    title: 'Site wiederhergestellt',
    says: () => say`Die Site wurde aus einem Backup wiederhergestellt`,
  },
  access_refused: {
    title: 'Zugang verweigert',
    says: ({ who, details }) =>
      count(details) === 1
        ? say`${who} wurde der Zugang verweigert`
        : say`${who} wurde der Zugang ${String(count(details))}-mal verweigert`,
  },
  audit_exported: { title: 'Protokoll exportiert', says: ({ who }) => say`${who} hat dieses Protokoll exportiert` },
  user_auditor_changed: {
    title: 'Prüfer geändert',
    says: ({ who, target, details }) =>
      details['is_auditor'] === true
        ? say`${who} hat ${target} zum Prüfer gemacht`
        : say`${who} hat ${target} die Rolle Prüfer entzogen`,
  },
  user_offboarded: {
    title: 'Zugang beendet',
    says: ({ who, target }) => say`${who} hat den Zugang von ${target} beendet`,
  },
  backup_requested: { title: 'Backup beauftragt', says: ({ who }) => say`${who} hat ein Backup beauftragt` },
  entry_created: { title: 'Eintrag angelegt', says: ({ who, target }) => say`${who} hat ${target} angelegt` },
  entry_renamed: {
    title: 'Eintrag umbenannt',
    says: ({ who, target, details }) => say`${who} hat ${target}${back(details)} umbenannt`,
  },
  entry_marked: {
    title: 'Schlagwörter, Symbol oder Frist geändert',
    says: ({ who, target }) => say`${who} hat Schlagwörter, Symbol oder Frist von ${target} geändert`,
  },
  template_created: {
    title: 'Art von Eintrag hinzugefügt',
    says: ({ who, target }) => say`${who} hat in ${target} eine Art von Eintrag hinzugefügt`,
  },
  template_changed: {
    title: 'Art von Eintrag geändert',
    says: ({ who, target }) => say`${who} hat in ${target} eine Art von Eintrag geändert`,
  },
  template_deleted: {
    title: 'Art von Eintrag gelöscht',
    says: ({ who, target }) => say`${who} hat in ${target} eine Art von Eintrag gelöscht`,
  },
  entry_moved: {
    title: 'Eintrag verschoben',
    says: ({ who, target, by }) =>
      say`${who} hat ${target} von ${by('from', 'entry_group')} nach ${by('to', 'entry_group')} verschoben`,
  },
  entry_deleted: { title: 'Eintrag gelöscht', says: ({ who, target }) => say`${who} hat ${target} gelöscht` },
  field_created: { title: 'Feld angelegt', says: ({ who, target }) => say`${who} hat ${target} angelegt` },
  field_updated: { title: 'Feld geändert', says: ({ who, target }) => say`${who} hat ${target} geändert` },
  field_deleted: { title: 'Feld gelöscht', says: ({ who, target }) => say`${who} hat ${target} gelöscht` },
  audit_pruned: {
    title: 'Alte Zeilen entfernt',
    says: ({ who }) => say`${who} hat alte Zeilen aus diesem Protokoll entfernt`,
  },
  backup_copied: { title: 'Backup kopiert', says: ({ who }) => say`${who} hat ein Backup an den zweiten Ort kopiert` },
  backup_copy_failed: {
    title: 'Kopieren des Backups fehlgeschlagen',
    says: () => say`Ein Backup konnte nicht an den zweiten Ort kopiert werden`,
  },
  mail_tested: {
    title: 'Mail getestet',
    says: ({ who, details }) =>
      details['sent'] === false
        ? say`${who} hat die Mail getestet: Sie wurde nicht gesendet`
        : say`${who} hat eine Testmail gesendet`,
  },
  roster_signed: {
    title: 'Mitgliederliste unterschrieben',
    says: ({ who, target }) => say`${who} hat die Mitgliederliste von ${target} unterschrieben`,
  },
  trust_changed: {
    title: 'Vertrauen geändert',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} hat den Schlüssel von ${target} bestätigt`
        : say`${who} hat die Mitglieder von ${target} bestätigt`,
  },
  second_factor_asked: {
    title: 'Zweiter Faktor verlangt',
    says: ({ who }) => say`${who} hat das Kontopasswort angegeben und wurde nach dem zweiten Faktor gefragt`,
  },
  second_factor_failed: {
    title: 'Zweiter Faktor falsch',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} hat einen Sicherheitsschlüssel verwendet, der nicht akzeptiert wurde`
        : say`${who} hat einen falschen Code des zweiten Faktors angegeben`,
  },
  factor_added: {
    title: 'Zweiter Faktor eingerichtet',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} hat einen Sicherheitsschlüssel hinzugefügt`
        : say`${who} hat eine Authenticator-App eingerichtet`,
  },
  factor_removed: {
    title: 'Zweiter Faktor entfernt',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} hat einen Sicherheitsschlüssel entfernt`
        : say`${who} hat die Authenticator-App entfernt`,
  },
  factor_reset: {
    title: 'Zweite Faktoren zurückgesetzt',
    says: ({ who, target }) => say`${who} hat die zweiten Faktoren von ${target} zurückgesetzt`,
  },
  recovery_codes_made: {
    title: 'Ersatzcodes erstellt',
    says: ({ who }) => say`${who} hat neue Ersatzcodes erstellt`,
  },
  recovery_code_used: {
    title: 'Ersatzcode benutzt',
    says: ({ who }) => say`${who} hat einen Ersatzcode benutzt`,
  },
  browser_remembered: {
    title: 'Browser gemerkt',
    says: ({ who }) => say`${who} wird in einem Browser einige Tage nicht nach dem zweiten Faktor gefragt`,
  },
  browser_forgotten: {
    title: 'Browser vergessen',
    says: ({ who, details }) =>
      say`${who} wird wieder nach dem zweiten Faktor gefragt, in ${counted(count(details), 'Browser', 'Browsern')}`,
  },
  passkey_added: { title: 'Passkey registriert', says: ({ who }) => say`${who} hat einen Passkey registriert` },
  passkey_renamed: { title: 'Passkey umbenannt', says: ({ who }) => say`${who} hat einen Passkey umbenannt` },
  passkey_removed: { title: 'Passkey entfernt', says: ({ who }) => say`${who} hat einen Passkey entfernt` },
  unlock_passkey_added: {
    title: 'Passkey öffnet den Tresor',
    says: ({ who }) => say`${who} lässt einen Passkey den Tresor öffnen`,
  },
  unlock_passkey_removed: {
    title: 'Passkey öffnet den Tresor nicht mehr',
    says: ({ who }) => say`${who} lässt einen Passkey den Tresor nicht mehr öffnen`,
  },
  sso_linked: {
    title: 'Konto verknüpft',
    says: ({ who, details }) =>
      say`${who} hat das Konto mit ${String(details['provider'] ?? 'einem Anmeldedienst')} verknüpft`,
  },
  sso_unlinked: {
    title: 'Verknüpfung beendet',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} hat die Verknüpfung von ${target} mit einem Anmeldedienst beendet`
        : say`${who} hat die Verknüpfung mit einem Anmeldedienst beendet`,
  },
  sso_refused: {
    title: 'Single Sign-on abgelehnt',
    says: ({ details }) =>
      say`Eine Anmeldung über ${String(details['provider'] ?? 'einen Anmeldedienst')} wurde abgelehnt`,
  },
  provider_changed: {
    title: 'Anmeldedienst geändert',
    says: ({ who, details }) =>
      say`${who} hat den Anmeldedienst ${String(details['provider'] ?? 'ohne Namen')} geändert`,
  },
  break_glass_changed: {
    title: 'Notfallkonto geändert',
    says: ({ who, target, details }) =>
      details['status'] === true
        ? say`${who} hat ${target} zum Notfallkonto gemacht`
        : say`${who} hat das Notfallkonto ${target} beendet`,
  },
  break_glass_login: {
    title: 'Notfallkonto benutzt',
    says: ({ who }) => say`${who} hat sich mit einem Notfallkonto angemeldet`,
  },
  recovery_kit_made: {
    title: 'Notfallblatt erstellt',
    says: ({ who }) => say`${who} hat ein Notfallblatt erstellt`,
  },
  recovery_kit_removed: {
    title: 'Notfallblatt entfernt',
    says: ({ who }) => say`${who} hat das Notfallblatt entfernt`,
  },
  recovery_kit_used: {
    title: 'Notfallschlüssel benutzt',
    says: ({ who }) =>
      say`${who} hat den Tresor mit dem Notfallschlüssel geöffnet und ein neues Masterpasswort gewählt`,
  },
  password_removed: { title: 'Kontopasswort entfernt', says: ({ who }) => say`${who} hat das Kontopasswort entfernt` },
  export_started: {
    title: 'Export begonnen',
    says: ({ who, details }) => say`${who} hat einen Export von ${entryCount(details)} begonnen`,
  },
  export_released: {
    title: 'Werte exportiert',
    says: ({ who, details }) => say`${who} hat ${exported(details)} exportiert`,
  },
  export_finished: {
    title: 'Export beendet',
    says: ({ who, details }) =>
      details['state'] === 'cancelled'
        ? say`${who} hat einen Export abgebrochen; ${exported(details)} geöffnet`
        : say`${who} hat einen Export beendet: ${exported(details)}`,
  },
  export_expired: {
    title: 'Export abgelaufen',
    says: ({ who, details }) => say`Ein Export von ${who} ist abgelaufen; ${exported(details)} geöffnet`,
  },
  sites_listed: {
    title: 'Website-Regeln aufgelistet',
    says: ({ who }) => say`${who} hat die Website-Regeln von Links aufgelistet`,
  },
  site_rule_changed: {
    title: 'Website-Regeln geändert',
    says: ({ who, target }) => say`${who} hat geändert, wo ${target} angeboten wird`,
  },
  service_created: {
    title: 'Dienstkonto erstellt',
    says: ({ who, target }) => say`${who} hat das Dienstkonto ${target} erstellt`,
  },
  service_changed: {
    title: 'Dienstkonto geändert',
    says: ({ who, target }) => say`${who} hat das Dienstkonto ${target} geändert`,
  },
  service_deleted: {
    title: 'Dienstkonto gelöscht',
    says: ({ who, target }) => say`${who} hat das Dienstkonto ${target} gelöscht`,
  },
  service_credential_added: {
    title: 'Zugangsdaten hinzugefügt',
    says: ({ who, target }) => say`${who} hat neue Zugangsdaten für ${target} hinzugefügt`,
  },
  service_credential_ended: {
    title: 'Zugangsdaten beendet',
    says: ({ who, target }) => say`${who} hat Zugangsdaten von ${target} beendet`,
  },
  service_refused: {
    title: 'Dienstkonto abgewiesen',
    says: ({ who }) => say`${who} wurde abgewiesen: Die Adresse ist nicht erlaubt`,
  },
  program_admitted: { title: 'Programm zugelassen', says: ({ who }) => say`${who} hat ein Programm angemeldet` },
};
