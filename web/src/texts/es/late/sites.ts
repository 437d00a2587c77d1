/** The Spanish texts of site rules. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { SITE_TEXTS } from '../../entries/sites.ts';

const links = (count: number) => (count === 1 ? '1 enlace' : `${count} enlaces`);

const SITES: Translation<typeof SITE_TEXTS> = {
  title: 'Preparar los enlaces para la extensión del navegador',
  unprepared: (count) =>
    count === 1
      ? 'Un enlace de este grupo aún no tiene regla de sitio. Para crearla, este navegador abre el enlace una vez; queda registrado en su historial.'
      : `${count} enlaces de este grupo aún no tienen regla de sitio. Para crearlas, este navegador abre estos enlaces una vez; queda registrado en su historial.`,
  allPrepared: 'Cada enlace de este grupo tiene una regla de sitio.',
  prepare: 'Abrir y preparar',
  pendingAction: 'preparar enlaces',
  progress: (done, total) => `${done} de ${total}`,
  preparing: 'Preparando',
  cancel: 'Cancelar',
  prepared: (count) => `${links(count)} ${count === 1 ? 'preparado' : 'preparados'}.`,
  preparedAndOthers: (count, others) =>
    `${links(count)} ${count === 1 ? 'preparado' : 'preparados'}; ${others} ${others === 1 ? 'no es una dirección web' : 'no son direcciones web'}.`,
  cancelled: 'Cancelado. Lo preparado se conserva.',
};

export const SITE_CATALOGUES: Readonly<Record<string, object>> = { sites: SITES };

/** Before the English ones are loaded. */
export const translateSites = (): void => translateMore(SITE_CATALOGUES, (otherwise) => otherwise);
