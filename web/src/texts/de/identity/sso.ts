import type { Translation } from '@passwordbroker/core/texts';
import type { SSO_TEXTS } from '../../identity/sso.ts';

export const SSO: Translation<typeof SSO_TEXTS> = {
  continueWith: (name) => `Weiter mit ${name}`,
  leaving: (name) => `Weiterleitung zu ${name}`,
  withPassword: 'Mit einem Passwort anmelden',
  otherWays: 'Andere Wege der Anmeldung',
  opensNothing: 'Single Sign-on sagt, wer Sie sind. Ihren Tresor öffnet Ihr Masterpasswort oder einer Ihrer Passkeys.',
  working: 'Sie werden angemeldet',
  refused: 'Sie sind nicht angemeldet',
  notLinked: 'Ihr Konto ist nicht verknüpft',
  back: 'Zurück',
  signInToLink: 'Anmelden und verknüpfen',
  notNow: 'Nicht jetzt',
  question: 'Konto verknüpfen?',
  questionText: (address, name, user) =>
    address === null
      ? `Ihre Anmeldung bei ${name} mit dem Konto von ${user} verknüpfen?`
      : `${address} bei ${name} mit dem Konto von ${user} verknüpfen?`,
  questionHint: (name) => `Wer sich dort anmelden kann, kann sich dann auch hier mit ${name} anmelden.`,
  link: 'Verknüpfen',
  linking: 'Wird verknüpft',
  linked: (name) => `Sie können sich jetzt mit ${name} anmelden`,
  invite: {
    text: (address) => `Die Einladung gilt für ${address}. Melden Sie sich mit dieser Adresse an.`,
    password: 'Stattdessen ein Passwort wählen',
    again: 'Öffnen Sie den Link der Einladung erneut, um es noch einmal zu versuchen.',
  },
  confirm: {
    title: 'Melden Sie sich zuerst erneut an',
    subtitle: 'Ihre Anmeldung ist mehr als zehn Minuten her.',
    text: 'Sie kommen hierher zurück; Ihr Tresor wird gesperrt. Beginnen Sie dann noch einmal, was Sie tun wollten.',
    none: 'Sie können hier nicht bestätigen, dass Sie es sind. Melden Sie sich ab und wieder an.',
    cancel: 'Abbrechen',
    failed: 'Sie haben sich nicht erneut angemeldet',
    done: 'Sie haben sich erneut angemeldet. Beginnen Sie noch einmal, was Sie tun wollten.',
  },
  required: {
    title: 'Verknüpfen Sie zuerst Ihr Konto',
    text: 'Auf dieser Site meldet man sich mit Single Sign-on an. Verknüpfen Sie Ihr Konto einmal. Ihr Tresor ist, wie Sie ihn verlassen haben.',
    logOut: 'Abmelden',
  },
  links: {
    title: 'Single Sign-on',
    failed: 'Ihre verknüpften Anmeldungen konnten nicht geladen werden',
    none: 'Nicht verknüpft',
    linkedAs: (address) => `verknüpft als ${address}`,
    since: (time) => `seit ${time}`,
    lastUsed: (time) => `zuletzt verwendet ${time}`,
    neverUsed: 'noch nicht verwendet',
    linkNamed: (name) => `Verknüpfen: ${name}`,
    linkHint:
      'Zum Verknüpfen verlassen Sie diese Seite, und Ihr Tresor wird gesperrt. Danach kommen Sie hierher zurück.',
    unlink: 'Aufheben',
    unlinkNamed: (name) => `Aufheben: ${name}`,
    unlinkTitle: (name) => `Verknüpfung mit ${name} aufheben?`,
    unlinkText: (name) =>
      `${name} meldet Sie dann nicht mehr an. Sitzungen, die dort begannen, enden, auch diese, wenn sie dazugehört.`,
    cancel: 'Abbrechen',
    unlinking: 'Wird aufgehoben',
    unlinked: (name) => `${name} ist nicht mehr verknüpft`,
  },
};
