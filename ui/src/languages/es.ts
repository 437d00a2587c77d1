import type { UI_TEXTS } from '../texts.ts';

export const UI: typeof UI_TEXTS = {
  close: 'Cerrar',
  dismiss: 'Ocultar',
  notices: 'Avisos',
  optional: 'voluntario',
  showTyped: 'Mostrar',
  hideTyped: 'Ocultar',
  pages: 'Páginas',
  previousPage: 'Página anterior',
  nextPage: 'Página siguiente',
  page: (page) => `Página ${page}`,
  shown: (from, to, total) => `${from}–${to} de ${total}`,
};
