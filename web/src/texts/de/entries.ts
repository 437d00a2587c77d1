import type { Translation } from '@passwordbroker/core/texts';
import type { BULK_TEXTS, ENTRY_TEXTS } from '../entries/entries.ts';
import type { IMPORT_TEXTS } from '../entries/import.ts';
import { germanSentence } from './messages/german-sentence.ts';
import { SKIPPED } from './messages/words.ts';

const quoted = (titles: readonly string[]) => titles.map((title) => `„${title}“`).join(', ');
const entries = (count: number) => (count === 1 ? '1 Eintrag' : `${count} Einträge`);

export const ENTRY: Translation<typeof ENTRY_TEXTS> = {
  table: 'Einträge',
  title: 'Titel',
  columns: { title: 'Titel', login: 'Anmeldename', created_at: 'Erstellt', updated_at: 'Geändert' },
  chooseColumns: 'Spalten wählen',
  updated: (time) => `Geändert ${time}`,
  empty: 'keine Einträge vorhanden',
  emptyHint: 'Legen Sie den ersten Eintrag an. Er kann Passwörter, Links, Notizen, Dateien und Einmalcodes enthalten.',
  emptyForMember: 'Moderatoren und Admins dieser Gruppe können Einträge anlegen.',
  failed: 'Die Einträge konnten nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  add: 'Neuer Eintrag',
  sort: 'Einträge sortieren',
  sortedUp: (column) => `${column}, aufsteigend`,
  sortedDown: (column) => `${column}, absteigend`,
  more: (title) => `Mehr zu ${title}`,
  actions: 'Aktionen',
  linkedMissing: 'Der verlinkte Eintrag ist nicht mehr in dieser Gruppe, oder er wurde gelöscht.',

  dialog: 'Neuer Eintrag',
  within: (group) => `in ${group}`,
  titleMissing: 'Der Titel wird gebraucht.',
  addButton: 'Anlegen',
  adding: 'Wird angelegt',
  cancel: 'Abbrechen',
  another: 'Speichern und weiteren anlegen',
  fieldsHint: 'Füllen Sie aus, was Sie brauchen. Leere Felder werden nicht gespeichert.',
  totp: 'TOTP-Geheimnis',
  generate: 'Passwort erzeugen',
  passwordMissing: 'Geben Sie ein Passwort ein oder erzeugen Sie eines, um den Anmeldenamen zu speichern.',
  saveAction: (title) => `„${title}“ zu speichern`,
  missing: (titles) => `Der Eintrag wurde angelegt. Noch nicht gespeichert: ${titles.join(', ')}.`,
  goOn: 'Speichern Sie noch einmal, um nur diese hinzuzufügen.',
  added: (title) => `Eintrag „${title}“ angelegt`,
  addUndone: (title) => `Eintrag „${title}“ wieder entfernt`,

  edit: 'Eintrag bearbeiten',
  editDialog: 'Eintrag bearbeiten',
  saveButton: 'Speichern',
  saving: 'Wird gespeichert',
  renamed: (before, after) => `Eintrag „${before}“ in „${after}“ umbenannt`,
  renameUndone: (title) => `Eintrag „${title}“ hat wieder seinen alten Namen`,

  copyPassword: 'Passwort kopieren',
  copyPasswordOf: (title) => `Passwort von ${title} kopieren`,
  copyLogin: 'Anmeldenamen kopieren',
  copyLink: 'Link zum Eintrag kopieren',
  linkCopied: (title) => `Link zum Eintrag „${title}“ kopiert`,
  move: 'Eintrag verschieben',
  remove: 'Eintrag löschen',
};

export const BULK: Translation<typeof BULK_TEXTS> = {
  bar: 'Mehrere bearbeiten',
  selected: (count) => `${count} ausgewählt`,
  selectAll: 'Alle auswählen',
  selectAllEntries: 'Alle Einträge auswählen',
  select: (title) => `${title} auswählen`,
  clear: 'Auswahl aufheben',
  move: 'Einträge verschieben',
  remove: 'Einträge löschen',
  failed: 'Etwas ist schiefgegangen, versuchen Sie es noch einmal',
  cancel: 'Abbrechen',

  removeOne: (title) => `„${title}“ löschen?`,
  removeMany: (count) => `${entries(count)} löschen?`,
  removeText: (count, group) =>
    `Löscht ${count === 1 ? 'den Eintrag mit seinen Feldern' : `${entries(count)} mit ihren Feldern`}, für alle in „${group}“. Bis der Papierkorb geleert wird, ${count === 1 ? 'kann er' : 'können sie'} wiederhergestellt werden.`,
  removing: 'Wird gelöscht',
  removed: 'Einträge gelöscht',
  removeUndone: (count) => `${entries(count)} wiederhergestellt`,

  moveOne: '1 Eintrag verschieben',
  moveMany: (count) => `${entries(count)} verschieben`,
  names: (first, more) => (more === 0 ? quoted(first) : `${quoted(first)} und ${more} weitere`),
  onlyWriters: 'Sie dürfen diese Gruppe nicht ändern',
  find: 'Gruppe suchen',
  targets: 'Gruppen',
  noTargets: 'Keine Gruppe heißt so',
  noOtherGroups: 'Es gibt keine andere Gruppe als Ziel.',
  loadingTargets: 'Gruppen werden geladen',
  refused: 'Sie dürfen nicht in diese Gruppe verschieben',
  moving: 'Wird verschoben',
  wrapping: 'Schlüssel werden für die neue Gruppe verschlüsselt',
  moveAction: (count, group) => `${entries(count)} nach „${group}“ zu verschieben`,
  moved: (group) => `Einträge nach ${group} verschoben`,
  moveUndone: (group) => `Einträge zurück nach ${group} verschoben`,
  undoMoveAction: (group) => `die Einträge zurück nach „${group}“ zu verschieben`,
};

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const IMPORT: Translation<typeof IMPORT_TEXTS> = {
  title: 'Daten importieren',
  subtitle: 'Eine Datei KeePass XML 2.x. Ihre Gruppen werden als ein neuer Baum angelegt.',
  file: 'Datei',
  fileKind: 'KeePass XML 2.x, wie KeePass und KeePassXC es exportieren',
  drop: 'Legen Sie eine Datei hier ab oder',
  choose: 'wählen Sie eine Datei',
  replace: 'Ersetzen',
  chosen: (size) => `${size}, KeePass XML 2.x`,
  oneFileOnly: 'Wählen Sie eine einzige Datei.',
  fileMissing: 'Die Datei fehlt',
  masterPassword: 'Masterpasswort',
  masterPasswordHint: 'Es öffnet Ihre Schlüssel in diesem Browser und wird nicht gesendet.',
  alreadyUnlocked: 'schon entsperrt',
  alreadyUnlockedHint: 'Der Tresor ist offen. Hier ist nichts einzugeben.',
  masterPasswordMissing: 'Das Masterpasswort fehlt',
  pendingAction: (file) => `„${file}“ zu importieren`,
  submit: 'Importieren',
  busy: 'Wird importiert',
  cancel: 'Abbrechen',
  cancelling: 'Wird abgebrochen',
  takingBack: 'Alles war schon gesendet. Der Import wird jetzt auf dem Server rückgängig gemacht.',
  cancelled: 'Der Import wurde abgebrochen. Nichts wurde geändert.',
  close: 'Schließen',
  progress: { reading: 'Lesen', sealing: 'Verschlüsseln', uploading: 'Hochladen', storing: 'Speichern' },
  reading: (done, total) => `${done} von ${total} gelesen. Lassen Sie diesen Tab offen.`,
  sealing: (done, total) => `${done} von ${total} Werten in diesem Browser verschlüsselt. Lassen Sie diesen Tab offen.`,
  uploading: (done, total) => `${done} von ${total} hochgeladen. Lassen Sie diesen Tab offen.`,
  storing: 'Der Server speichert den Import. Lassen Sie diesen Tab offen.',
  failed: 'Die Datei konnte nicht importiert werden.',
  lost: 'Der Server hat den Import vielleicht gespeichert. Sehen Sie nach, ob der neue Baum unter den Gruppen ist.',
  notTakenBack: (name) =>
    `Der Import wurde als neuer Baum „${name}“ gespeichert und konnte nicht rückgängig gemacht werden. Ist der Baum noch unter den Gruppen, machen Sie den Import auf der Seite Papierkorb rückgängig oder löschen Sie den Baum.`,
  tooLarge: (limit) => `Die Datei ist größer als ${limit}.`,
  sealedTooLarge: (size, limit) =>
    `Dieser Import ist zu groß: Verschlüsselt hat er ${size}, und der Server nimmt höchstens ${limit} auf einmal an. Nichts wurde gesendet. Exportieren Sie Ihre Daten in kleineren Teilen, zum Beispiel ohne die größten Anhänge, und importieren Sie diese einzeln.`,

  doneTitle: 'Import beendet',
  doneInto: (name) => `Als neuer Baum „${name}“ angelegt.`,
  read: 'Gelesen',
  leftOut: 'Ausgelassen',
  leftOutLine: (count, kind, reason) => {
    const [one, several] = SKIPPED[kind] ?? [kind, kind];
    return `${count} ${count === 1 ? one : several}: ${germanSentence(reason)}`;
  },
  nothingLeftOut: 'Nichts wurde ausgelassen.',
  groups: (count) => counted(count, 'Gruppe', 'Gruppen'),
  entries,
  fields: (count) => counted(count, 'Feld', 'Felder'),
  revisions: (count) => `${counted(count, 'Fassung', 'Fassungen')} dieser Felder, mit dem Verlauf`,
  open: 'Baum öffnen',

  toast: (count, name) => `${entries(count)} in „${name}“ importiert`,
  log: (name) => `Import in „${name}“ beendet`,
  undone: (name) => `Import in „${name}“ rückgängig gemacht`,
};
