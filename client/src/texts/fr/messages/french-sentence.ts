import { CONTRACT_MESSAGES } from './contract-messages.ts';
import { BACKUP_MESSAGES, SERVER_MESSAGES } from './server-messages.ts';
import { sentencesIn } from '../../translations.ts';

/** Names of members, as `labelOf` of the contract writes them. */
const LABELS: Readonly<Record<string, string>> = {
  title: 'Titre',
  name: 'Nom',
  username: 'Nom d’utilisateur',
  email: 'E-mail',
  password: 'Mot de passe',
  login: 'Identifiant',
  value: 'Valeur',
  type: 'Type',
  role: 'Rôle',
  tag: 'Étiquette',
  tags: 'Étiquettes',
  icon: 'Icône',
  fields: 'Champs',
  entries: 'Entrées',
  groups: 'Groupes',
  documents: 'Documents',
  'due at': 'Échéance',
  'due kind': 'Type d’échéance',
  'rotate days': 'Jours jusqu’au prochain changement',
  'totp timeout': 'Durée d’un code à usage unique',
  'totp hash algorithm': 'Algorithme du code à usage unique',
  'file name': 'Nom du fichier',
  file: 'Fichier',
  scopes: 'Droits',
  'expires at': 'Expiration',
  schedule: 'Calendrier',
  keep: 'Nombre de sauvegardes',
  'keep days': 'Jours',
  'digest hour': 'Heure de l’e-mail',
  'digest zone': 'Fuseau horaire',
  entryGroupTarget: 'Groupe cible',
};

/** A sentence of the server in French; one that is not known stays as it is. */
export const frenchSentence = sentencesIn(
  { ...CONTRACT_MESSAGES, ...SERVER_MESSAGES, ...BACKUP_MESSAGES, ...LABELS },
  (text) => text,
);
