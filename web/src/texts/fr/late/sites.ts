/** The French texts of site rules. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { SITE_TEXTS } from '../../entries/sites.ts';

const links = (count: number) => (count < 2 ? `${count} lien` : `${count} liens`);

const SITES: Translation<typeof SITE_TEXTS> = {
  title: 'Préparer les liens pour l’extension du navigateur',
  unprepared: (count) =>
    count === 1
      ? 'Un lien de ce groupe n’a pas encore de règle de site. Pour l’établir, ce navigateur ouvre le lien une fois ; son historique l’indique.'
      : `${count} liens de ce groupe n’ont pas encore de règle de site. Pour les établir, ce navigateur ouvre ces liens une fois ; leur historique l’indique.`,
  allPrepared: 'Chaque lien de ce groupe a une règle de site.',
  prepare: 'Ouvrir et préparer',
  pendingAction: 'préparer des liens',
  progress: (done, total) => `${done} sur ${total}`,
  preparing: 'Préparation',
  cancel: 'Annuler',
  prepared: (count) => `${links(count)} ${count < 2 ? 'préparé' : 'préparés'}.`,
  preparedAndOthers: (count, others) =>
    `${links(count)} ${count < 2 ? 'préparé' : 'préparés'}, ${others} ${others < 2 ? 'n’est pas une adresse web' : 'ne sont pas des adresses web'}.`,
  cancelled: 'Annulé. Ce qui a été préparé reste.',
};

export const SITE_CATALOGUES: Readonly<Record<string, object>> = { sites: SITES };

/** Before the English ones are loaded. */
export const translateSites = (): void => translateMore(SITE_CATALOGUES, (otherwise) => otherwise);
