/** The German texts of site rules. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { SITE_TEXTS } from '../../entries/sites.ts';

const links = (count: number) => (count === 1 ? '1 Link' : `${count} Links`);

const SITES: Translation<typeof SITE_TEXTS> = {
  title: 'Links für die Browser-Erweiterung vorbereiten',
  unprepared: (count) =>
    count === 1
      ? 'Ein Link dieser Gruppe hat noch keine Website-Regel. Dafür öffnet dieser Browser den Link einmal; sein Verlauf verzeichnet das.'
      : `${count} Links dieser Gruppe haben noch keine Website-Regel. Dafür öffnet dieser Browser diese Links einmal; ihr Verlauf verzeichnet das.`,
  allPrepared: 'Jeder Link dieser Gruppe hat eine Website-Regel.',
  prepare: 'Öffnen und vorbereiten',
  pendingAction: 'Links vorbereiten',
  progress: (done, total) => `${done} von ${total}`,
  preparing: 'Bereitet vor',
  cancel: 'Abbrechen',
  prepared: (count) => `${links(count)} vorbereitet.`,
  preparedAndOthers: (count, others) =>
    `${links(count)} vorbereitet, ${others} ${others === 1 ? 'ist keine Webadresse' : 'sind keine Webadressen'}.`,
  cancelled: 'Abgebrochen. Was vorbereitet ist, bleibt.',
};

export const SITE_CATALOGUES: Readonly<Record<string, object>> = { sites: SITES };

/** Before the English ones are loaded. */
export const translateSites = (): void => translateMore(SITE_CATALOGUES, (otherwise) => otherwise);
