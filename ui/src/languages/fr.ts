import type { UI_TEXTS } from '../texts.ts';

export const UI: typeof UI_TEXTS = {
  close: 'Fermer',
  dismiss: 'Masquer',
  notices: 'Avis',
  optional: 'facultatif',
  showTyped: 'Afficher',
  hideTyped: 'Masquer',
  pages: 'Pages',
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',
  page: (page) => `Page ${page}`,
  shown: (from, to, total) => `${from}–${to} sur ${total}`,
};
