import { CONTRACT_MESSAGES } from './contract-messages.ts';
import { BACKUP_MESSAGES, SERVER_MESSAGES } from './server-messages.ts';
import { sentencesIn } from '../../translations.ts';

/** Names of members, as `labelOf` of the contract writes them. */
const LABELS: Readonly<Record<string, string>> = {
  title: 'Titel',
  name: 'Name',
  username: 'Benutzername',
  email: 'E-Mail',
  password: 'Passwort',
  login: 'Anmeldename',
  value: 'Wert',
  type: 'Art',
  role: 'Rolle',
  tag: 'Tag',
  tags: 'Tags',
  icon: 'Symbol',
  fields: 'Felder',
  entries: 'Einträge',
  groups: 'Gruppen',
  documents: 'Dokumente',
  'due at': 'Datum',
  'due kind': 'Art des Datums',
  'rotate days': 'Tage bis zum nächsten Wechsel',
  'totp timeout': 'Dauer eines Einmalcodes',
  'totp hash algorithm': 'Verfahren des Einmalcodes',
  'file name': 'Dateiname',
  file: 'Datei',
  scopes: 'Rechte',
  'expires at': 'Ablauf',
  schedule: 'Zeitplan',
  keep: 'Anzahl der Backups',
  'keep days': 'Tage',
  'digest hour': 'Stunde der Mail',
  'digest zone': 'Zeitzone',
  entryGroupTarget: 'Zielgruppe',
};

/** A sentence of the server in German; one that is not known stays as it is. */
export const germanSentence = sentencesIn(
  { ...CONTRACT_MESSAGES, ...SERVER_MESSAGES, ...BACKUP_MESSAGES, ...LABELS },
  (text) => text,
);
