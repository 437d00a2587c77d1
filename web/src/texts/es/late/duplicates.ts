/** The Spanish texts of duplicates in an import. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { DUPLICATE_TEXTS } from '../../entries/duplicates.ts';

const DUPLICATES: Translation<typeof DUPLICATE_TEXTS> = {
  same: (count) =>
    count === 1 ? '1 entrada se parece a una existente' : `${count} entradas se parecen a otras existentes`,
  forAll: 'Todas las entradas que se parecen a otras existentes',
  skip: 'Omitir',
  addAsNew: 'Crear de todos modos',
  revise: 'Nueva versión',
  reviseHint:
    'Los valores actuales se abren aquí, lo que queda registrado en su historial. Los valores iguales se omiten, los demás reciben una versión nueva, y nada se elimina.',
  exceptions: 'Decidir una a una',
  compare: 'Comparar antes los valores',
  compareHint: (count) =>
    count === 1
      ? 'Esto abre aquí como mucho 1 valor; queda registrado en su historial.'
      : `Esto abre aquí como mucho ${count} valores; cada uno queda registrado en su historial.`,
  comparing: (done, total) => `${done} de ${total} valores comparados`,
  stop: 'Detener',
  compared: (equal, differing) =>
    `${equal} ${equal === 1 ? 'es igual y se omite' : 'son iguales y se omiten'}. ${differing} ${differing === 1 ? 'es distinta' : 'son distintas'}.`,
  equal: 'igual, se omite',
  differs: (titles) => `distinta en: ${titles}`,
  elsewhere: (count) =>
    count === 1 ? '1 entrada se parece a una de otro grupo' : `${count} entradas se parecen a entradas de otros grupos`,
  elsewhereHint: 'Se crean, salvo que las omita.',
  isIn: (group) => `en «${group}»`,
  andMore: (count) => `y ${count} más`,
};

export const DUPLICATE_CATALOGUES: Readonly<Record<string, object>> = { duplicates: DUPLICATES };

/** Before the English ones are loaded. */
export const translateDuplicates = (): void => translateMore(DUPLICATE_CATALOGUES, (otherwise) => otherwise);
