import type { UI_TEXTS } from '../texts.ts';

export const UI: typeof UI_TEXTS = {
  close: 'Schließen',
  dismiss: 'Ausblenden',
  notices: 'Hinweise',
  optional: 'freiwillig',
  showTyped: 'Anzeigen',
  hideTyped: 'Verbergen',
  pages: 'Seiten',
  previousPage: 'Vorige Seite',
  nextPage: 'Nächste Seite',
  page: (page) => `Seite ${page}`,
  shown: (from, to, total) => `${from}–${to} von ${total}`,
};
