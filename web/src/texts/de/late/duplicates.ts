/** The German texts of duplicates in an import. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { DUPLICATE_TEXTS } from '../../entries/duplicates.ts';

const DUPLICATES: Translation<typeof DUPLICATE_TEXTS> = {
  same: (count) =>
    count === 1 ? '1 Eintrag sieht aus wie ein vorhandener' : `${count} Einträge sehen aus wie vorhandene`,
  forAll: 'Alle Einträge, die wie vorhandene aussehen',
  skip: 'Überspringen',
  addAsNew: 'Neu anlegen',
  revise: 'Neue Fassung',
  reviseHint:
    'Die jetzigen Werte werden hier geöffnet, was ihr Verlauf festhält. Gleiche werden übersprungen, andere bekommen eine neue Fassung, nichts wird entfernt.',
  exceptions: 'Einzeln entscheiden',
  compare: 'Erst die Werte vergleichen',
  compareHint: (count) =>
    count === 1
      ? 'Das öffnet hier höchstens 1 Wert; sein Verlauf hält es fest.'
      : `Das öffnet hier höchstens ${count} Werte; der Verlauf jedes Wertes hält es fest.`,
  comparing: (done, total) => `${done} von ${total} Werten verglichen`,
  stop: 'Abbrechen',
  compared: (equal, differing) =>
    `${equal} ${equal === 1 ? 'ist gleich und wird' : 'sind gleich und werden'} übersprungen. ${differing} ${differing === 1 ? 'weicht' : 'weichen'} ab.`,
  equal: 'gleich, wird übersprungen',
  differs: (titles) => `weicht ab: ${titles}`,
  elsewhere: (count) =>
    count === 1
      ? '1 Eintrag gleicht einem Eintrag in einer anderen Gruppe'
      : `${count} Einträge gleichen Einträgen in anderen Gruppen`,
  elsewhereHint: 'Diese Einträge werden neu angelegt, außer Sie überspringen sie.',
  isIn: (group) => `in „${group}“`,
  andMore: (count) => `und ${count} weitere`,
};

export const DUPLICATE_CATALOGUES: Readonly<Record<string, object>> = { duplicates: DUPLICATES };

/** Before the English ones are loaded. */
export const translateDuplicates = (): void => translateMore(DUPLICATE_CATALOGUES, (otherwise) => otherwise);
