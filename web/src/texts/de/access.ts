import type { Translation } from '@passwordbroker/core/texts';
import type { ACCESS_TEXTS, PREVIEW_TEXTS } from '../groups/access.ts';

const people = (count: number) => `${count} ${count === 1 ? 'Person' : 'Personen'}`;
const of = (opened: number, values: number) =>
  `${opened === 0 ? 'keinen' : opened} von ${values} ${values === 1 ? 'Wert' : 'Werten'}`;

export const ACCESS: Translation<typeof ACCESS_TEXTS> = {
  title: (what) => `Wer „${what}“ sehen kann`,
  loading: 'Wird geladen: wer dies sehen kann',
  failed: 'Wer dies sehen kann, konnte nicht geladen werden.',
  retry: 'Noch einmal versuchen',
  search: 'Person suchen',
  searchHint: 'Findet auch Personen, die dies nicht lesen können, und sagt warum.',
  people: 'Personen',
  found: (count) => `${people(count)} gefunden`,
  searching: 'Wird gesucht',
  nobody: 'Niemand gefunden.',
  more: (count) => `Und ${count} weitere. Geben Sie einen Namen ein, um sie zu finden.`,
  reads: (name, role, group) => `${name} kann dies lesen: ${role} von ${group}.`,
  youRead: (role, group) => `Sie können dies lesen: ${role} von ${group}.`,
  cannot: (name, group) => `${name} kann dies nicht lesen: kein Mitglied von ${group}.`,
  opened: (opened, values) => `Hat ${of(opened, values)} geöffnet.`,
  openedLast: (opened, values, last) => `Hat ${of(opened, values)} geöffnet, zuletzt ${last}.`,
  youOpened: (opened, values) => `Sie haben ${of(opened, values)} geöffnet.`,
  inCopies: (count) => `${count} davon nur in einer Offline-Kopie.`,
  unsigned: (name) =>
    `Der Server führt ${name} auf, aber kein Admin hat das unterschrieben. ${name} erhält keine Schlüssel.`,
  otherRole: (role) => `In der unterschriebenen Liste steht: ${role}.`,
  missing: (count) => `Der Server zeigt ${people(count)} von der unterschriebenen Liste nicht.`,
  same: 'Mit der unterschriebenen Liste verglichen: dieselben Personen und Rollen.',
  notCompared: 'Noch nicht mit der unterschriebenen Liste verglichen. Entsperren Sie dazu den Tresor.',
  noList: 'Diese Gruppe hat noch keine unterschriebene Liste.',
};

export const PREVIEW: Translation<typeof PREVIEW_TEXTS> = {
  computing: 'Wird berechnet: was sich ändert',
  failed: 'Was sich ändert, konnte nicht berechnet werden.',
  nobody: 'Für niemanden ändert sich der Zugang.',
  you: 'Sie',
  people: (names, more) => {
    if (more > 0) return `${names.join(', ')} und ${more} weitere`;
    return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' und ');
  },
  gains: (names, entries) =>
    entries === 0
      ? `Zugang erhält: ${names}.`
      : `Zugang zu ${entries} ${entries === 1 ? 'Eintrag' : 'Einträgen'} erhält: ${names}.`,
  loses: (names) => `Zugang verliert: ${names}.`,
  known: (values) =>
    values === 1
      ? '1 Wert wurde hier geöffnet: Ändern Sie ihn.'
      : `${values} Werte wurden hier geöffnet: Ändern Sie diese.`,
  changes: (names, groups) =>
    groups === 1 ? `Andere Rolle: ${names}.` : `Andere Rolle in ${groups} Gruppen: ${names}.`,
  names: (count, group) => {
    const who = count === 1 ? '1 Person wird' : `${count} Personen werden`;
    return `${who} den Namen ${group === null ? 'des neuen Orts' : `„${group}“`} sehen.`;
  },
  lastAdmin: 'Die Rolle des letzten Admins lässt sich nicht ändern.',
  othersBelow: 'Untergruppen, die Sie nicht verwalten, werden mit verschoben.',
  refusedBelow: 'Sie verwalten nicht alle Untergruppen, daher wird dies abgewiesen.',
};
