import type { Translation } from '@passwordbroker/core/texts';
import type { ENTRY_PART_TEXTS, SEARCH_TEXTS, SUGGESTION_TEXTS } from '../entries/search.ts';
import type { ACTIVITY_LOG_TEXTS, CLIPBOARD_TEXTS, TRASH_TEXTS, UNDO_TEXTS } from '../entries/trash-and-activity.ts';

const entryCount = (count: number) => `${count} ${count === 1 ? 'Eintrag' : 'Einträge'}`;

export const SEARCH: Translation<typeof SEARCH_TEXTS> = {
  heading: (query) => `Suchergebnisse für: „${query}“`,
  empty: '… kein Ergebnis',
  similar: 'Ähnlich',
  similarHint: (query) => `Nichts enthält „${query}“. Diese Einträge enthalten ähnliche Wörter.`,
  emptyHint: (query) => `Nichts passt zu „${query}“. Prüfen Sie die Schreibweise oder suchen Sie kürzer.`,
  count: (entries, groups) => `${entryCount(entries)} in ${groups} ${groups === 1 ? 'Gruppe' : 'Gruppen'}`,
  countOnPage: entryCount,
  perPage: 'Pro Seite',
  perPageOption: (count) => `${count} pro Seite`,
  updated: (time) => `Geändert ${time}`,
  loading: 'wird geladen …',
  failed: 'Die Suche ist fehlgeschlagen.',
  change: 'Suche ändern',
  retry: 'Noch einmal versuchen',
  hintTitle: 'Arten zu suchen',
  hint: [
    { typed: 'title:root', text: 'in Titeln von Einträgen und Feldern' },
    { typed: 'login:root', text: 'in Anmeldenamen' },
    { typed: 'group:billing', text: 'in Namen von Gruppen' },
    { typed: 'type:TOTP', text: 'Einträge mit einem Feld dieser Art: password, TOTP, link, note, file' },
    { typed: 'tag:pci', text: 'Einträge mit diesem Schlagwort' },
    { typed: 'due:week', text: 'Einträge, die innerhalb einer Woche fällig sind; „due:late“ für überfällige' },
    { typed: '"old server"', text: 'diese Wörter in dieser Reihenfolge' },
    { typed: '-staging', text: 'ohne dieses Wort' },
    {
      typed: '"-staging"',
      text: 'genau dieser Text: In Anführungszeichen hat ein Minus oder ein Wort wie title: keine besondere Bedeutung',
    },
  ],
  noFields: 'Dieser Eintrag hat keine Felder.',
};

const nounsOf = (entry: string, field: string | null) =>
  field === null ? `von „${entry}“` : `„${field}“ von „${entry}“`;

export const ENTRY_PART: Translation<typeof ENTRY_PART_TEXTS> = {
  bar: (entry) => `Aktionen für ${entry}`,
  buttons: {
    password: { label: 'Passwort kopieren', keys: 'Strg C' },
    login: { label: 'Anmeldenamen kopieren', keys: 'Strg B' },
    link: { label: 'Link öffnen', keys: 'Strg O' },
    code: { label: 'Code kopieren', keys: 'Alt T' },
  },
  done: {
    password: (entry, field) => `Passwort ${nounsOf(entry, field)} kopiert`,
    login: (entry, field) => `Anmeldename ${nounsOf(entry, field)} kopiert`,
    link: (entry, field) => `Link ${nounsOf(entry, field)} geöffnet`,
    code: (entry, field) => `Einmalcode ${nounsOf(entry, field)} kopiert`,
  },
  none: {
    password: (entry) => `„${entry}“ hat kein Passwort.`,
    login: (entry) => `„${entry}“ hat keinen Anmeldenamen.`,
    link: (entry) => `„${entry}“ hat keinen Link.`,
    code: (entry) => `„${entry}“ hat keinen Einmalcode.`,
  },
  failed: {
    password: (entry, reason) => `Das Passwort von „${entry}“ wurde nicht kopiert. ${reason}`,
    login: (entry, reason) => `Der Anmeldename von „${entry}“ wurde nicht kopiert. ${reason}`,
    link: (entry, reason) => `Der Link von „${entry}“ wurde nicht geöffnet. ${reason}`,
    code: (entry, reason) => `Der Einmalcode von „${entry}“ wurde nicht kopiert. ${reason}`,
  },
};

export const SUGGESTION: Translation<typeof SUGGESTION_TEXTS> = {
  list: 'Vorschläge',
  recent: 'Zuletzt',
  favourites: 'Favoriten',
  searches: 'Suchen',
  newLogin: 'Neuer Zugang',
  chooseGroup: 'Wählen Sie die Gruppe, zu der er gehört.',
  noGroup: 'Sie dürfen in keiner Gruppe Einträge anlegen. Legen Sie zuerst eine eigene Gruppe an.',
  goOn: 'Weiter',
  unlock: 'Tresor entsperren',
  home: 'Start',
  formerMembers: 'Ausgeschiedene',
  groups: 'Gruppen',
  actions: 'Aktionen',
  entries: 'Einträge',
  similar: { group: 'Ähnliche Gruppen', entry: 'Ähnliche Einträge' },
  count: (count) =>
    count === 0
      ? 'Keine Vorschläge'
      : `${count} ${count === 1 ? 'Vorschlag' : 'Vorschläge'}, mit den Pfeiltasten wählen`,
  foot: 'durchsucht alle Einträge',
  footKey: 'Enter',
  failed: (reason) => `Die Suchvorschläge sind fehlgeschlagen: ${reason}`,
};

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

interface Counts {
  readonly entry_groups: number;
  readonly entries: number;
  readonly fields: number;
}

const countsText = ({ entry_groups, entries, fields }: Counts) =>
  [
    entry_groups > 0 ? counted(entry_groups, 'Gruppe', 'Gruppen') : '',
    entries > 0 ? counted(entries, 'Eintrag', 'Einträge') : '',
    fields > 0 ? counted(fields, 'Feld', 'Felder') : '',
  ]
    .filter(Boolean)
    .join(', ');

export const TRASH: Translation<typeof TRASH_TEXTS> = {
  page: 'Papierkorb',
  pageHint: 'Gelöschtes wiederherstellen und Ihre Änderungen rückgängig machen.',
  sections: 'Teile des Papierkorbs',
  deleted: 'Gelöscht',
  ofGroup: 'Papierkorb der Gruppe',
  tab: 'Papierkorb',
  list: 'Gelöscht',
  loading: 'Der Papierkorb wird geladen',
  failed: 'Der Papierkorb konnte nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  empty: 'der Papierkorb ist leer',
  emptyHint: 'Gelöschte Gruppen, Einträge und Felder bleiben hier, bis sie endgültig entfernt werden.',
  kinds: { entry_group: 'Gruppe', entry: 'Eintrag', field: 'Feld' },
  titleOf: (title, more) => (more === 0 ? title : `${title} und ${more} weitere`),
  counts: countsText,
  where: (group) => `in ${group}`,
  atRoot: 'ganz oben',
  who: (name) => `gelöscht von ${name}`,
  byNobody: 'gelöscht von einem früheren Benutzer',
  until: (time) => `kann bis ${time} wiederhergestellt werden`,
  showItems: (count) => `${count} Objekte anzeigen`,
  hideItems: (count) => `${count} Objekte verbergen`,
  items: (title) => `Objekte von ${title}`,
  restore: 'Wiederherstellen',
  restoreAsked: (title) => `„${title}“ wiederherstellen?`,
  restoreNamed: (title) => `${title} wiederherstellen`,
  restoring: 'Wird wiederhergestellt',
  restored: (title) => `„${title}“ wiederhergestellt`,
  purge: 'Endgültig löschen',
  purgeNamed: (title) => `${title} endgültig löschen`,
  purgeDialog: (title) => `${title} endgültig löschen?`,
  counting: 'Wird gezählt',
  countFailed: 'Die Objekte konnten nicht gezählt werden.',
  purgeText: ({ files, ...counts }) =>
    `Entfernt ${countsText(counts)}${files > 0 ? `, darunter ${counted(files, 'Datei', 'Dateien')},` : ''} mit allen Fassungen, für alle.`,
  emptyTrash: 'Papierkorb leeren',
  emptyTrashDialog: 'Papierkorb leeren?',
  emptyTrashWhat: (items, ofGroup) =>
    `${counted(items, 'gelöschtes Objekt', 'gelöschte Objekte')} ${ofGroup ? 'dieser Gruppe' : 'aller Gruppen, in denen Sie Admin sind,'} ${items === 1 ? 'wird' : 'werden'} endgültig entfernt.`,
  emptied: 'Der Papierkorb wurde geleert',
  purgeLast: 'Das kann nicht rückgängig gemacht werden.',
  purging: 'Wird gelöscht',
  purged: (title) => `„${title}“ endgültig gelöscht`,
  cancel: 'Abbrechen',

  changes: 'Ihre Änderungen',
  changesLoading: 'Ihre Änderungen werden geladen',
  changesFailed: 'Ihre Änderungen konnten nicht geladen werden.',
  changesEmpty: 'nichts rückgängig zu machen',
  changesEmptyHint:
    'Ihre neuen Einträge, Verschiebungen, Umbenennungen und Importe stehen hier, solange sie rückgängig gemacht werden können.',
  undo: 'Rückgängig',
  undoNamed: (what) => `Rückgängig machen: ${what}`,
  undoing: 'Wird rückgängig gemacht',
  undone: (what) => `Rückgängig gemacht: ${what}`,
  undoneExcept: (what, count) => `Rückgängig gemacht: ${what}. Seitdem geändert und deshalb geblieben: ${count}.`,
  undoUntil: (time) => `kann bis ${time} rückgängig gemacht werden`,
  undoImportAction: (name) => `den Import in „${name}“ rückgängig zu machen`,
  undoMoveAction: (group) => `die Einträge zurück nach „${group}“ zu verschieben`,
  unknownGroup: 'eine Gruppe, die Sie nicht sehen',
  theRoot: 'ganz oben',
  groupNamed: (title) => `„${title}“`,
  renamed: (kind, from, to) => `${kind === 'entry_group' ? 'Gruppe' : 'Eintrag'} „${from}“ in „${to}“ umbenannt`,
  movedGroup: (title, from, to) => `Gruppe „${title}“ verschoben: von ${from} nach ${to}`,
  movedEntries: (title, more, from, to) =>
    more === 0
      ? `Eintrag „${title}“ verschoben: von ${from} nach ${to}`
      : `Eintrag „${title}“ und ${more} weitere verschoben: von ${from} nach ${to}`,
  imported: (name) => `Import in „${name}“`,
};

export const UNDO: Translation<typeof UNDO_TEXTS> = {
  undo: 'Rückgängig',
  failed: (reason) => `Es konnte nicht rückgängig gemacht werden: ${reason}`,
};

export const ACTIVITY_LOG: Translation<typeof ACTIVITY_LOG_TEXTS> = {
  title: 'Aktivitäten',
  count: (shown, kept) => `${shown} von ${kept}`,
  close: 'Schließen',
  empty: 'Noch ist nichts geschehen',
};

export const CLIPBOARD: Translation<typeof CLIPBOARD_TEXTS> = {
  clears: (seconds) => `Zwischenablage wird in ${seconds} s geleert`,
  clearsOnReturn: 'Zwischenablage wird geleert, wenn Sie zu dieser Seite zurückkehren',
};
