import type { Translation } from '@passwordbroker/core/texts';
import type { TRUST_RECORD_TEXTS } from '../groups/trust-record.ts';

export const TRUST_RECORD: Translation<typeof TRUST_RECORD_TEXTS> = {
  title: 'Vertrauensliste',
  hint: 'Sie enthält die Personen, deren Schlüssel Sie bestätigt haben, und die Mitglieder, die Sie in Ihren Gruppen angenommen haben. Nur Ihre Schlüssel öffnen sie.',
  locked: 'Entsperren Sie den Tresor, um sie zu sehen.',
  states: {
    sound: (n, time) => `Liste ${n}, zuletzt geändert ${time}.`,
    behind: (n) =>
      `Der Server hat eine ältere Liste als dieser Browser. Dieser Browser behält Liste ${n} und sendet sie dem Server erneut.`,
  },
  browsers: 'Browser, die Ihr Konto verwendet haben',
  browsersHint: 'Die letzten zwanzig. Achten Sie auf einen, der nicht Ihrer ist.',
  thisBrowser: 'dieser Browser',
  lastUsed: (time) => `zuletzt verwendet ${time}`,
  firstUsed: (time) => `seit ${time}`,
  unknownBrowser: 'Unbekannter Browser',

  missingTitle: 'Ihre Vertrauensliste fehlt',
  missing:
    'Sie enthält die Personen, deren Schlüssel Sie bestätigt haben. Der Server müsste sie haben, zeigt sie aber nicht. Sie können lesen, aber dieser Browser speichert keine Änderungen.',
  missingAdvice:
    'Entsperren Sie den Tresor in einem anderen Browser, in dem Sie dieses Konto verwendet haben: Er stellt die Liste wieder her. Gibt es keinen, können Sie eine neue Liste beginnen.',
  doubtedTitle: 'Sie haben gesagt, dass Ihre Vertrauensliste vielleicht veraltet ist',
  doubted:
    'Der Server zeigt vielleicht einen älteren Stand Ihres Kontos. Sie können lesen, aber dieser Browser speichert keine Änderungen.',
  doubtedAdvice:
    'Vergleichen Sie diesen Browser mit einem anderen von Ihnen, oder entsperren Sie den Tresor in einem Browser, den Sie seither verwendet haben: Er stellt die neuere Liste wieder her. Gibt es keinen, können Sie eine neue Liste beginnen.',
  noneTitle: 'Ihr Konto erhält eine Vertrauensliste',
  none: 'Sie merkt sich, wessen Schlüssel Sie bestätigt haben. Dieser Browser ist für Ihr Konto neu. Haben Sie Ihr Konto schon in einem anderen Browser verwendet, entsperren Sie den Tresor zuerst dort; dann werden Sie hier nicht gefragt.',
  setUp: 'Hier einrichten',
  tryAgain: 'Noch einmal versuchen',
  trying: 'Wird nachgesehen',
  stillMissing: 'Der Server zeigt sie immer noch nicht.',
  beginNew: 'Neue Liste beginnen',
  whatToDo: 'Was zu tun ist',
  notPutBack: (reason) => `Ihre Vertrauensliste konnte auf dem Server nicht wiederhergestellt werden: ${reason}`,
  notStored: (reason) => `Ihre Vertrauensliste konnte auf dem Server nicht gespeichert werden: ${reason}`,

  newTitle: 'Neue Vertrauensliste beginnen?',
  newText:
    'Sie werden dann zu jeder Gruppe und jedem Schlüssel noch einmal gefragt. Fragen Sie zuerst die Betreiber des Servers, es sei denn, Sie wissen, dass ein Backup verloren ging: Wer den Server beherrscht, möchte vielleicht, dass Sie falsche Mitglieder annehmen.',
  newEmail: 'Geben Sie zur Bestätigung Ihre E-Mail-Adresse ein',
  newMismatch: 'Das ist nicht die E-Mail-Adresse Ihres Kontos.',
  beginAction: 'eine neue Vertrauensliste zu beginnen',
  readAction: 'Ihre Vertrauensliste zu lesen',
  setUpAction: 'Ihre Vertrauensliste einzurichten',
  beginning: 'Wird begonnen',
  begun: 'Eine neue Vertrauensliste wurde begonnen',
  failed: (reason) => `Es ist fehlgeschlagen: ${reason}`,

  setUpTitle: 'Ihre Vertrauensliste einrichten',
  setUpText:
    'Diese Gruppen sind mit Ihrem eigenen Schlüssel unterschrieben. Entfernen Sie das Häkchen bei jeder Gruppe, deren Mitglieder nicht stimmen.',
  setUpPeople: 'Schlüssel, die Sie früher bestätigt haben',
  setUpGroups: 'Gruppen',
  setUpNothing: 'Ihre Liste beginnt leer. Sie werden zu jeder Person einmal gefragt.',
  setUpMembers: (names) => `Mitglieder: ${names}`,
  right: 'Diese stimmen',
  settingUp: 'Wird eingerichtet',
  isSetUp: (count) => `Ihre Vertrauensliste ist eingerichtet, mit ${count} ${count === 1 ? 'Gruppe' : 'Gruppen'}`,

  lastUseTitle: 'Haben Sie Ihr Konto zuletzt zu dieser Zeit verwendet?',
  lastUse: (time, browser) => `${time}, ${browser}`,
  lastUseIn: (time, browser, group) => `${time}, ${browser}; zuletzt in „${group}“`,
  lastUseWhy:
    'Dieser Browser ist neu und sieht nur, was der Server zeigt. Ihre Antwort sagt, ob der Server etwas verschweigt, das Sie später getan haben, etwa eine Person entfernt.',
  yes: 'Ja',
  no: 'Nein, auch später noch',
  answering: 'Wird gespeichert',
  newBrowser: (time, browser) => `Neuer Browser. Ihr Konto wurde zuletzt ${time} in ${browser} verwendet.`,
  compare: 'Browser vergleichen',
  compareTitle: 'Zwei Ihrer Browser vergleichen',
  compareText:
    'Öffnen Sie dies auch im anderen Browser. Beide müssen dieselbe Zahl und dieselben Wörter zeigen. Sind sie verschieden, ändern Sie nichts und sagen Sie es den Betreibern des Servers.',
  compareNumber: (n) => `Liste ${n}`,
  compareWords: 'Wörter der Liste',
  compareAction: 'Ihre Browser zu vergleichen',
  reading: 'Die Liste wird gelesen',
  same: 'Sie sind gleich',
  differ: 'Sie sind verschieden',
  compared: 'Ihre Browser haben dieselbe Vertrauensliste',

  strictTitle: 'Sie müssen die Schlüsselwörter nicht mehr vergleichen, bevor Sie teilen.',
  strictText: 'Diese Regel für Ihr Konto beibehalten?',
  keep: 'Beibehalten',
  stopAsking: 'Nicht mehr verlangen',
  strictKept: 'Sie müssen weiterhin die Schlüsselwörter vergleichen, bevor Sie teilen',
  strictStopped: 'Sie können jetzt teilen und die Schlüsselwörter später vergleichen',
  strictOn: 'Sie teilen nur mit Personen, deren Schlüsselwörter Sie verglichen haben.',

  storageDeleted:
    'Die Daten, die dieser Browser zu Ihrem Konto aufbewahrt, wurden gelöscht, während Sie es verwendeten. Sie sind wieder gespeichert. Haben Sie sie nicht selbst gelöscht, sagen Sie es den Betreibern des Servers.',
  putBack: 'Der Server hatte eine ältere Vertrauensliste. Dieser Browser hat ihm die neuere gesendet.',
};
