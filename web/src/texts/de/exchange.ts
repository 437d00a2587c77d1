/** The German texts of imports and exports. They share nothing with `german.ts`, which has a chunk of its own. */
import { translated, translateMore, type Translation } from '@passwordbroker/core/texts';
import type { IMPORT_TEXTS } from '../entries/import.ts';
import { exchangeSentences, SKIPPED } from './messages/exchange-messages.ts';

const entries = (count: number) => (count === 1 ? '1 Eintrag' : `${count} Einträge`);
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const IMPORT: Translation<typeof IMPORT_TEXTS> = {
  title: 'Daten importieren',
  subtitle: 'Eine Datei eines anderen Programms. Sie sehen, was darin ist, bevor etwas angelegt wird.',
  file: 'Datei',
  fileKind:
    'KeePass XML 2.x, wie KeePass und KeePassXC es exportieren, oder eine Datei einer anderen Passwortverwaltung',
  drop: 'Legen Sie eine Datei hier ab oder',
  choose: 'wählen Sie eine Datei',
  replace: 'Ersetzen',
  chosen: (size, kind) => (kind === null ? size : `${size}, ${kind}`),
  otherKind: 'Eine andere Art?',
  kind: 'Art der Datei',
  filePassword: 'Passwort der Datei',
  filePasswordHint: 'Es wird in diesem Browser gebraucht und nicht gesendet.',
  filePasswordMissing: 'Geben Sie das Passwort der Datei ein.',
  keyFile: 'Schlüsseldatei',
  chooseKeyFile: 'wählen Sie eine Schlüsseldatei',
  keyFileHint: 'Nur wenn die Datei eine braucht.',
  withoutKeyFile: 'Ohne Schlüsseldatei',
  oneFileOnly: 'Wählen Sie eine einzige Datei.',
  fileMissing: 'Die Datei fehlt',
  masterPassword: 'Masterpasswort',
  masterPasswordHint: 'Es öffnet Ihre Schlüssel in diesem Browser und wird nicht gesendet.',
  alreadyUnlocked: 'schon entsperrt',
  alreadyUnlockedHint: 'Der Tresor ist offen. Hier ist nichts einzugeben.',
  masterPasswordMissing: 'Das Masterpasswort fehlt',
  pendingAction: (file) => `„${file}“ zu importieren`,
  columns: 'Was die Spalten bedeuten',
  column: (number) => `Spalte ${number}`,
  hasNames: 'Die erste Zeile hat die Namen',
  showCells: 'Zellen anzeigen',
  hideCells: 'Zellen verbergen',
  maskedCells: '••••••••',
  noCells: 'leer',
  meaningOf: (column) => `Bedeutung von ${column}`,
  meanings: {
    title: 'Titel',
    group: 'Pfad der Gruppe',
    login: 'Benutzername',
    password: 'Passwort',
    url: 'URL',
    notes: 'Notizen',
    totp: 'Einmalpasswort',
    created: 'Angelegt',
    modified: 'Geändert',
    tags: 'Tags',
    text: 'Textfeld',
    secret: 'Geheimes Feld',
    none: 'Weglassen',
  },
  separator: 'Zwischen den Namen im Pfad einer Gruppe',
  noSeparator: 'Nichts: Jeder Text ist eine Gruppe',
  next: 'Weiter',
  busy: 'Wird importiert',
  cancel: 'Abbrechen',
  cancelling: 'Wird abgebrochen',
  takingBack: 'Alles war schon gesendet. Der Import wird jetzt auf dem Server rückgängig gemacht.',
  cancelled: 'Der Import wurde abgebrochen. Nichts wurde geändert.',
  progress: {
    opening: 'Datei wird geöffnet',
    reading: 'Lesen',
    sealing: 'Verschlüsseln',
    uploading: 'Hochladen',
    storing: 'Speichern',
  },
  opening: (seconds) => `Datei wird geöffnet: etwa ${seconds} s`,
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

  look: 'Vor dem Import ansehen',
  source: (kind, size) => `${kind}, ${size}`,
  inFile: 'In der Datei',
  better: (kind) => `Dieses Programm kann auch ${kind} exportieren, das mehr enthält als diese Datei.`,
  values: (count) => counted(count, 'Wert', 'Werte'),
  earlier: (count) => counted(count, 'frühere Fassung', 'frühere Fassungen'),
  files: (count, size) => `${counted(count, 'Datei', 'Dateien')} (${size})`,
  preview: 'Gruppen und Einträge der Datei',
  groupRow: (name, count) => `${name}, ${count}`,
  changes: 'Was sich ändert oder zurückbleibt',
  nothingChanges: 'Alles aus der Datei hat hier einen Platz.',
  andMore: (count) => `und ${count} weitere`,
  copyList: 'Liste kopieren',
  listCopied: 'Die Liste ist in der Zwischenablage.',
  saveReport: 'Bericht speichern',
  reportTitle: (file) => `Import von „${file}“`,
  reportName: (day) => `import-bericht-${day}.txt`,
  newTree: 'Name des neuen Baums',
  newTreeMissing: 'Geben Sie einen Namen für den neuen Baum ein.',
  deleteFile: (name) =>
    `Die Datei ${name} ist nicht verschlüsselt. Löschen Sie sie nach dem Import, auch aus den Downloads und dem Papierkorb dieses Computers.`,
  importEntries: (count) => `${entries(count)} importieren`,
  back: 'Zurück',

  doneTitle: 'Import beendet',
  doneInto: (name) => `Als neuer Baum „${name}“ angelegt.`,
  read: 'Gelesen',
  leftOut: 'Ausgelassen',
  leftOutLine: (count, kind, reason) => {
    const [one, several] = SKIPPED[kind] ?? [kind, kind];
    return `${count} ${count === 1 ? one : several}: ${translated(reason)}`;
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

export const EXCHANGE_TEXTS: Readonly<Record<string, object>> = {
  import: IMPORT,
};

/** Before the English ones are loaded. */
export const translateExchange = (): void => translateMore(EXCHANGE_TEXTS, exchangeSentences);
