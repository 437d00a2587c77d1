/** The French texts of duplicates in an import. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { DUPLICATE_TEXTS } from '../../entries/duplicates.ts';

const DUPLICATES: Translation<typeof DUPLICATE_TEXTS> = {
  same: (count) =>
    count === 1
      ? '1 entrée ressemble à une entrée que vous avez déjà'
      : `${count} entrées ressemblent à des entrées que vous avez déjà`,
  forAll: 'Toutes les entrées qui ressemblent à des entrées existantes',
  skip: 'Ignorer',
  addAsNew: 'Ajouter quand même',
  revise: 'Nouvelle version',
  reviseHint:
    'Les valeurs actuelles sont ouvertes ici, ce que leur historique enregistre. Les valeurs identiques sont ignorées, les autres reçoivent une nouvelle version, et rien n’est supprimé.',
  exceptions: 'Décider une par une',
  compare: 'Comparer d’abord les valeurs',
  compareHint: (count) =>
    count === 1
      ? 'Cela ouvre ici au plus 1 valeur ; son historique l’enregistre.'
      : `Cela ouvre ici au plus ${count} valeurs ; l’historique de chacune l’enregistre.`,
  comparing: (done, total) => `${done} sur ${total} valeurs comparées`,
  stop: 'Arrêter',
  compared: (equal, differing) =>
    `${equal} ${equal === 1 ? 'est identique et sera ignorée' : 'sont identiques et seront ignorées'}. ${differing} ${differing === 1 ? 'diffère' : 'diffèrent'}.`,
  equal: 'identique, ignorée',
  differs: (titles) => `diffère : ${titles}`,
  elsewhere: (count) =>
    count === 1
      ? '1 entrée ressemble à une entrée d’un autre groupe'
      : `${count} entrées ressemblent à des entrées d’autres groupes`,
  elsewhereHint: 'Elles sont ajoutées, sauf si vous les ignorez.',
  isIn: (group) => `dans « ${group} »`,
  andMore: (count) => `et ${count} de plus`,
};

export const DUPLICATE_CATALOGUES: Readonly<Record<string, object>> = { duplicates: DUPLICATES };

/** Before the English ones are loaded. */
export const translateDuplicates = (): void => translateMore(DUPLICATE_CATALOGUES, (otherwise) => otherwise);
