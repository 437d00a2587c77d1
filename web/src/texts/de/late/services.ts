/** The German texts of service accounts. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { SERVICE_TEXTS } from '../../identity/services.ts';

const inDays = (count: number) => (count === 1 ? '1 Tag' : `${count} Tagen`);
const groups = (count: number) => (count === 1 ? '1 Gruppe' : `${count} Gruppen`);

const SERVICES: Translation<typeof SERVICE_TEXTS> = {
  title: 'Dienstkonten',
  hint: 'Konten von Programmen, zum Beispiel einer Pipeline. Jedes öffnet die Werte ausgewählter Gruppen mit einem Geheimnis, seinen Zugangsdaten.',
  siteHint: 'Alle Konten von Programmen auf dieser Site.',
  off: 'Dienstkonten sind auf dieser Site ausgeschaltet: Sie können sich nicht anmelden, und niemand kann eines erstellen.',
  failed: 'Die Dienstkonten konnten nicht geladen werden',
  empty: 'Keine Dienstkonten',
  search: 'Dienstkonten suchen',
  searchHint: 'Nach Name, Beschreibung oder Inhaber',
  noneFound: 'Kein Dienstkonto passt dazu.',
  left: (count, name) =>
    count === 1
      ? `1 Dienstkonto gehörte ${name}. Erneuern Sie seine Zugangsdaten, oder löschen Sie es.`
      : `${count} Dienstkonten gehörten ${name}. Erneuern Sie ihre Zugangsdaten, oder löschen Sie sie.`,

  states: {
    used: 'in Gebrauch',
    unused: (count) => `seit ${inDays(count)} nicht verwendet`,
    fresh: 'noch nicht verwendet',
    ending: (count) => (count === 0 ? 'endet heute' : `endet in ${inDays(count)}`),
    ended: 'beendet',
    disabled: 'deaktiviert',
    noOwner: 'ohne Inhaber',
    due: 'Zugangsdaten eines früheren Inhabers',
  },
  mark: 'Dienst',
  readOnly: 'nur lesend',
  owner: (name) => `Inhaber: ${name}`,
  groups,
  networks: (list) => `nur von ${list}`,
  credentials: (name) => `Zugangsdaten von ${name}`,
  credentialOf: (time) => `Zugangsdaten vom ${time}`,
  usedAt: (time, address) =>
    address === null ? `zuletzt verwendet ${time}` : `zuletzt verwendet ${time} von ${address}`,
  neverUsed: 'noch nicht verwendet',
  until: (time) => `enden ${time}`,

  more: (name) => `Mehr zu ${name}`,
  cancel: 'Abbrechen',

  add: 'Hinzufügen',
  addTitle: 'Neues Dienstkonto',
  addAction: 'ein Dienstkonto erstellen',
  create: 'Erstellen',
  creating: 'Wird erstellt',
  name: 'Name',
  nameHint: 'Verläufe und Mitgliederlisten zeigen ihn.',
  description: 'Beschreibung',
  days: 'Tage, bis die Zugangsdaten enden',
  daysHint: (most) => `1 bis ${most}`,
  networksLabel: 'Netze',
  networksHint: 'Adressen und Bereiche wie 10.0.0.0/8. Ohne Angabe ist die Verwendung von überall erlaubt.',
  removeNetwork: (network) => `${network} entfernen`,
  wrongNetwork: (network, reason) => `${network}: ${reason}`,
  groupsLabel: 'Gruppen, die es lesen darf',
  groupsHint: 'Gruppen, die Sie verwalten. Weitere fügen Sie auf dem Tab „Benutzer“ einer Gruppe hinzu.',
  addGroup: 'Gruppe hinzufügen',
  chooseGroup: 'Gruppe auswählen',
  takeGroup: 'Diese Gruppe hinzufügen',
  removeGroup: (title) => `${title} entfernen`,

  change: 'Ändern',
  changeTitle: (name) => `${name} ändern`,
  save: 'Speichern',
  saving: 'Wird gespeichert',
  changed: (name) => `Dienstkonto ${name} geändert`,
  disable: 'Deaktiviert',
  disableHint: 'Programme, die es verwenden, werden abgewiesen, bis Sie es wieder aktivieren.',

  renew: 'Neue Zugangsdaten',
  renewTitle: (name) => `Neue Zugangsdaten für ${name}`,
  renewText: (count) =>
    count === 0
      ? 'Es bekommt neue Schlüssel: Die jetzigen Zugangsdaten enden sofort.'
      : `Es bekommt neue Schlüssel: Die jetzigen Zugangsdaten enden sofort, Sie fügen es wieder zu ${count === 1 ? 'seiner Gruppe' : `seinen ${count} Gruppen`} hinzu, und ${count === 1 ? 'diese bekommt' : 'diese bekommen'} neue Schlüssel.`,
  renewHint: 'Solange das Programm gültige Zugangsdaten hat, ersetzt „pb service rotate“ sie ohne Unterbrechung.',
  renewAction: 'neue Zugangsdaten erstellen',
  onlyOwner: 'Das kann nur der Inhaber. Ändern Sie zuerst den Inhaber.',
  renewing: 'Werden erstellt',

  giveTo: 'Inhaber ändern',
  giveTitle: (name) => `Inhaber von ${name}`,
  giveText: 'Der Inhaber erstellt neue Zugangsdaten, ändert und löscht das Konto.',
  person: 'Person suchen',
  take: (name) => `${name} zum Inhaber machen`,
  takeShort: 'Zum Inhaber machen',
  searching: 'Wird gesucht',
  nobody: 'Niemand gefunden.',
  given: (name, owner) => `${name} gehört jetzt ${owner}`,

  end: 'Beenden',
  endNamed: (time, name) => `Beenden: Zugangsdaten von ${name} vom ${time}`,
  endTitle: (name) => `Zugangsdaten von ${name} beenden?`,
  endText: 'Programme, die sie verwenden, werden sofort abgewiesen.',
  ending: 'Werden beendet',
  ended: 'Zugangsdaten beendet',

  remove: 'Löschen',
  removeTitle: (name) => `${name} löschen?`,
  removeText: (count) =>
    count === 0
      ? 'Programme, die es verwenden, werden sofort abgewiesen.'
      : `Programme, die es verwenden, werden sofort abgewiesen. Es verlässt ${count === 1 ? 'seine Gruppe, die neue Schlüssel bekommt' : `seine ${count} Gruppen, die neue Schlüssel bekommen`}.`,
  removing: 'Wird gelöscht',
  removed: (name) => `Dienstkonto ${name} gelöscht`,

  made: (name) => `Zugangsdaten von ${name}`,
  once: 'Das wird nur einmal gezeigt. Legen Sie es als PB_SERVICE im Geheimnisspeicher Ihrer CI ab.',
  copy: 'Zugangsdaten kopieren',
  saveFile: 'Als Datei speichern',
  pinsHint: 'Setzen Sie auch dies: Dann gelten nur Mitgliederlisten, für die Ihr Schlüssel bürgt.',
  copyPins: 'Zeile kopieren',
  missed: 'Zu diesen Gruppen konnte es nicht hinzugefügt werden. Tun Sie es auf deren Tab „Benutzer“:',
  missedGroup: (title, reason) => `${title}: ${reason}`,
  stored: 'Ich habe sie gespeichert',
  done: 'Fertig',
};

export const SERVICE_CATALOGUES: Readonly<Record<string, object>> = { services: SERVICES };

/** Before the English ones are loaded. */
export const translateServices = (): void => translateMore(SERVICE_CATALOGUES, (otherwise) => otherwise);
