/** The German texts of imports and exports. They share nothing with `german.ts`, which has a chunk of its own. */
import { translated, translateMore, type Translation } from '@passwordbroker/core/texts';
import type { EXPORT_TEXTS } from '../entries/export.ts';
import type { IMPORT_TEXTS } from '../entries/import.ts';
import { exchangeSentences, SKIPPED } from '@passwordbroker/client/texts/de/messages/exchange-messages';

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
    comparing: 'Vergleichen',
    sealing: 'Verschlüsseln',
    uploading: 'Hochladen',
    storing: 'Speichern',
  },
  opening: (seconds) => `Datei wird geöffnet: etwa ${seconds} s`,
  reading: (done, total) => `${done} von ${total} gelesen. Lassen Sie diesen Tab offen.`,
  comparing: (done, total) => `${done} von ${total} Werten in diesem Browser verglichen. Lassen Sie diesen Tab offen.`,
  sealing: (done, total) => `${done} von ${total} Werten in diesem Browser verschlüsselt. Lassen Sie diesen Tab offen.`,
  uploading: (done, total) => `${done} von ${total} hochgeladen. Lassen Sie diesen Tab offen.`,
  storing: 'Der Server speichert den Import. Lassen Sie diesen Tab offen.',
  failed: 'Die Datei konnte nicht importiert werden.',
  tookTooLong: 'Das Lesen hat zu lange gedauert und wurde beendet.',
  lost: 'Der Server hat den Import vielleicht gespeichert. Sehen Sie nach, ob der neue Baum unter den Gruppen ist.',
  lostInto:
    'Der Server hat den Import vielleicht gespeichert. Öffnen Sie die Gruppe und sehen Sie nach, ob die neuen Einträge da sind.',
  notTakenBackInto: (name) =>
    `Der Import wurde in „${name}“ gespeichert und konnte nicht rückgängig gemacht werden. Machen Sie ihn auf der Seite Papierkorb rückgängig.`,
  notTakenBack: (name) =>
    `Der Import wurde als neuer Baum „${name}“ gespeichert und konnte nicht rückgängig gemacht werden. Ist der Baum noch unter den Gruppen, machen Sie den Import auf der Seite Papierkorb rückgängig oder löschen Sie den Baum.`,
  tooLarge: (limit) => `Die Datei ist größer als ${limit}.`,

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
  whereTo: 'Wohin',
  asNewTree: 'Als neuer Baum',
  intoGroup: 'In eine Gruppe',
  groupMissing: 'Wählen Sie die Gruppe, die den Import aufnimmt.',
  sameMembers: 'Neue Gruppen bekommen die Mitglieder der Gruppe darüber',
  sameMembersHint: 'Gruppen mit gleichem Pfad werden wieder benutzt. Ohne das sind nur Sie in den neuen.',
  marks: { new: 'neu', existing: 'vorhanden', duplicate: 'doppelt' },
  newTree: 'Name des neuen Baums',
  newTreeMissing: 'Geben Sie einen Namen für den neuen Baum ein.',
  deleteFile: (name) =>
    `Die Datei ${name} ist nicht verschlüsselt. Löschen Sie sie nach dem Import, auch aus den Downloads und dem Papierkorb dieses Computers.`,
  importEntries: (count) => `${entries(count)} importieren`,
  back: 'Zurück',

  doneTitle: 'Import beendet',
  doneInto: (name) => `Als neuer Baum „${name}“ angelegt.`,
  doneIntoGroup: (name) => `In „${name}“ angelegt.`,
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
  updated: (count) => `${counted(count, 'Wert', 'Werte')} mit neuer Fassung`,
  revisions: (count) => `${counted(count, 'Fassung', 'Fassungen')} dieser Felder, mit dem Verlauf`,
  open: 'Baum öffnen',
  openGroup: 'Gruppe öffnen',

  toast: (count, name) => `${entries(count)} in „${name}“ importiert`,
  log: (name) => `Import in „${name}“ beendet`,
  undone: (name) => `Import in „${name}“ rückgängig gemacht`,
};

const number = (value: number) => value.toLocaleString('de');
const many = (value: number, one: string, others: string) => `${number(value)} ${value === 1 ? one : others}`;
const groups = (value: number) => many(value, 'Gruppe', 'Gruppen');
const valuesOf = (value: number) => many(value, 'Wert', 'Werte');

const EXPORT: Translation<typeof EXPORT_TEXTS> = {
  title: 'Exportieren',
  ofGroup: (name, below) =>
    below === 0 ? `Die Gruppe „${name}“.` : `Die Gruppe „${name}“ und ${groups(below)} darunter.`,
  ofEntries: (entries) => `${many(entries, 'gewählter Eintrag', 'gewählte Einträge')}.`,
  ofAll: (value) => `Alles, was Sie exportieren dürfen: ${groups(value)}.`,
  selection: 'Auswahl',
  all: 'alles',
  loading: 'Lädt, was exportiert werden darf',
  off: 'Exporte sind auf dieser Site ausgeschaltet.',
  nothing: 'Hier gibt es nichts, was Sie exportieren dürfen.',
  leastRole: {
    admins: 'Ein Admin einer Gruppe darf sie exportieren.',
    moderators: 'Admins und Moderatoren einer Gruppe dürfen sie exportieren.',
    members: 'Mitglieder einer Gruppe dürfen sie exportieren.',
  },
  refused: (value, names) => `${groups(value)} davon dürfen Sie nicht exportieren: ${names}.`,
  leaveOut: 'Weglassen',
  kind: 'Art der Datei',
  kinds: {
    pbx: 'PasswordBroker-Archiv, verschlüsselt, mit allem',
    kdbx: 'KeePass (KDBX 4), verschlüsselt',
    bitwarden: 'Bitwarden JSON, mit Passwort verschlüsselt',
    'bitwarden-plain': 'Bitwarden JSON, nicht verschlüsselt',
    'csv-manager': 'CSV für andere Passwortverwaltungen, nicht verschlüsselt',
    'csv-table': 'CSV für Tabellen, nicht verschlüsselt',
    cxf: 'FIDO Credential Exchange (CXF), nicht verschlüsselt',
  },
  shortKinds: {
    pbx: 'Das Archiv',
    kdbx: 'KDBX',
    bitwarden: 'Bitwarden JSON',
    'bitwarden-plain': 'Bitwarden JSON',
    'csv-manager': 'CSV',
    'csv-table': 'CSV',
    cxf: 'CXF',
  },
  plainOff: 'Dateien ohne Verschlüsselung sind auf dieser Site ausgeschaltet.',
  history: 'Mit früheren Versionen',
  files: 'Mit Dateien',
  password: 'Passwort der Datei',
  passwordHint:
    'Ohne dieses Passwort kann niemand die Datei öffnen. Es ist nicht Ihr Masterpasswort und lässt sich nicht wiederherstellen.',
  repeat: 'Passwort wiederholen',
  passwordMissing: 'Geben Sie ein Passwort für die Datei ein.',
  passwordsDiffer: 'Die beiden Passwörter sind nicht gleich.',
  weak: 'Dieses Passwort ist leicht zu erraten. Wählen Sie ein längeres, oder fahren Sie damit fort.',
  plain: 'Jeder, der diese Datei bekommt, kann sie lesen. Löschen Sie sie, sobald sie gebraucht wurde.',
  next: 'Weiter',
  cancel: 'Abbrechen',
  preparing: 'Bereitet den Export vor',
  another: 'Ein anderer Export von Ihnen läuft noch, vielleicht in einem anderen Tab.',
  endOther: 'Beenden',

  confirmTitle: 'Diese Werte exportieren?',
  counts: (groupCount, entryCount, values) =>
    `${groups(groupCount)} · ${many(entryCount, 'Eintrag', 'Einträge')} · ${valuesOf(values)}`,
  withFiles: (size) => `mit Dateien (${size})`,
  hasNo: (kind, missing) => `${kind} hat ${missing.join(' und ')}.`,
  noFiles: (value) => `keine Dateien (${number(value)})`,
  noHistory: (value) => `keine früheren Versionen (${number(value)})`,
  noCodes: (value) => `keine Einmalcodes (${number(value)})`,
  notExported: (missing) => `Nach Ihrer Wahl weggelassen: ${missing.join(' und ')}.`,
  filesLeft: (value) => many(value, 'Datei', 'Dateien'),
  historyLeft: (value) => many(value, 'frühere Version', 'frühere Versionen'),
  recorded: (values) =>
    values === 1
      ? '1 Wert wird als von Ihnen geöffnet verzeichnet.'
      : `${number(values)} Werte werden als von Ihnen geöffnet verzeichnet.`,
  plainCount: (passwords) =>
    `Jeder, der diese Datei bekommt, kann ${many(passwords, 'Passwort', 'Passwörter')} lesen. Löschen Sie sie, sobald sie gebraucht wurde.`,
  formulas:
    'Öffnen Sie diese Datei nicht in einer Tabellenkalkulation: Zellen, die wie Formeln aussehen, könnten ausgeführt werden.',
  understood: 'Ich habe verstanden',
  back: 'Zurück',
  exportValues: (values) => `${valuesOf(values)} exportieren`,
  empty: 'Es sind keine Werte darin.',
  notImportable:
    'Die Datei ist zu groß für einen Import in PasswordBroker. Soll sie wieder importiert werden, exportieren Sie weniger Gruppen, oder ohne frühere Fassungen und Dateien.',

  pendingAction: 'Werte exportieren',
  opening: (done, total) => `Öffnet ${number(done)} von ${number(total)} Werten. Lassen Sie diesen Tab offen.`,
  writing: (done, total) =>
    total === 0 ? 'Schreibt die Datei' : `Schreibt ${number(done)} von ${number(total)} Einträgen`,
  cancelling: 'Bricht ab',
  cancelled: (values) =>
    values === 0
      ? 'Der Export wurde abgebrochen. Kein Wert war geöffnet.'
      : `Der Export wurde abgebrochen. ${valuesOf(values)} ${values === 1 ? 'war' : 'waren'} geöffnet und ${values === 1 ? 'bleibt' : 'bleiben'} verzeichnet.`,

  doneTitle: 'Die Datei ist fertig',
  exported: (values) => `${valuesOf(values)} exportiert.`,
  gone: (values) =>
    `${valuesOf(values)} ${values === 1 ? 'wurde' : 'wurden'} inzwischen geändert oder entzogen und ${values === 1 ? 'fehlt' : 'fehlen'} in der Datei.`,
  damaged: (values) =>
    `${valuesOf(values)} ${values === 1 ? 'ist' : 'sind'} beschädigt und ${values === 1 ? 'fehlt' : 'fehlen'} in der Datei.`,
  lost: 'Was diese Art von Datei nicht fasst',
  lostLine: IMPORT.leftOutLine,
  save: 'Datei speichern',
  saved: (name) => `Gespeichert als ${name}.`,
  deleteFile: (name) =>
    `${name} ist nicht verschlüsselt. Löschen Sie die Datei, sobald sie gebraucht wurde, auch aus den Downloads und dem Papierkorb dieses Computers.`,
  close: 'Schließen',
};

export const EXCHANGE_TEXTS: Readonly<Record<string, object>> = {
  import: IMPORT,
  export: EXPORT,
};

/** Before the English ones are loaded. */
export const translateExchange = (): void => translateMore(EXCHANGE_TEXTS, exchangeSentences);
