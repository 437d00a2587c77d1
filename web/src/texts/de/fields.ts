import type { Translation } from '@passwordbroker/core/texts';
import type {
  ADD_FIELD_TEXTS,
  CONFLICT_TEXTS,
  DRAFT_TEXTS,
  EDIT_FIELD_TEXTS,
  FIELD_HISTORY_TEXTS,
  FIELD_TEXTS,
  QR_TEXTS,
  RECORD_TEXTS,
  REMOVE_FIELD_TEXTS,
  SEEN_BY_TEXTS,
} from '../entries/fields.ts';

const DISAGREEMENTS = {
  title: 'Titel',
  login: 'Anmeldename',
  totp: 'Einstellungen des Einmalcodes',
  file: 'Name, Art oder Größe der Datei',
};

export const FIELD: Translation<typeof FIELD_TEXTS> = {
  kinds: { password: 'Passwort', TOTP: 'TOTP', link: 'Link', note: 'Notiz', file: 'Datei' },
  algorithms: { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' },
  table: (entry) => `Felder von ${entry}`,
  columns: { title: 'Titel', type: 'Art', value: 'Wert', actions: 'Aktionen' },
  login: 'Anmeldename',
  password: 'Passwort',
  untitled: 'Ohne Titel',
  noLogin: '–',
  empty: 'Noch keine Felder.',
  loading: 'Felder werden geladen',
  loadFailed: 'Die Felder konnten nicht geladen werden',
  retry: 'Noch einmal versuchen',
  hidden: (title) => `Verborgener Wert von ${title}`,
  copyHidden: (title) => `Verborgenen Wert von ${title} kopieren`,
  pressToCopy: 'Kopieren',
  lines: (count) => (count === 1 ? '1 Zeile' : `${count} Zeilen`),
  longValue: (title) => `Wert von ${title}`,
  show: 'Anzeigen',
  hide: 'Verbergen',
  showCode: 'Code anzeigen',
  hideCode: 'Code verbergen',
  tabBlocked:
    'Es hat zu lange gedauert, daher würde der Browser den neuen Tab blockieren. Versuchen Sie es noch einmal.',
  openLink: 'Link öffnen',
  download: 'Datei herunterladen',
  downloading: 'Wird heruntergeladen',
  copyLogin: 'Anmeldenamen kopieren',
  copyValue: {
    password: 'Passwort kopieren',
    link: 'Link kopieren',
    note: 'Notiz kopieren',
    TOTP: 'Code kopieren',
  },
  copyKey: 'Schlüssel kopieren',
  copied: 'kopiert',
  history: (title) => `Verlauf von ${title}`,
  secondsLeft: (seconds) => `${seconds} s`,
  spelled: (code) => [...code].join(' '),
  notALink: 'Dieser Wert ist keine Web- oder Mailadresse und kann nicht geöffnet werden.',
  problems: {
    key_mismatch:
      'Der Schlüssel dieser Gruppe ist nicht der richtige, darum kann hier nichts geöffnet oder gespeichert werden. Fragen Sie einen Admin der Gruppe.',
    integrity: 'Dieser Wert ist beschädigt oder wurde verschoben und ist darum verborgen. Versuchen Sie den Verlauf.',
    crashed: 'Der Tresor wurde gesperrt, weil sein Hintergrundprozess beendet wurde. Versuchen Sie es noch einmal.',
    internal: 'Etwas ist schiefgegangen. Versuchen Sie es noch einmal.',
  },
  older:
    'Das ist älter als das, was Sie zuvor gesehen haben. Der Server wurde wiederhergestellt oder verschweigt eine Änderung.',
  disagrees: (what) =>
    `Die Liste des Servers weicht von dem ab, was hier gespeichert wurde (${what.map((one) => DISAGREEMENTS[one]).join(', ')}). Sie sehen, was gespeichert wurde.`,
  sealedTitle: 'Verschlüsselter Titel',
  sealedLogin: 'Verschlüsselter Anmeldename',
  sealedFile: 'Verschlüsselte Datei',
  sealedTotp: 'Verschlüsselte Einstellungen',
  clockOff: (difference, isAhead) =>
    `Die Uhr dieses Geräts geht gegenüber der des Servers ${difference} ${isAhead ? 'vor' : 'nach'}, dieser Code wird also vielleicht abgelehnt. Stellen Sie Datum und Uhrzeit des Geräts auf automatisch; der Code berichtigt sich dann selbst.`,
  clockBehindCopy: (difference) =>
    `Dieser Code ist falsch, denn die Uhr dieses Geräts zeigt eine Zeit ${difference} vor der Erstellung der lokalen Kopie. Stellen Sie Datum und Uhrzeit des Geräts auf automatisch; der Code berichtigt sich dann selbst.`,
  reveal: (title) => `den Wert von „${title}“ anzuzeigen`,
  copy: (title) => `den Wert von „${title}“ zu kopieren`,
  open: (title) => `den Link „${title}“ zu öffnen`,
  save: (title) => `die Datei von „${title}“ herunterzuladen`,
  activity: {
    valueCopied: (title) => `Wert des Feldes „${title}“ kopiert`,
    loginCopied: (title) => `Anmeldename des Feldes „${title}“ kopiert`,
    noteCopied: (title) => `Notiz des Feldes „${title}“ kopiert`,
    totpCopied: (title) => `TOTP des Feldes „${title}“ kopiert`,
    keyCopied: (title) => `Schlüssel des Feldes „${title}“ kopiert`,
    downloaded: (title) => `Datei des Feldes „${title}“ heruntergeladen`,
    added: (title) => `Feld „${title}“ hinzugefügt`,
  },
};

export const FIELD_HISTORY: Translation<typeof FIELD_HISTORY_TEXTS> = {
  table: 'Änderungen',
  columns: { action: 'Aktion', user: 'Benutzer', date: 'Datum', value: 'Wert', actions: 'Aktionen' },
  title: (field) => `Verlauf von „${field}“`,
  empty: 'der Verlauf ist leer',
  loading: 'Verlauf wird geladen',
  failed: 'Der Verlauf konnte nicht geladen werden',
  noValue: '–',
  removedUser: 'gelöschter Benutzer',
  reveal: (title) => `einen älteren Wert von „${title}“ anzuzeigen`,
  copyValue: 'Wert kopieren',
  withLogin: (login) => `Anmeldename ${login}`,
  restore: 'Diesen Wert wiederherstellen',
  restoring: 'Wird wiederhergestellt',
  restoreAction: (title) => `einen älteren Wert von „${title}“ wiederherzustellen`,
  restored: (title) => `Älterer Wert des Feldes „${title}“ wiederhergestellt`,
  restoreConflict:
    'Jemand hat dieses Feld inzwischen geändert. Nichts wurde überschrieben; die Liste ist auf dem neuesten Stand.',
  older: 'Ältere anzeigen',
  loadingOlder: 'Wird geladen',
  close: 'Schließen',
};

export const DRAFT: Translation<typeof DRAFT_TEXTS> = {
  kept: 'Der Tresor wurde gesperrt. Was Sie eingegeben haben, ist nach dem Entsperren an seinem Platz wieder da.',
  keptWithoutFile:
    'Der Tresor wurde gesperrt. Was Sie eingegeben haben, ist nach dem Entsperren an seinem Platz wieder da. Wählen Sie dann die Datei noch einmal.',
  lost: 'Der Tresor wurde gesperrt, während das Formular offen war. Was noch nicht gespeichert war, ist verloren.',
};

export const ADD_FIELD: Translation<typeof ADD_FIELD_TEXTS> = {
  open: 'Feld hinzufügen',
  title: 'Feld hinzufügen',
  within: (entry) => `zu ${entry}`,
  type: 'Art',
  fieldTitle: 'Titel',
  login: 'Anmeldename',
  value: 'Wert',
  link: 'Adresse',
  note: 'Notiz',
  secret: 'Geheimnis',
  secretHint: 'Der Einrichtungsschlüssel, den die andere Website zeigt, oder eine ganze otpauth://-Adresse',
  algorithm: 'Verfahren',
  timeout: 'Gültigkeit in Sekunden',
  timeoutHint: '1 bis 10000',
  timeoutBad: 'Die Gültigkeit muss zwischen 1 und 10000 liegen.',
  timeoutNotWhole: 'Die Gültigkeit muss eine ganze Zahl sein.',
  totpBad: 'Der Wert ist kein gültiges TOTP-Geheimnis',
  file: 'Datei',
  chooseFile: 'wählen Sie eine Datei',
  dropFile: 'Legen Sie eine Datei hier ab oder',
  replaceFile: 'Ersetzen',
  fileLimit: (limit) => `Höchstens ${limit}`,
  fileTooLarge: (limit) => `Die Datei ist zu groß (höchstens ${limit}).`,
  valueTooLarge: 'Der Wert ist zu lang (höchstens 1 MB).',
  valueMissing: 'Der Wert fehlt',
  fileMissing: 'Die Datei fehlt',
  masterPasswordMissing: 'Das Masterpasswort fehlt',
  masterPasswordInvalid: 'Das Masterpasswort ist falsch',
  masterPassword: 'Masterpasswort',
  masterPasswordHint: 'Nur nötig, solange der Tresor gesperrt ist.',
  cancel: 'Abbrechen',
  submit: 'Feld hinzufügen',
  adding: 'Wird hinzugefügt',
  generateAgain: 'Neu erzeugen',
  copyPassword: 'Passwort kopieren',
  generator: 'Passwortgenerator',
  length: 'Länge',
  lengthNumber: 'Länge als Zahl',
  bits: (bits) => `${bits} Bit`,
  strength: (word) => `Stärke: ${word.toLowerCase()}`,
  strengths: ['Schwach', 'Mittel', 'Stark', 'Sehr stark'],
  lastClass: 'Wählen Sie mindestens eine Art von Zeichen',
  unlockAction: 'ein Feld hinzuzufügen',
};

export const SEEN_BY: Translation<typeof SEEN_BY_TEXTS> = {
  count: (people) => `Gesehen von ${people}`,
  you: 'Von Ihnen gesehen',
  open: (count, title) => `${count}: ${title}`,
  title: (field) => `„${field}“ wurde gesehen von`,
  people: 'Personen, die es gesehen haben',
  removedUser: 'Eine entfernte Person',
  notMember: 'jetzt nicht in dieser Gruppe',
  loading: 'Wird geladen',
  failed: 'Wer es gesehen hat, konnte nicht geladen werden.',
  none: 'Noch niemand hat es gesehen.',
  notCounted:
    'Das letzte Mal jeder Person. Mitglieder sehen hier sich selbst; der Verlauf zeigt alle. Was aus einer Kopie auf einem Gerät geöffnet wird, wird nicht aufgezeichnet.',
};

export const RECORD: Translation<typeof RECORD_TEXTS> = {
  edit: (title) => `${title} bearbeiten`,
  remove: (title) => `${title} löschen`,
  menu: (title) => `Aktionen für ${title}`,
  menuItems: { history: 'Verlauf', edit: 'Bearbeiten', remove: 'Löschen' },
};

export const EDIT_FIELD: Translation<typeof EDIT_FIELD_TEXTS> = {
  title: 'Feld bearbeiten',
  within: (type, entry) => `${FIELD.kinds[type]} in ${entry}`,
  save: 'Speichern',
  saving: 'Wird gespeichert',
  cancel: 'Abbrechen',
  open: (title) => `„${title}“ zu bearbeiten`,
  write: (title) => `„${title}“ zu speichern`,
  updated: (title) => `Feld „${title}“ geändert`,
  gone: 'Dieses Feld wurde inzwischen gelöscht oder verschoben.',
  generate: 'Neues Passwort erzeugen',
  keepPassword: 'Jetziges Passwort behalten',
  fileKept: 'Die jetzige Datei bleibt, wenn Sie keine andere wählen.',
};

export const CONFLICT: Translation<typeof CONFLICT_TEXTS> = {
  notice:
    'Jemand hat dieses Feld geändert, während Sie es bearbeiteten. Nichts wurde überschrieben. Wählen Sie, welche Fassung bleibt.',
  kept: 'Wenn Sie Ihre speichern, kommt die andere in den Verlauf.',
  table: 'Beide Fassungen',
  what: 'Teil',
  theirs: (name, time) => `Gespeichert von ${name}, ${time}`,
  somebody: 'jemandem',
  yours: 'Ihre, nicht gespeichert',
  longTheirs: 'Was gespeichert wurde',
  longYours: 'Was Sie geschrieben haben',
  differs: 'verschieden',
  rows: { title: 'Titel', login: 'Anmeldename', value: 'Wert', totp: 'Code', file: 'Datei' },
  storedFile: 'die gespeicherte Datei',
  show: 'Werte anzeigen',
  hide: 'Werte verbergen',
  masked: 'Verborgener Wert',
  back: 'Weiter bearbeiten',
  keepTheirs: 'Andere behalten',
  saveMine: 'Meine speichern',
};

export const REMOVE_FIELD: Translation<typeof REMOVE_FIELD_TEXTS> = {
  title: (title) => `Feld ${title} löschen?`,
  text: (entry) =>
    `Löscht das Feld mit seinem Wert und seinem Verlauf aus ${entry}, für alle in der Gruppe. Bis der Papierkorb geleert wird, kann es wiederhergestellt werden.`,
  cancel: 'Abbrechen',
  confirm: 'Feld löschen',
  confirming: 'Wird gelöscht',
  action: (title) => `„${title}“ zu löschen`,
  deleted: (title) => `Feld „${title}“ gelöscht`,
  restored: (title) => `Feld „${title}“ wiederhergestellt`,
};

export const QR: Translation<typeof QR_TEXTS> = {
  choose: 'QR-Bild lesen',
  reading: 'Das Bild wird gelesen',
  hint: 'Ein QR-Bild kann hier auch eingefügt werden. Es bleibt in diesem Browser.',
  input: 'QR-Bild',
  notAnImage: 'Diese Datei ist kein Bild, das dieser Browser lesen kann.',
  none: 'In diesem Bild wurde kein QR-Code gefunden.',
  notTotp: 'Der QR-Code in diesem Bild richtet keine sechsstelligen Einmalcodes ein.',
};
