import type { Translation } from '@passwordbroker/core/texts';
import type { ENROL_TEXTS, FACTOR_TEXTS, FACTORS_TEXTS, GRACE_TEXTS, HOW_TEXTS } from '../../identity/factors.ts';

export const FACTOR: Translation<typeof FACTOR_TEXTS> = {
  title: 'Bestätigen Sie, dass Sie es sind',
  totpHint: 'Geben Sie die sechs Ziffern aus Ihrer Authenticator-App ein.',
  code: 'Code',
  useTotp: 'Authenticator-App verwenden',
  useKey: 'Sicherheitsschlüssel oder Passkey verwenden',
  keyHint:
    'Drücken Sie den Knopf, und folgen Sie dann Ihrem Browser: Berühren Sie den Schlüssel, oder bestätigen Sie auf Telefon oder Computer.',
  waitingForKey: 'Warten auf Ihren Passkey',
  keyGone: 'Keiner Ihrer Sicherheitsschlüssel gilt hier noch. Verwenden Sie einen anderen Weg.',
  keysMoved: (hosts) =>
    `Ihre Passkeys gehören zu ${hosts}. Verwenden Sie Ihre Authenticator-App oder einen Ersatzcode.`,
  keysAtHome: (host) =>
    `Ihre Passkeys gehören zu ${host}. Melden Sie sich direkt auf ${host} an, oder verwenden Sie einen Ersatzcode.`,
  useRecovery: 'Ersatzcode verwenden',
  choose: 'Wie möchten Sie sich bestätigen?',
  anotherWay: 'Anderer Weg',
  remember: (days) => `In diesem Browser ${days === 1 ? 'einen Tag' : `${days} Tage`} lang nicht fragen`,
  confirm: 'Bestätigen',
  confirming: 'Wird bestätigt',
  recoveryCode: 'Ersatzcode',
  recoveryHint: (left) => `Er gilt nur einmal. ${left === 1 ? 'Einer ist' : `${left} sind`} übrig.`,
  lost: 'Alle verloren? Ein Administrator kann Ihnen einen Code geben.',
  back: 'Zurück',
  missing: 'Bitte geben Sie den Code ein.',
  side: 'Zwei Schritte halten andere fern',
  sideText: 'Wer Ihr Passwort erfährt, braucht noch Ihr Telefon, Ihren Sicherheitsschlüssel oder einen Ihrer Codes.',
};

export const ENROL: Translation<typeof ENROL_TEXTS> = {
  title: 'Zweiten Faktor einrichten',
  intro: 'Diese Site verlangt einen. Es dauert eine Minute. Ihr Tresor ist, wie Sie ihn verlassen haben.',
  key: 'Sicherheitsschlüssel oder Passkey',
  keyHint:
    'Empfohlen: ein Schlüssel mit USB oder NFC, oder ein Passkey auf Telefon oder Computer. Sie berühren oder entsperren ihn bei der Anmeldung.',
  keyText:
    'Geben Sie ihm einen Namen. Ihr Browser bittet Sie dann, den Schlüssel zu berühren oder einen Passkey zu erstellen.',
  addKey: 'Hinzufügen',
  waitingForKey: 'Warten auf Ihren Passkey',
  anotherWay: 'Anderer Weg',
  app: 'Authenticator-App',
  appHint: 'Eine App auf Ihrem Telefon zeigt einen Code aus sechs Ziffern. Sie geben ihn bei der Anmeldung ein.',
  logOut: 'Abmelden',
  againText:
    'Ihr zweiter Faktor ist eingerichtet. Die Codes, die vor dem Neuladen dieser Seite zu sehen waren, können nicht noch einmal gezeigt werden.',
  skip: 'Ich habe die alten sicher aufbewahrt',
  side: 'Ihr Tresor ist, wie Sie ihn verlassen haben',
  sideText: 'Ein zweiter Faktor wird bei der Anmeldung verlangt. Er öffnet Ihre Geheimnisse nicht.',
};

export const GRACE: Translation<typeof GRACE_TEXTS> = {
  due: (date) => `Richten Sie bis ${date} einen zweiten Faktor ein.`,
  after: 'Danach müssen Sie das tun, bevor Sie weiterarbeiten können.',
  setUp: 'Jetzt einrichten',
  fewCodes: (left) =>
    left === 0
      ? 'Sie haben keine Ersatzcodes mehr.'
      : `Sie haben noch ${left === 1 ? 'einen Ersatzcode' : `${left} Ersatzcodes`}.`,
  makeNew: 'Neue Codes erstellen',
  recently: 'Zuletzt in Ihrem Konto:',
  byAdmin: 'durch einen Administrator',
  more: (count) => `und ${count} weitere`,
  notMe: 'Wenn Sie das nicht erwartet haben, sagen Sie es einem Administrator.',
  wasMe: 'Ich weiß Bescheid',
};

export const FACTORS: Translation<typeof FACTORS_TEXTS> = {
  title: 'Anmeldung',
  secondFactor: 'Zweiter Faktor',
  hint: 'Wird bei der Anmeldung verlangt. Er öffnet Ihre Geheimnisse nicht.',
  failed: 'Ihre zweiten Faktoren konnten nicht geladen werden',
  required: 'Ihre Site verlangt einen zweiten Faktor.',
  off: 'Zweite Faktoren sind auf dieser Site ausgeschaltet.',
  elsewhere: (host) => `Um sie zu sehen und zu ändern, melden Sie sich direkt auf ${host} an.`,
  app: 'Authenticator-App',
  appNone: 'Nicht eingerichtet',
  added: (time) => `Hinzugefügt ${time}`,
  lastUsed: (time) => `zuletzt verwendet ${time}`,
  neverUsed: 'noch nicht verwendet',
  setUp: 'Einrichten',
  replace: 'Ersetzen',
  remove: 'Entfernen',
  cancel: 'Abbrechen',
  done: 'Fertig',

  totp: {
    dialog: 'Authenticator-App einrichten',
    scan: 'Scannen Sie das mit Ihrer App, oder geben Sie den Schlüssel ein',
    qr: 'QR-Code für die Authenticator-App',
    cannotScan: 'Scannen nicht möglich?',
    copyKey: 'Schlüssel kopieren',
    keyKind: 'Zeitbasiert, sechs Ziffern.',
    code: 'Code aus der App',
    codeMissing: 'Bitte geben Sie den Code ein.',
    revokeTokens: (count) => (count === 1 ? 'Auch mein Token widerrufen' : `Auch meine ${count} Token widerrufen`),
    revokeHint: 'Sie wurden mit dem Passwort allein erstellt.',
    replaces: 'Die jetzige App funktioniert, bis Sie die neue bestätigen.',
    expired: 'Das hat zu lange gedauert. Scannen Sie den neuen Code.',
    starting: 'Ein Schlüssel wird erstellt',
    confirm: 'Bestätigen',
    confirming: 'Wird bestätigt',
    done: 'Authenticator-App eingerichtet',
  },
  keys: {
    title: 'Sicherheitsschlüssel oder Passkey',
    kinds: 'Ein Schlüssel mit USB oder NFC, oder ein Passkey auf Telefon oder Computer',
    needsHost: 'Braucht eine Site mit Hostnamen und HTTPS',
    count: (count) => (count === 1 ? 'Einer hinzugefügt' : `${count} hinzugefügt`),
    one: 'Sicherheitsschlüssel',
    addAnother: 'Weiteren hinzufügen',
    nameHint: 'Damit Sie ihn später erkennen, zum Beispiel „Blauer Schlüssel“ oder „Telefon“.',
    dialog: {
      title: 'Sicherheitsschlüssel oder Passkey hinzufügen',
      hint: 'Bei der Anmeldung verwenden Sie ihn nach Ihrem Passwort. Drücken Sie auf Hinzufügen: Ihr Browser bittet Sie dann, den Schlüssel zu berühren oder einen Passkey zu erstellen.',
      submit: 'Hinzufügen',
    },
    added: 'Sicherheitsschlüssel hinzugefügt',
    removeTitle: (name) => `„${name}“ entfernen?`,
    removed: 'Sicherheitsschlüssel entfernt',
  },
  removal: {
    title: 'Authenticator-App entfernen?',
    text: 'Ihre anderen zweiten Faktoren und Ihre Ersatzcodes bleiben. Ihre anderen Sitzungen enden.',
    textLast:
      'Bei der Anmeldung wird dann nur noch Ihr Passwort verlangt. Ihre Ersatzcodes gelten nicht mehr, und Ihre anderen Sitzungen enden.',
    removing: 'Wird entfernt',
    done: 'Authenticator-App entfernt',
  },

  codes: {
    title: 'Ersatzcodes',
    left: (left) => `${left} von 10 übrig`,
    made: (time) => `erstellt ${time}`,
    makeNew: 'Neue Codes erstellen',
    making: 'Codes werden erstellt',
    makeTitle: 'Neue Ersatzcodes erstellen?',
    makeText: 'Die alten gelten dann nicht mehr.',
    check: 'Code prüfen',
    checkText: 'Die Prüfung verbraucht den Code nicht.',
    checking: 'Wird geprüft',
    code: 'Ersatzcode',
    missing: 'Bitte geben Sie den Code ein.',
    good: 'Dieser Code gilt',
    notGood: 'Dieser Code gilt nicht',
    restored:
      'Diese Site wurde aus einem Backup wiederhergestellt. Seitdem verwendete Codes gelten wieder: Erstellen Sie neue.',
    shown: 'Ihre Ersatzcodes',
    shownText:
      'Verwenden Sie einen, wenn Sie keinen anderen Faktor haben. Jeder gilt einmal. Bewahren Sie sie sicher auf: Mit Ihrem Passwort kann sich jeder mit einem anmelden. Sie werden nur jetzt gezeigt.',
    copy: 'Kopieren',
    copied: 'Ersatzcodes kopiert',
    save: 'Als Datei speichern',
    print: 'Drucken',
    kept: 'Ich habe sie sicher aufbewahrt',
    file: (host, email) => [
      `Ersatzcodes von ${email}`,
      `für PasswordBroker auf ${host}`,
      'Jeder gilt einmal, zusammen mit dem Kontopasswort.',
    ],
  },

  remembered: {
    title: 'Gemerkte Browser',
    hint: 'Sie werden nicht nach einem zweiten Faktor gefragt.',
    none: 'Keine',
    current: 'dieser Browser',
    unknown: 'Unbekannter Browser',
    at: (address) => `von ${address}`,
    lastUsed: (time) => `zuletzt verwendet ${time}`,
    until: (time) => `bis ${time}`,
    forget: 'Entfernen',
    forgetNamed: (what) => `${what} aus den gemerkten Browsern entfernen`,
    forgetting: 'Wird entfernt',
    forgotten: 'Dieser Browser wird wieder nach einem zweiten Faktor gefragt',
    forgetAll: 'Alle entfernen',
    forgotAll: (count) => (count === 1 ? 'Ein Browser entfernt' : `${count} Browser entfernt`),
  },
};

const METHODS = {
  password: 'Passwort',
  passkey: 'Passkey',
  'sign-up': 'Registrierung',
  invite: 'Einladung',
  sso: 'Single Sign-on',
} as const;
const BESIDE = {
  totp: 'Authenticator-App',
  recovery: 'Ersatzcode',
  passkey: 'Sicherheitsschlüssel',
  remembered: 'gemerkter Browser',
  sso: 'zweiter Faktor dort',
} as const;

export const HOW: Translation<typeof HOW_TEXTS> = {
  begun: (method, factor) =>
    factor === null || factor === method ? METHODS[method] : `${METHODS[method]} und ${BESIDE[factor]}`,
  withoutFactor: 'ohne zweiten Faktor erstellt',
};
