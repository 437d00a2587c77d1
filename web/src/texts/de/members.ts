import type { Translation } from '@passwordbroker/core/texts';
import type { FORMER_MEMBER_TEXTS, MEMBER_TEXTS } from '../groups/members.ts';
import type { JOINED_TEXTS } from '../groups/joined.ts';
import type { SHARING_TEXTS } from '../groups/sharing.ts';

const groups = (count: number) => `${count} ${count === 1 ? 'Gruppe' : 'Gruppen'}`;
const values = (count: number) => `${count} ${count === 1 ? 'Wert' : 'Werte'}`;
const left = (count: number) => `Angehalten: ${groups(count)} blieben, wie sie waren.`;

export const MEMBER: Translation<typeof MEMBER_TEXTS> = {
  tab: 'Benutzer',
  table: 'Benutzer der Gruppe',
  columns: { user: 'Benutzer', role: 'Rolle', since: 'Rolle seit', remove: 'Entfernen' },
  you: 'Sie',
  noRemove: 'kann nicht entfernt werden',
  loading: 'Benutzer werden geladen',
  failed: 'Die Benutzer konnten nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',

  addNew: 'Benutzer hinzufügen',
  addHint: 'Suche nach Namen. Wer schon Mitglied ist, steht nicht in der Liste.',
  addAs: (role) => `hinzufügen als ${role}`,
  addLabel: (name, role) => `hinzufügen als ${role}: ${name}`,
  found: 'Gefundene Personen',
  searching: 'Wird gesucht',
  foundCount: (count) => (count === 1 ? '1 Person gefunden' : `${count} Personen gefunden`),
  foundMore: (count) => `Das sind die ersten ${count}. Geben Sie mehr vom Namen ein, um andere zu sehen.`,
  nobody: 'Niemand gefunden. Ohne Konto? Bitten Sie einen Site-Admin um eine Einladung.',
  searchFailed: (reason) => `Die Suche nach Personen ist fehlgeschlagen: ${reason}`,
  addAction: (name) => `${name} hinzuzufügen`,
  adding: (name) => `${name} wird hinzugefügt`,
  added: (name, role, count) => `${name} als ${role} hinzugefügt${count > 1 ? ` in ${groups(count)}` : ''}`,
  noKeys: (name) =>
    `${name} hat noch keine Schlüssel. Diese Person muss sich einmal anmelden und den Tresor entsperren, bevor Sie teilen können.`,

  alsoBelow: (count) =>
    count === 1
      ? 'Auch in der Untergruppe, in der Sie Admin sind'
      : `Auch in den ${count} Untergruppen, in denen Sie Admin sind`,

  changeRole: (name) => `Rolle von ${name}`,
  changeTo: (role) => `Ändern zu ${role}`,
  isNow: (role) => `${role} (jetzige Rolle)`,
  changeTitle: (name, role) => `${name}: Rolle ${role}?`,
  roleMeans: {
    admin: (name) =>
      `${name} wird hier alles sehen, bearbeiten und löschen, Personen hinzufügen und entfernen und kann nicht mehr entfernt werden.`,
    moderator: (name) =>
      `${name} wird Einträge sehen, bearbeiten, verschieben und löschen und kann keine Personen hinzufügen oder entfernen.`,
    member: (name) => `${name} wird Werte sehen, kopieren und herunterladen und kann nichts ändern.`,
  },
  change: 'Rolle ändern',
  changing: 'Wird geändert',
  changeAction: (name) => `die Rolle von ${name} zu ändern`,
  changed: (name, role, count) => `${name} ist jetzt ${role}${count > 1 ? ` in ${groups(count)}` : ''}`,

  remove: (name) => `${name} entfernen`,
  removeTitle: (name, group) => `${name} aus ${group} entfernen?`,
  removeMeans: (name) => [
    `${name} verliert sofort den Zugang zu dieser Gruppe.`,
    `Dann erhält die Gruppe einen neuen Schlüssel. Was danach gespeichert wird, lässt sich mit den Schlüsseln von ${name} nicht öffnen.`,
    `${name} hat vielleicht Kopien des Geöffneten. Ändern Sie diese Geheimnisse; sie stehen unter „Ausgeschiedene“.`,
  ],
  removeShort: 'Entfernen',
  removing: 'Wird entfernt',
  removeAction: (name) => `${name} zu entfernen`,
  removed: (name, count) => `${name} entfernt${count > 1 ? ` aus ${groups(count)}` : ''}`,

  working: (done, total) => `Gruppe ${Math.min(done + 1, total)} von ${total}`,
  stop: 'Anhalten',
  stopped: left,
  failedIn: (count) => `In ${groups(count)} ist es fehlgeschlagen:`,
  notEverywhere: (action, failed, leftOver) =>
    [
      `Nicht in allen Gruppen erledigt: ${action}.`,
      ...(failed === 0 ? [] : [`In ${groups(failed)} ist es fehlgeschlagen.`]),
      ...(leftOver === 0 ? [] : [left(leftOver)]),
    ].join(' '),
  failedWhere: (group, reason) => `${group}: ${reason}`,
  andMore: (count) => `und ${groups(count)} mehr`,
  skipped: {
    'not-member': (count) => `In ${groups(count)} kein Mitglied.`,
    'same-role': (count) => `Hat diese Rolle schon in ${groups(count)}.`,
    'other-role': (count) => `In ${groups(count)} schon mit einer anderen Rolle, die nicht geändert wurde.`,
    admin: (count) => `Ist Admin in ${groups(count)}; ein Admin kann nicht entfernt werden.`,
  },
  again: 'Diese noch einmal versuchen',
};

export const FORMER_MEMBER: Translation<typeof FORMER_MEMBER_TEXTS> = {
  page: 'Ausgeschiedene',
  pageHint:
    'Personen, die Ihre Gruppen verlassen haben, und die Geheimnisse, die sie geöffnet haben. Ändern Sie diese.',
  title: 'Ausgeschiedene',
  list: 'Ausgeschiedene Personen',
  loading: 'Frühere Mitglieder werden geladen',
  failed: 'Die früheren Mitglieder konnten nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  empty: 'niemand ist ausgeschieden',
  emptyHint: 'Hier stehen Personen, die aus Gruppen entfernt wurden, in denen Sie Admin sind.',
  wasRole: (name, role) =>
    `${name} war ${{ admin: 'Admin', moderator: 'Moderator', member: 'Mitglied' }[role]}, bis die Schlüssel zurückgesetzt wurden`,
  addAgain: 'Wieder hinzufügen',
  addAgainNamed: (name) => `Wieder hinzufügen: ${name}`,
  addAgainTitle: (name) => `${name} wieder hinzufügen`,
  addAgainOthers: (count) =>
    `Auch zu ${count} ${count === 1 ? 'anderen Gruppe' : 'anderen Gruppen'}, in denen Sie Admin sind`,
  addAgainIn: 'Gruppen und Rollen wie zuvor',
  addedAgain: (name) => `${name} ist wieder da`,
  causes: { removed: 'entfernt', deleted: 'Konto gelöscht', reset: 'Konto zurückgesetzt' },
  from: (group) => `aus ${group}`,
  progress: (done, all) => (all === 0 ? 'nichts zu ändern' : `${done} von ${all} geändert`),
  cut: 'Nur die letzten 2.000 ausgeschiedenen Personen werden gezeigt.',
  changeNow: 'Ändern',
  changeNamed: (field, entry) => `${field} von ${entry} ändern`,
  gone: 'Dieses Feld wurde inzwischen verschoben oder gelöscht.',
  within: (group) => `in ${group}`,
  others: 'Gruppen, die andere verwalten',
  othersHint: (name) =>
    `${name} ist dort noch Mitglied. Bitten Sie einen Admin der Gruppe, diese Person zu entfernen und zu ändern, was sie gesehen hat.`,
  ask: (names) => (names.length === 0 ? 'sie hat keinen anderen Admin' : `fragen Sie ${names.join(' oder ')}`),
  more: (name) => `Was ${name} geöffnet hat`,
  show: 'Anzeigen',
  less: 'Verbergen',

  rows: (name) => `Geöffnet von ${name}`,
  columns: { entry: 'Eintrag', field: 'Feld', opened: 'Geöffnet', state: 'Stand' },
  rowsLoading: 'Die geöffneten Geheimnisse werden geladen',
  rowsFailed: 'Die geöffneten Geheimnisse konnten nicht geladen werden.',
  nothing: 'Hier wurde nichts geöffnet.',
  how: { revealed: 'angezeigt', offline: 'in einer Offline-Kopie', written: 'geschrieben' },
  change: 'ändern Sie dies',
  changed: 'seither geändert',
  trashed: 'im Papierkorb',
  untitled: 'ohne Titel',
  openedBy: (name, count) =>
    count === 0
      ? `${name} hat in dieser Gruppe nichts geöffnet.`
      : `${name} hat in dieser Gruppe ${values(count)} geöffnet`,
  export: 'Als CSV exportieren',
  exportName: (name) => `geöffnet von ${name}.csv`,
  exported: (name) => `Liste gespeichert: was ${name} geöffnet hat`,
  csv: ['Person', 'Gruppe', 'Eintrag', 'Feld', 'Art', 'Geöffnet am', 'Wie', 'Stand'],
  inAllGroups: (name) => `${name} in allen Gruppen`,
  onePerson: 'Eine Person wird gezeigt.',
  everybody: 'Alle zeigen',
  allGroups: 'Ausgeschiedene aller Gruppen',
};

export const SHARING: Translation<typeof SHARING_TEXTS> = {
  share: 'Teilen',
  shareLabel: (group) => `„${group}“ teilen`,
  search: 'Personen suchen',
  choose: (name) => `${name} auswählen`,
  chosen: 'Personen, mit denen geteilt wird',
  role: 'Rolle',
  they: 'Jede dieser Personen',
  drop: (name) => `${name} weglassen`,
  lookingUp: 'Der Schlüssel wird nachgesehen',
  lookUpAgain: (name) => `Den Schlüssel von ${name} noch einmal nachsehen`,
  compareText:
    'Vergleichen Sie mit jeder Person die acht Wörter, am Telefon oder im selben Raum: Sie stehen unter „Ihre Schlüsselwörter“ im Menü mit dem Schloss.',
  laterText:
    'Sie können auch jetzt teilen und später vergleichen. Bis dahin zeigt die Liste der Benutzer „vorläufig vertraut“.',
  strictText: 'Hier können Sie nur mit Personen teilen, deren Wörter Sie verglichen haben.',
  later: 'Jetzt teilen, später vergleichen',
  now: 'Jetzt teilen',
  sharing: 'Wird geteilt',
  waiting: 'wartet',
  done: 'geteilt',
  failed: 'nicht geteilt',
  stop: 'Anhalten',
  again: 'Diese noch einmal versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  nobodyChosen: 'Wählen Sie mindestens eine Person.',
  keyUnknown: (name) => `Der Schlüssel von ${name} ist noch nicht bekannt.`,
  compareFirst: (name) => `Vergleichen Sie zuerst die Wörter mit ${name}, oder lassen Sie ${name} weg.`,
  progress: (done, all) => `Mit ${done} von ${all} ${all === 1 ? 'Person' : 'Personen'} geteilt`,
};

export const JOINED: Translation<typeof JOINED_TEXTS> = {
  title: 'Neu dabei',
  row: (name, shares) =>
    shares.length === 0
      ? `${name} hat die Einladung angenommen.`
      : `${name} hat die Einladung angenommen. Teilen: ${shares.join(', ')}`,
  inRole: (group, role) => `${group} (${role})`,
  roles: { admin: 'Admin', moderator: 'Moderator', member: 'Mitglied' },
  leftOut: (count) =>
    count === 1
      ? 'Eine Gruppe fehlt hier: Es gibt sie nicht mehr, oder Sie verwalten sie nicht mehr.'
      : `${count} Gruppen fehlen hier: Es gibt sie nicht mehr, oder Sie verwalten sie nicht mehr.`,
  share: 'Teilen',
  shareWith: (name) => `Mit ${name} teilen`,
  toShare: 'Gruppen zum Teilen',
  shared: (name, count) => `${groups(count)} mit ${name} geteilt`,
  dismiss: (name) => `Nicht mehr daran erinnern, mit ${name} zu teilen`,
  dismissed: (name) => `Sie werden nicht mehr daran erinnert, mit ${name} zu teilen`,
  failed: (reason) => `Die Erinnerung konnte nicht entfernt werden. ${reason}`,
};
