import type { RECOVERY_KIT_TEXTS } from '@passwordbroker/client/texts/recovery-kit';
import type { Translation } from '@passwordbroker/core/texts';
import type { KIT_TEXTS } from '../../identity/recovery-kit.ts';
import type { KIT_BANNER_TEXTS } from '../../identity/recovery-kit-banner.ts';

export const RECOVERY_KIT: Translation<typeof KIT_TEXTS> = {
  title: 'Notfallblatt',
  cancel: 'Abbrechen',
  back: 'Zurück',
  later: 'Später',
  lock: 'Tresor sperren',
  make: 'Notfallblatt erstellen',

  intro: 'Ein Schlüssel auf Papier, der Ihren Tresor öffnet, wenn Sie das Masterpasswort vergessen.',
  introReplace: 'Ihr jetziges Notfallblatt gilt, bis Sie das neue bestätigt haben.',
  introUsed: 'Das eben benutzte Notfallblatt öffnet nichts mehr. Erstellen Sie jetzt ein neues.',
  introRequired: 'Diese Site verlangt von allen eines. Es dauert zwei Minuten.',
  masterPassword: 'Masterpasswort',
  making: 'Notfallblatt wird erstellt',

  shownHint: 'Drucken Sie es oder schreiben Sie es ab. Es wird nur jetzt gezeigt.',
  groups: 'Notfallschlüssel',
  group: (at, symbols) => `Gruppe ${at}: ${symbols}`,
  check: (symbol) => `Prüfzeichen: ${symbol}`,
  checkLabel: 'Prüfzeichen',
  qr: 'Der Notfallschlüssel als QR-Code',
  site: 'Site',
  name: 'Name',
  email: 'E-Mail',
  made: 'Erstellt am',
  print: 'Drucken',
  save: 'Als Textdatei speichern',
  copy: 'Kopieren',
  copied: 'Notfallschlüssel kopiert',
  saved: 'Textdatei gespeichert. Bewahren Sie sie nicht auf diesem Computer auf.',
  next: 'Ich habe es auf Papier',

  askedHint: 'Tippen Sie Teile des Schlüssels vom Papier ab. So wissen Sie, dass er lesbar ist.',
  typeGroup: (at) => `Gruppe ${at} eingeben`,
  typeCheck: 'Prüfzeichen eingeben',
  wrongGroup: (at) => `Gruppe ${at} ist eine andere. Sehen Sie auf Ihr Notfallblatt.`,
  wrongCheck: 'Das Prüfzeichen ist ein anderes. Sehen Sie auf Ihr Notfallblatt.',
  showAgain: 'Noch einmal zeigen',
  confirm: 'Bestätigen',
  storing: 'Wird gespeichert',
  done: 'Ihr Notfallblatt ist fertig. Bewahren Sie es sicher auf.',
  madeElsewhere: 'In einem anderen Browser wurde eben ein Notfallblatt erstellt. Beginnen Sie von vorn.',

  sheet: {
    what: 'Dieser Schlüssel öffnet Ihren Tresor, wenn Sie Ihr Masterpasswort vergessen. Bewahren Sie ihn auf wie den Schlüssel eines Tresors: Wer ihn hat und sich in Ihrem Konto anmelden kann, öffnet damit den Tresor.',
    steps: 'So benutzen Sie ihn',
    step1: (site) => `Melden Sie sich wie sonst auf ${site} an.`,
    step2: 'Wenn nach dem Masterpasswort gefragt wird, wählen Sie „Ich habe mein Masterpasswort vergessen“.',
    step3:
      'Geben Sie den Notfallschlüssel ein, oder scannen Sie den Code mit einem Telefon und fügen Sie den Text ein. Wählen Sie dann ein neues Masterpasswort.',
    once: 'Nachdem Sie ihn benutzt oder einen neuen erstellt haben, öffnet dieses Blatt Ihren Tresor nicht mehr. Vernichten Sie es: Ältere Backups und lokale Kopien öffnet es weiterhin.',
  },
  fileName: (host) => `notfallblatt-${host}.txt`,

  forgotTitle: 'Masterpasswort vergessen?',
  forgotHint: 'Ihr Notfallblatt öffnet den Tresor. Danach wählen Sie ein neues Masterpasswort.',
  keyHint: 'Tippen Sie ihn ein, oder fügen Sie den Text des QR-Codes ein. Groß oder klein, mit oder ohne Bindestriche.',
  continue: 'Weiter',
  opening: 'Der Schlüssel wird ausprobiert',
  noKit:
    'Ohne das Masterpasswort oder ein Notfallblatt kann Ihr Tresor nicht geöffnet werden. Ein Administrator kann Ihre Schlüssel zurücksetzen. Sie behalten Ihr Konto, verlieren, was nur Sie öffnen konnten, und die Admins Ihrer Gruppen können Sie wieder hinzufügen.',
  lookingUp: 'Ihr Notfallblatt wird gesucht',
  newTitle: 'Neues Masterpasswort wählen',
  newHint: 'Der Notfallschlüssel stimmt. Er öffnet nichts mehr, sobald das neue Masterpasswort gespeichert ist.',
  newMaster: 'Neues Masterpasswort',
  newMasterConfirmation: 'Neues Masterpasswort wiederholen',
  submit: 'Speichern und Tresor öffnen',
  saving: 'Wird gespeichert',
  steps: {
    checking: 'Wird geprüft',
    keys: 'Ihre Schlüssel werden mit dem neuen verschlüsselt',
    storing: 'Ihre Schlüssel werden gespeichert',
  },
  recovered: 'Ihr neues Masterpasswort ist gespeichert und Ihr Tresor ist offen',
  openedOffline: 'Ihre lokale Kopie ist offen. Gehen Sie online, um ein neues Masterpasswort zu wählen.',
  changedElsewhere: 'Ihre Schlüssel wurden inzwischen in einem anderen Browser geändert. Versuchen Sie es noch einmal.',

  sectionHint: 'Öffnet Ihren Tresor, wenn Sie das Masterpasswort vergessen.',
  madeOn: (time) => `Notfallblatt erstellt am ${time}`,
  none: 'Kein Notfallblatt',
  failed: 'Ihr Notfallblatt konnte nicht abgefragt werden.',
  makeNew: 'Neues erstellen',
  remove: 'Entfernen',
  removeTitle: 'Notfallblatt entfernen?',
  removeText: 'Wenn Sie danach Ihr Masterpasswort vergessen, kann Ihr Tresor nicht geöffnet werden.',
  removeOld:
    'Ein verlorenes Notfallblatt öffnet weiterhin ältere Backups und lokale Kopien; das Entfernen ändert daran nichts. Wenn jemand beides haben könnte, bitten Sie einen Administrator, Ihre Schlüssel zurückzusetzen.',
  removing: 'Wird entfernt',
  removeAction: 'Ihr Notfallblatt zu entfernen',
  removed: 'Notfallblatt entfernt',
  lost: 'Wenn Sie Ihr Masterpasswort vergessen, sind diese Gruppen verloren:',
  lostFailed: 'Die Gruppen, die nur Sie öffnen können, konnten nicht ermittelt werden.',
  lostWithKit: 'Wenn Sie Ihr Masterpasswort vergessen und das Notfallblatt verlieren, sind diese Gruppen verloren:',
  addMember: 'Mitglied hinzufügen',
  addMemberTo: (group) => `Mitglied zu ${group} hinzufügen`,
};

export const RECOVERY_KIT_BANNER: Translation<typeof KIT_BANNER_TEXTS> = {
  title: 'Niemand kann Ihr Masterpasswort wiederherstellen.',
  why: 'Ein Notfallblatt öffnet Ihren Tresor, wenn Sie es vergessen.',
  make: 'Notfallblatt erstellen',
  later: 'Später',
  menu: 'Notfallblatt',
  forgot: 'Ich habe mein Masterpasswort vergessen',
  key: 'Notfallschlüssel',
  typo: 'Darin ist ein Tippfehler',
  remembered: 'Masterpasswort verwenden',
};

export const RECOVERY_KIT_PROBLEM: Translation<typeof RECOVERY_KIT_TEXTS> = {
  notStored:
    'Der Server sagte, er habe Ihr Notfallblatt gespeichert, schickt es aber nicht zurück. Verlassen Sie sich nicht auf dieses Blatt. Sagen Sie es den Betreibern des Servers.',
  recoveryNotStored:
    'Der Server sagte, er habe Ihr neues Masterpasswort gespeichert, schickt Ihre Schlüssel aber, wie sie waren. Ihr Notfallschlüssel öffnet sie noch. Sagen Sie es den Betreibern des Servers.',
  recoveryUncertain:
    'Die Verbindung ging verloren, bevor der Server es bestätigt hat. Entweder öffnet Ihr neues Masterpasswort den Tresor, oder Ihr Notfallschlüssel öffnet ihn noch: Versuchen Sie beides.',
};
