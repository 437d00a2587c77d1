import type { Translation } from '@passwordbroker/core/texts';
import type { AUDIT_EVENT_TEXTS, AUDIT_NAMES as ENGLISH_NAMES, AuditParts } from '../../admin/audit-events.ts';
import { say, type Sentence } from '../../sentence.ts';

type Details = AuditParts['details'];

export const AUDIT_NAMES: Translation<typeof ENGLISH_NAMES> = {
  server: 'Le serveur',
  somebody: 'Quelqu’un',
  loading: '…',
  root: 'le niveau supérieur',
  ofField: (entry, field) => `${entry} › ${field}`,
  unseen: {
    entry_group: 'un groupe que vous ne voyez pas',
    entry: 'une entrée que vous ne voyez pas',
    field: 'un champ que vous ne voyez pas',
    user: 'une personne supprimée',
  },
  others: {
    backup: 'une sauvegarde',
    invite: 'une invitation',
    session: 'une session',
    site: 'le site',
    token: 'un jeton',
    user_application: 'un navigateur',
    export: 'un export',
  },
  something: 'quelque chose',
};

const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`;
const part = (count: unknown, one: string, many: string) =>
  typeof count === 'number' && count > 0 ? [counted(count, one, many)] : [];
const exported = ({ values }: Details): string => counted(typeof values === 'number' ? values : 0, 'valeur', 'valeurs');
const things = ({ entry_groups: groups, entries, fields }: Details): string =>
  [
    ...part(groups, 'groupe', 'groupes'),
    ...part(entries, 'entrée', 'entrées'),
    ...part(fields, 'champ', 'champs'),
  ].join(', ');
const entryCount = (details: Details) => things(details) || 'entrées';
const withThings = (details: Details) => (things(details) === '' ? '' : ` (${things(details)})`);
const back = (details: Details) => ('undo_of' in details ? ' (annulation)' : '');
const count = ({ count: n }: Details) => (typeof n === 'number' ? n : 1);
const toGroups = ({ groups }: Details) =>
  typeof groups === 'number' ? ` à ${counted(groups, 'groupe', 'groupes')}` : '';
const isKey = (details: Details) => details['factor'] === 'passkey';
const asRole = (details: Details) => String(details['role'] ?? 'member');
const ofSite = ({ targetType }: AuditParts) =>
  targetType === 'backup'
    ? 'les paramètres des sauvegardes'
    : targetType === 'user'
      ? 'ses propres paramètres'
      : 'des paramètres du site';

function userUpdated({ who, target, details }: AuditParts): Sentence {
  if (details['disabled'] === true) return say`${who} : compte de ${target} désactivé`;
  if (details['disabled'] === false) return say`${who} : compte de ${target} réactivé`;
  if (details['released'] === true) return say`${who} : connexion de ${target} permise de nouveau après des échecs`;
  return target.name === who ? say`${who} a modifié son propre compte` : say`${who} a modifié le compte de ${target}`;
}

function keysChanged({ who, details }: AuditParts): Sentence {
  if (details['slot'] === 'password') return say`${who} a changé le mot de passe maître`;
  if (details['slot'] === 'recovery') return say`${who} a changé la clé de secours`;
  return say`${who} a changé ses clés`;
}

export const AUDIT_EVENTS: Translation<typeof AUDIT_EVENT_TEXTS> = {
  login: { title: 'Connexion', says: ({ who }) => say`Connexion de ${who}` },
  login_failed: {
    title: 'Échec de connexion',
    says: ({ who, details }) =>
      details['reason'] === 'address'
        ? say`${who} n’a pas pu se connecter : réseau non permis`
        : say`${who} n’a pas pu se connecter`,
  },
  logout: { title: 'Déconnexion', says: ({ who }) => say`Déconnexion de ${who}` },
  session_ended: {
    title: 'Session terminée',
    says: ({ who, details }) => say`${who} a mis fin à ${counted(count(details), 'session', 'sessions')}`,
  },
  token_created: { title: 'Jeton créé', says: ({ who }) => say`${who} a créé un jeton` },
  token_revoked: {
    title: 'Jeton révoqué',
    says: ({ who, details, by }) =>
      'user_id' in details
        ? say`${who} a révoqué un jeton de ${by('user_id', 'user')}`
        : say`${who} a révoqué un jeton`,
  },
  password_changed: {
    title: 'Mot de passe du compte changé',
    says: ({ who }) => say`${who} a changé le mot de passe du compte`,
  },
  keys_changed: { title: 'Clés changées', says: keysChanged },
  keys_reset: {
    title: 'Clés réinitialisées',
    says: ({ who, target }) => say`${who} a réinitialisé les clés de ${target}`,
  },
  key_bundle_released: {
    title: 'Clés scellées récupérées',
    says: ({ who }) => say`${who} a récupéré ses clés scellées`,
  },
  mp_used_on_server: {
    title: 'Mot de passe maître envoyé au serveur',
    says: ({ who }) => say`${who} a envoyé son mot de passe maître au serveur`,
  },
  mp_refused: {
    title: 'Mot de passe maître incorrect',
    says: ({ who }) => say`${who} a envoyé un mot de passe maître incorrect au serveur`,
  },
  mass_reveal: {
    title: 'Nombreuses valeurs affichées',
    says: ({ who }) => say`${who} a affiché plus de 200 valeurs en dix minutes`,
  },
  user_created: {
    title: 'Compte créé',
    says: ({ who, target, hasActor }) =>
      hasActor ? say`${who} a créé le compte de ${target}` : say`Inscription de ${target}`,
  },
  user_updated: { title: 'Compte modifié', says: userUpdated },
  user_admin_changed: {
    title: 'Admin du site modifié',
    says: ({ who, target, details }) =>
      details['is_admin'] === true
        ? say`${who} a donné à ${target} le rôle d’admin du site`
        : say`${who} a retiré à ${target} le rôle d’admin du site`,
  },
  user_deleted: {
    title: 'Compte supprimé',
    says: ({ who, target }) => say`${who} a supprimé le compte de ${target}`,
  },
  invite_created: {
    title: 'Invitation créée',
    says: ({ who, details }) => say`${who} a invité une personne${toGroups(details)}`,
  },
  invite_accepted: { title: 'Invitation acceptée', says: ({ who }) => say`${who} a accepté une invitation` },
  invite_revoked: {
    title: 'Invitation révoquée',
    says: ({ who, details, by }) =>
      'invited_by' in details
        ? say`${who} a révoqué une invitation de ${by('invited_by', 'user')}`
        : say`${who} a révoqué une invitation`,
  },
  group_created: { title: 'Groupe créé', says: ({ who, target }) => say`${who} a créé le groupe ${target}` },
  group_renamed: {
    title: 'Groupe renommé',
    says: ({ who, target, details }) => say`${who} a renommé le groupe ${target}${back(details)}`,
  },
  group_moved: {
    title: 'Groupe déplacé',
    says: ({ who, target, by, details }) =>
      say`${who} a déplacé le groupe ${target}${back(details)}, vers ${by('to', 'entry_group')}`,
  },
  group_deleted: {
    title: 'Groupe supprimé',
    says: ({ who, target, details }) => say`${who} a supprimé le groupe ${target}${withThings(details)}`,
  },
  role_granted: {
    title: 'Membre ajouté',
    says: ({ who, target, details, by }) =>
      say`${who} a ajouté ${by('user_id', 'user')} à ${target}, comme ${asRole(details)}`,
  },
  role_changed: {
    title: 'Rôle modifié',
    says: ({ who, target, details, by }) =>
      say`${who} a modifié le rôle de ${by('user_id', 'user')} dans ${target} : ${asRole(details)}`,
  },
  role_removed: {
    title: 'Membre retiré',
    says: ({ who, target, by }) => say`${who} a retiré ${by('user_id', 'user')} de ${target}`,
  },
  key_rotated: {
    title: 'Clé du groupe renouvelée',
    says: ({ who, target }) => say`${who} a renouvelé la clé de ${target}`,
  },
  entries_moved: {
    title: 'Entrées déplacées',
    says: ({ who, target, details, by }) =>
      say`${who} a déplacé ${entryCount(details)} de ${by('from', 'entry_group')} vers ${target}`,
  },
  entries_deleted: {
    title: 'Entrées supprimées',
    says: ({ who, target, details }) => say`${who} a supprimé ${entryCount(details)} de ${target}`,
  },
  restored: {
    title: 'Restauration',
    says: ({ who, target }) => say`${who} a restauré ${target} depuis la corbeille`,
  },
  purged: {
    title: 'Suppression définitive',
    says: ({ who, target }) => say`${who} a supprimé ${target} définitivement`,
  },
  field_revealed: { title: 'Champ affiché', says: ({ who, target }) => say`${who} a affiché ${target}` },
  imported: {
    title: 'Importation',
    says: ({ who, target, details }) => say`${who} a importé ${entryCount(details)} dans ${target}`,
  },
  offline_mode_changed: {
    title: 'Utilisation hors ligne modifiée',
    says: ({ who, details }) =>
      details['status'] === true
        ? say`${who} a activé l’utilisation hors ligne dans un navigateur`
        : say`${who} a désactivé l’utilisation hors ligne dans un navigateur`,
  },
  offline_downloaded: {
    title: 'Copie hors ligne chargée',
    says: ({ who, details }) => say`${who} a chargé une copie hors ligne${withThings(details)}`,
  },
  backup_created: { title: 'Sauvegarde créée', says: ({ who }) => say`${who} a créé une sauvegarde` },
  backup_failed: { title: 'Échec de sauvegarde', says: () => say`Une sauvegarde a échoué` },
  backup_downloaded: { title: 'Sauvegarde téléchargée', says: ({ who }) => say`${who} a téléchargé une sauvegarde` },
  backup_verified: {
    title: 'Sauvegarde vérifiée',
    says: ({ who, details }) =>
      details['ok'] === false
        ? say`${who} a vérifié une sauvegarde : elle est endommagée`
        : say`${who} a vérifié une sauvegarde`,
  },
  settings_changed: {
    title: 'Paramètres modifiés',
    says: (parts) =>
      'checkup_kept' in parts.details || 'checkup_reopened' in parts.details
        ? say`${parts.who} a décidé d’un point du bilan`
        : say`${parts.who} a modifié ${ofSite(parts)}`,
  },
  recovered: {
    title: 'Site restauré',
    says: () => say`Le site a été restauré à partir d’une sauvegarde`,
  },
  access_refused: {
    title: 'Accès refusé',
    says: ({ who, details }) =>
      count(details) === 1
        ? say`L’accès a été refusé à ${who}`
        : say`L’accès a été refusé ${String(count(details))} fois à ${who}`,
  },
  audit_exported: { title: 'Journal exporté', says: ({ who }) => say`${who} a exporté ce journal` },
  user_auditor_changed: {
    title: 'Auditeur modifié',
    says: ({ who, target, details }) =>
      details['is_auditor'] === true
        ? say`${who} a donné à ${target} le rôle d’auditeur`
        : say`${who} a retiré à ${target} le rôle d’auditeur`,
  },
  user_offboarded: {
    title: 'Accès terminé',
    says: ({ who, target }) => say`${who} a mis fin à l’accès de ${target}`,
  },
  backup_requested: { title: 'Sauvegarde demandée', says: ({ who }) => say`${who} a demandé une sauvegarde` },
  entry_created: { title: 'Entrée créée', says: ({ who, target }) => say`${who} a créé ${target}` },
  entry_renamed: {
    title: 'Entrée renommée',
    says: ({ who, target, details }) => say`${who} a renommé ${target}${back(details)}`,
  },
  entry_marked: {
    title: 'Étiquettes, icône ou échéance modifiées',
    says: ({ who, target }) => say`${who} a modifié les étiquettes, l’icône ou l’échéance de ${target}`,
  },
  template_created: {
    title: 'Type d’entrée ajouté',
    says: ({ who, target }) => say`${who} a ajouté un type d’entrée dans ${target}`,
  },
  template_changed: {
    title: 'Type d’entrée modifié',
    says: ({ who, target }) => say`${who} a modifié un type d’entrée dans ${target}`,
  },
  template_deleted: {
    title: 'Type d’entrée supprimé',
    says: ({ who, target }) => say`${who} a supprimé un type d’entrée dans ${target}`,
  },
  entry_moved: {
    title: 'Entrée déplacée',
    says: ({ who, target, by }) =>
      say`${who} a déplacé ${target} de ${by('from', 'entry_group')} vers ${by('to', 'entry_group')}`,
  },
  entry_deleted: { title: 'Entrée supprimée', says: ({ who, target }) => say`${who} a supprimé ${target}` },
  field_created: { title: 'Champ créé', says: ({ who, target }) => say`${who} a créé ${target}` },
  field_updated: { title: 'Champ modifié', says: ({ who, target }) => say`${who} a modifié ${target}` },
  field_deleted: { title: 'Champ supprimé', says: ({ who, target }) => say`${who} a supprimé ${target}` },
  audit_pruned: {
    title: 'Anciennes lignes supprimées',
    says: ({ who }) => say`${who} a supprimé d’anciennes lignes de ce journal`,
  },
  backup_copied: {
    title: 'Sauvegarde copiée',
    says: ({ who }) => say`${who} a copié une sauvegarde au second emplacement`,
  },
  backup_copy_failed: {
    title: 'Échec de la copie d’une sauvegarde',
    says: () => say`Une sauvegarde n’a pas pu être copiée au second emplacement`,
  },
  mail_tested: {
    title: 'Messagerie essayée',
    says: ({ who, details }) =>
      details['sent'] === false
        ? say`${who} a essayé la messagerie : rien n’a été envoyé`
        : say`${who} a envoyé un e-mail d’essai`,
  },
  roster_signed: {
    title: 'Liste des membres signée',
    says: ({ who, target }) => say`${who} a signé la liste des membres de ${target}`,
  },
  trust_changed: {
    title: 'Confiance modifiée',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} a confirmé la clé de ${target}`
        : say`${who} a confirmé les membres de ${target}`,
  },
  second_factor_asked: {
    title: 'Second facteur demandé',
    says: ({ who }) => say`${who} a donné le mot de passe du compte, et le second facteur a été demandé`,
  },
  second_factor_failed: {
    title: 'Second facteur incorrect',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} a utilisé une clé de sécurité qui n’a pas été acceptée`
        : say`${who} a donné un code incorrect du second facteur`,
  },
  factor_added: {
    title: 'Second facteur configuré',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} a ajouté une clé de sécurité`
        : say`${who} a configuré une application d’authentification`,
  },
  factor_removed: {
    title: 'Second facteur supprimé',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} a supprimé une clé de sécurité`
        : say`${who} a supprimé l’application d’authentification`,
  },
  factor_reset: {
    title: 'Seconds facteurs réinitialisés',
    says: ({ who, target }) => say`${who} a réinitialisé les seconds facteurs de ${target}`,
  },
  recovery_codes_made: {
    title: 'Codes de récupération créés',
    says: ({ who }) => say`${who} a créé de nouveaux codes de récupération`,
  },
  recovery_code_used: {
    title: 'Code de récupération utilisé',
    says: ({ who }) => say`${who} a utilisé un code de récupération`,
  },
  browser_remembered: {
    title: 'Navigateur mémorisé',
    says: ({ who }) => say`Dans un navigateur de ${who}, le second facteur n’est pas demandé pendant quelques jours`,
  },
  browser_forgotten: {
    title: 'Navigateur oublié',
    says: ({ who, details }) =>
      say`Le second facteur est de nouveau demandé à ${who}, dans ${counted(count(details), 'navigateur', 'navigateurs')}`,
  },
  passkey_added: { title: 'Clé d’accès enregistrée', says: ({ who }) => say`${who} a enregistré une clé d’accès` },
  passkey_renamed: { title: 'Clé d’accès renommée', says: ({ who }) => say`${who} a renommé une clé d’accès` },
  passkey_removed: { title: 'Clé d’accès supprimée', says: ({ who }) => say`${who} a supprimé une clé d’accès` },
  unlock_passkey_added: {
    title: 'Clé d’accès ouvrant le coffre',
    says: ({ who }) => say`${who} permet à une clé d’accès d’ouvrir le coffre`,
  },
  unlock_passkey_removed: {
    title: 'Clé d’accès n’ouvrant plus le coffre',
    says: ({ who }) => say`${who} ne permet plus à une clé d’accès d’ouvrir le coffre`,
  },
  sso_linked: {
    title: 'Compte associé',
    says: ({ who, details }) =>
      say`${who} a associé son compte à ${String(details['provider'] ?? 'un fournisseur d’identité')}`,
  },
  sso_unlinked: {
    title: 'Association supprimée',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} a supprimé l’association de ${target} à un fournisseur d’identité`
        : say`${who} a supprimé l’association à un fournisseur d’identité`,
  },
  sso_refused: {
    title: 'Authentification unique refusée',
    says: ({ details }) =>
      say`Une connexion par ${String(details['provider'] ?? 'un fournisseur d’identité')} a été refusée`,
  },
  provider_changed: {
    title: 'Fournisseur d’identité modifié',
    says: ({ who, details }) =>
      say`${who} a modifié le fournisseur d’identité ${String(details['provider'] ?? 'sans nom')}`,
  },
  break_glass_changed: {
    title: 'Compte d’urgence modifié',
    says: ({ who, target, details }) =>
      details['status'] === true
        ? say`${who} a fait de ${target} un compte d’urgence`
        : say`${who} a mis fin au compte d’urgence ${target}`,
  },
  break_glass_login: {
    title: 'Compte d’urgence utilisé',
    says: ({ who }) => say`Connexion de ${who} avec un compte d’urgence`,
  },
  recovery_kit_made: {
    title: 'Fiche de secours créée',
    says: ({ who }) => say`${who} a créé une fiche de secours`,
  },
  recovery_kit_removed: {
    title: 'Fiche de secours supprimée',
    says: ({ who }) => say`${who} a supprimé la fiche de secours`,
  },
  recovery_kit_used: {
    title: 'Clé de secours utilisée',
    says: ({ who }) => say`${who} a ouvert le coffre avec la clé de secours et choisi un nouveau mot de passe maître`,
  },
  password_removed: {
    title: 'Mot de passe du compte supprimé',
    says: ({ who }) => say`${who} a supprimé le mot de passe du compte`,
  },
  export_started: {
    title: 'Export commencé',
    says: ({ who, details }) => say`${who} a commencé un export de ${entryCount(details)}`,
  },
  export_released: {
    title: 'Valeurs exportées',
    says: ({ who, details }) => say`${who} a exporté ${exported(details)}`,
  },
  export_finished: {
    title: 'Export terminé',
    says: ({ who, details }) =>
      details['state'] === 'cancelled'
        ? say`${who} a interrompu un export après l’ouverture de ${exported(details)}`
        : say`${who} a terminé un export : ${exported(details)}`,
  },
  export_expired: {
    title: 'Export expiré',
    says: ({ who, details }) => say`Un export de ${who} a expiré après l’ouverture de ${exported(details)}`,
  },
  sites_listed: {
    title: 'Règles de site listées',
    says: ({ who }) => say`${who} a listé les règles de site de liens`,
  },
  site_rule_changed: {
    title: 'Règles de site modifiées',
    says: ({ who, target }) => say`${who} a modifié où ${target} est proposé`,
  },
  service_created: {
    title: 'Compte de service créé',
    says: ({ who, target }) => say`${who} a créé le compte de service ${target}`,
  },
  service_changed: {
    title: 'Compte de service modifié',
    says: ({ who, target }) => say`${who} a modifié le compte de service ${target}`,
  },
  service_deleted: {
    title: 'Compte de service supprimé',
    says: ({ who, target }) => say`${who} a supprimé le compte de service ${target}`,
  },
  service_credential_added: {
    title: 'Identifiant ajouté',
    says: ({ who, target }) => say`${who} a ajouté un identifiant de ${target}`,
  },
  service_credential_ended: {
    title: 'Identifiant révoqué',
    says: ({ who, target }) => say`${who} a mis fin à un identifiant de ${target}`,
  },
  service_refused: {
    title: 'Compte de service refusé',
    says: ({ who }) => say`${who} a été refusé : l’adresse n’est pas autorisée`,
  },
  program_admitted: { title: 'Programme admis', says: ({ who }) => say`${who} a connecté un programme` },
};
