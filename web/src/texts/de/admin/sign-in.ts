import type { Translation } from '@passwordbroker/core/texts';
import type { ADMIN_SIGN_IN_TEXTS } from '../../admin/sign-in.ts';

export const ADMIN_SIGN_IN: Translation<typeof ADMIN_SIGN_IN_TEXTS> = {
  title: 'Anmeldung',
  secondFactor: 'Zweiter Faktor',
  secondFactorHint: 'Ein Code von einem Telefon, der zusätzlich zum Kontopasswort verlangt wird.',
  choices: {
    off: 'Nicht angeboten',
    optional: 'Alle dürfen einen einrichten',
    admins: 'Site-Admins müssen einen haben',
    all: 'Alle müssen einen haben',
  },
  without: (count) =>
    count === 0 ? 'Alle haben einen.' : `${count === 1 ? 'Eine Person hat' : `${count} Personen haben`} noch keinen.`,
  graceDays: 'Tage zum Einrichten',
  graceHint: 'Für Personen, die noch keinen haben. Danach richten sie ihn bei der nächsten Anmeldung ein. 0: sofort.',
  rememberDays: 'Tage, die ein Browser gemerkt wird',
  rememberHint: 'So lange kann ein Browser auf Wunsch ohne weitere Frage bleiben. 0: immer fragen.',

  marks: { none: 'Kein zweiter Faktor', reset: 'Wartet auf neuen zweiten Faktor' },
  verb: 'Zweite Faktoren zurücksetzen',
  reset: {
    title: (name) => `Zweite Faktoren von ${name} zurücksetzen?`,
    text: (name) =>
      `Alle Faktoren, Sitzungen und Token von ${name} enden. Sie erhalten einen Code, der 72 Stunden gilt: Geben Sie ihn persönlich weiter. Mit dem Kontopasswort kommt ${name} damit hinein und richtet einen neuen Faktor ein.`,
    confirm: 'Zweite Faktoren zurücksetzen',
    confirming: 'Wird zurückgesetzt',
    cancel: 'Abbrechen',
    shown: (name) => `Code für ${name}`,
    once: 'Nur jetzt zu sehen',
    until: (time) => `Gilt bis ${time}. Geben Sie ihn persönlich weiter.`,
    copy: 'Code kopieren',
    done: 'Fertig',
  },
};
