import type { Translation } from '@passwordbroker/core/texts';
import type { ROTATION_TEXTS, TRUST_TEXTS } from '../groups/trust.ts';

const groups = (count: number) => `${count} ${count === 1 ? 'Gruppe' : 'Gruppen'}`;

export const TRUST: Translation<typeof TRUST_TEXTS> = {
  firstTitle: (name) => `Ist das der Schlüssel von ${name}?`,
  keyOf: (name) => `Schlüssel von ${name}`,
  compareText: (name) =>
    `Lesen Sie einander die acht Wörter vor, am Telefon oder im selben Raum. ${name} findet sie unter „Ihre Schlüsselwörter“ im Menü mit dem Schloss. Sehen Sie beide dieselben Wörter in derselben Reihenfolge, ist der Schlüssel richtig.`,
  verifiedText: (name) => `Sie haben diesen Schlüssel mit ${name} verglichen.`,
  changedTitle: (name) => `Der Schlüssel von ${name} hat sich geändert`,
  changedText: (name) =>
    `Mit ${name} wird nichts geteilt, bis Sie die Wörter noch einmal verglichen haben. Ein Schlüssel ändert sich, wenn ein Konto zurückgesetzt wird, aber auch, wenn jemand anderes es übernommen hat: Fragen Sie ${name}, was geschehen ist.`,
  wordsOf: (name) => `Schlüsselwörter von ${name}`,
  wordsNow: 'Wörter jetzt',
  wordsBefore: 'Wörter, die Sie kannten',
  qr: 'Schlüssel als QR-Code',
  details: 'Einzelheiten',
  fingerprint: 'Der ganze Schlüssel, für Fachleute',
  compared: 'Verglichen, bestätigt',
  forNow: 'Vorläufig vertrauen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  keeping: 'Wird gespeichert',
  keepFailed: (reason) => `Die Entscheidung konnte nicht gespeichert werden: ${reason}`,
  lookAction: (name) => `den Schlüssel von ${name} nachzusehen`,
  renewed: (name) =>
    `${name} hat einen neuen Schlüssel. Der Schlüssel, den Sie kennen, bestätigt ihn; Sie müssen nicht noch einmal vergleichen.`,
  renamed: (name, before) => `${name} hieß „${before}“, als Sie den Schlüssel zuletzt angesehen haben.`,

  states: {
    verified: 'bestätigt',
    'for now': 'vorläufig vertraut',
    changed: 'Schlüssel geändert',
    unknown: 'noch nicht verglichen',
    none: 'noch keine Schlüssel',
  },
  stateOf: (name, state) => `Schlüssel von ${name}: ${state}`,
  stateHints: {
    verified: 'Schlüssel verglichen und bestätigt',
    'for now': 'Schlüssel vorläufig vertraut. Drücken, um zu vergleichen',
    changed: 'Schlüssel geändert. Drücken, um erneut zu vergleichen',
    unknown: 'Schlüssel noch nicht verglichen. Drücken, um zu vergleichen',
    none: 'Noch keine Schlüssel: Nichts kann geteilt werden',
  },
  ownKey: 'Ihre Schlüsselwörter',
  ownKeyText:
    'Wer zum ersten Mal mit Ihnen teilt, vergleicht diese acht Wörter mit Ihnen. Sie sind nicht geheim: Beide Seiten müssen dieselben Wörter sehen.',
  ownKeyAction: 'Ihre Schlüsselwörter anzuzeigen',

  lockedTitle: 'Diese Gruppe kann hier nicht geöffnet werden',
  locked: {
    roster: 'Die Mitgliederliste dieser Gruppe ist von keinem ihrer Admins unterschrieben.',
    grant:
      'Der Server hat einen falschen Schlüssel für diese Gruppe gesendet: Ihre Admins haben einen anderen unterschrieben.',
    proof: 'Die Mitgliederliste ist von einer Person unterschrieben, die den Schlüssel dieser Gruppe nicht hat.',
    'not-member': 'Sie stehen nicht auf der unterschriebenen Mitgliederliste.',
  },
  lockedHint:
    'Sie können hier in diesem Browser nichts lesen oder ändern. Sagen Sie es den Betreibern des Servers. Wurde er aus einem Backup wiederhergestellt, kann ein Admin den Schlüssel der Gruppe ändern.',

  unconfirmedTitle: 'Sie haben diese Gruppe nicht bestätigt',
  unconfirmed: (signer) =>
    `Ihre Mitgliederliste ist von ${signer} unterschrieben. Sie können hier lesen. Bevor Sie etwas ändern oder teilen, werden Sie einmal gefragt, ob das stimmt.`,
  left: (name, date) => `${name} wurde am ${date} aus einer Ihrer Gruppen entfernt.`,
  confirmNow: 'Jetzt bestätigen',
  samePathTitle: (path) => `Es gibt zwei Gruppen „${path}“`,
  samePath: (signer, names) =>
    `Sie kennen schon eine andere Gruppe mit diesem Namen. Diese ist von ${signer} unterschrieben. Diese Personen können lesen, was Sie hier schreiben: ${names}.`,
  showReaders: 'Zeigen, wer hier liest',
  noProofTitle: 'Diese Gruppe muss neu unterschrieben werden',
  noProof:
    'Sie können hier lesen. Schreiben können Sie wieder, sobald ein Admin der Gruppe sie mit der jetzigen Version von PasswordBroker geöffnet hat.',
  unsignedTitle: 'Die Mitglieder dieser Gruppe sind nicht unterschrieben',
  unsigned:
    'Ein Programm hat diese Gruppe angelegt, und der Server hat ihren Schlüssel erstellt. Sie können hier lesen. Prüfen Sie die Mitglieder und unterschreiben Sie die Liste: Dann erhalten nur diese Personen einen neuen Schlüssel.',
  unsignedForMembers:
    'Ein Programm hat diese Gruppe angelegt, und der Server hat ihren Schlüssel erstellt. Sie können hier lesen. Bitten Sie einen Admin der Gruppe, die Mitgliederliste zu unterschreiben.',
  signMembers: 'Mitgliederliste unterschreiben',

  readOnlyTitle: 'Diese Gruppe ist hier nur lesbar',
  readOnly: {
    'rolled-back': 'Die Mitgliederliste ist älter als die, die Sie angenommen haben.',
    forked: 'Die Mitgliederliste ist eine andere als die, die Sie angenommen haben.',
    signer: 'Die Mitgliederliste ist von einer Person unterschrieben, die kein Admin der Gruppe war.',
    vanished: 'Der Server zeigt die unterschriebene Mitgliederliste nicht mehr.',
    proof: 'Die Mitgliederliste ist nicht von einer Person unterschrieben, die den Schlüssel dieser Gruppe hat.',
    record:
      'Ihre Vertrauensliste fehlt oder ist vielleicht veraltet. Dieser Browser speichert nichts, bis das geklärt ist.',
  },
  forkedBrowsers: 'Ihren Browsern wurden verschiedene Mitgliederlisten gezeigt.',
  keyOfSigner: (name) =>
    `Die Liste ist mit einem Schlüssel unterschrieben, der von dem abweicht, den Sie für ${name} kennen.`,
  compareKey: 'Schlüssel vergleichen',
  returned: (name, date, signer) =>
    `Sie haben ${name} am ${date} entfernt. ${signer} hat seither eine Liste unterschrieben, auf der ${name} steht.`,
  keepOut: (name) => `${name} fernhalten`,
  letStay: (name) => `${name} darf bleiben`,
  keepOutAction: (name) => `${name} fernzuhalten`,
  letStayAction: (name) => `${name} bleiben zu lassen`,
  groupRenamed: (group, before) => `„${group}“ hieß „${before}“, als Sie die Gruppe zuletzt geöffnet haben.`,
  onlyYou: 'Nur Sie',
  readersHere: 'Personen, die hier lesen können',
  people: (count) => `${count} Personen`,
  noMoreKeys: (name) => `${name} erhält keine neuen Schlüssel.`,
  unlockFirst: (name) =>
    `Entsperren Sie den Tresor, bevor Sie ${name} entfernen: Dann erhält ${name} keinen neuen Schlüssel, auch wenn der Server diese Person noch aufführt.`,
  whatToDo: 'Was zu tun ist',
  readOnlyHint:
    'Das geschieht, wenn der Server aus einem älteren Backup wiederhergestellt wurde, aber auch, wenn er eine Änderung verschweigt. Fragen Sie einen Admin der Gruppe und vergleichen Sie die Antwort mit der Liste der Benutzer.',
  forMembers:
    'Ein Admin der Gruppe muss entscheiden. Dieser Browser nimmt die Entscheidung dann von selbst an. Ist ein Admin gerade bei Ihnen, können Sie die Schlüsselwörter vergleichen und die Liste annehmen.',
  compareWithAdmin: 'Mit einem Admin vergleichen',

  whyNot: {
    unsigned: 'Die Mitglieder dieser Gruppe sind nicht unterschrieben',
    'no-proof': 'Ein Admin muss diese Gruppe neu unterschreiben',
    disputed: 'Diese Gruppe ist hier nur lesbar',
    locked: 'Diese Gruppe kann hier nicht geöffnet werden',
  },

  whoShares: (group) => `Wer teilt „${group}“ mit Ihnen?`,
  whoSharesText: (name) =>
    `Die Mitgliederliste ist mit diesem Schlüssel unterschrieben. Der Server sagt, dass er ${name} gehört. Lesen Sie einander die acht Wörter vor, am Telefon oder im selben Raum: ${name} findet sie unter „Ihre Schlüsselwörter“ im Menü mit dem Schloss.`,
  whoSharesKnown: (name) =>
    `Die Mitgliederliste ist mit diesem Schlüssel von ${name} unterschrieben. Lesen Sie einander die acht Wörter noch einmal vor, am Telefon oder im selben Raum: ${name} findet sie unter „Ihre Schlüsselwörter“ im Menü mit dem Schloss.`,
  samePathWarning:
    'Sie kennen eine andere Gruppe mit diesem Namen. Fragen Sie die Person, die sie unterschrieben hat, ob dies die richtige ist.',
  readersOf: (names) => `Diese Personen können lesen, was Sie in dieser Gruppe schreiben: ${names}.`,

  goOn: 'Diese Liste annehmen',
  comparedGoOn: 'Verglichen, annehmen',
  goOnTitle: 'Die Liste annehmen, die der Server zeigt?',
  goOnWhat:
    'Dieser Browser nimmt dann diese Personen als Mitglieder der Gruppe. Sie können lesen, was Sie hier schreiben.',
  goOnSame: 'Sie hat dieselben Personen, Schlüssel und Rollen wie die Liste, die Sie angenommen haben.',
  added: 'Neu darauf:',
  onIt: 'Darauf:',
  missing: 'Fehlt darauf:',
  otherKey: 'Mit anderem Schlüssel:',
  otherRole: 'Mit anderer Rolle:',
  roleBefore: (name, role, before) => `${name}: ${role}, vorher ${before}`,
  signedBy: (name) => `Unterschrieben von ${name}.`,
  goOnWithout:
    'Der Server zeigt keine unterschriebene Mitgliederliste. Nehmen Sie das an, gilt die Gruppe nicht mehr als unterschrieben: Sie können hier lesen und wieder schreiben, nachdem ein Admin die Mitglieder unterschrieben hat.',
  goingOn: 'Wird bestätigt',
  goOnFailed: (reason) => `Es konnte nicht bestätigt werden: ${reason}`,

  calledByServer: (name) => `Ihnen nicht bekannt; der Server sagt „${name}“`,
  quoted: (name) => `„${name}“`,
  serversNames: (names) => `${names} (Namen in Anführungszeichen stammen vom Server)`,
  somebody: (name) => `eine Person, die der Server „${name}“ nennt`,
  unnamed: (userId) => `eine Person, die der Server nicht nennt (${userId})`,
  you: 'Sie',
  knownKeys: {
    own: 'Sie',
    compared: 'verglichen',
    'for now': 'vorläufig vertraut',
    other: 'Schlüssel geändert',
    unknown: 'Schlüssel Ihnen nicht bekannt',
  },
  knownPerson: (name, key) => `${name} (${key})`,

  moveBackTitle: (group) => `Zurück nach „${group}“ verschieben?`,
  moveBack: (titles, names) => `${titles}: können dann gelesen werden von ${names}.`,
  moveBackNew: (names) => `Diese Personen können es jetzt nicht lesen: ${names}.`,
  moveBackAct: 'Zurückverschieben',
  movingBack: 'Wird verschoben',
  moveBackFailed: (reason) => `Es wurde nicht zurückverschoben: ${reason}`,
  moveBackGone: (group) => `Diese Einträge sind nicht mehr in „${group}“.`,

  differences: {
    'added-unsigned': 'von keinem Admin unterschrieben, darum erhält diese Person keine Schlüssel',
    removed: 'entfernt; die Gruppe braucht einen neuen Schlüssel',
    role: (signed) => `unterschrieben als ${signed}`,
    key: 'Schlüssel weicht vom unterschriebenen ab',
  },
  gone: (count) =>
    `${count === 1 ? 'Ein früheres Mitglied' : `${count} frühere Mitglieder`}: entfernt; die Gruppe braucht einen neuen Schlüssel`,
};

const behind = (skipped: number) =>
  skipped === 0
    ? ''
    : `. ${skipped} ältere ${skipped === 1 ? 'Wert konnte' : 'Werte konnten'} nicht geöffnet werden und ${skipped === 1 ? 'wurde' : 'wurden'} übergangen`;

export const ROTATION: Translation<typeof ROTATION_TEXTS> = {
  keptUp: (count) => `Schlüssel von ${groups(count)} geändert, weil jemand ausgeschieden ist`,
  notKeptUp: (count) =>
    `Schlüssel von ${groups(count)} konnten nicht vollständig geändert werden: Öffnen Sie ihren Reiter „Benutzer“`,
  dueTitle: 'Der Schlüssel dieser Gruppe muss geändert werden',
  due: 'Jemand ist ausgeschieden. Bis der Schlüssel geändert ist, könnten die Schlüssel dieser Person noch öffnen, was hier gespeichert wird.',
  honest:
    'Ein neuer Schlüssel schützt, was ab jetzt gespeichert wird. Die Person hat vielleicht behalten, was sie gelesen hat: Ändern Sie diese Werte.',
  start: 'Schlüssel jetzt ändern',
  running: 'Der Schlüssel wird geändert',
  runningTitle: 'Der Schlüssel dieser Gruppe wird geändert',
  keepOpen: 'Neue Werte sind schon sicher. Schließen Sie diese Seite, kann jeder Admin den Rest später beenden.',
  stop: 'Anhalten',
  failedTitle: 'Der Schlüssel dieser Gruppe wurde nicht vollständig geändert',
  failed: (reason) => `${reason} Der fertige Teil bleibt.`,
  failedHere:
    'Es geht beim nächsten Entsperren weiter, oder jetzt, wenn Sie „Weiter“ drücken. Der fertige Teil bleibt.',
  retry: 'Weiter',
  action: (group) => `den Schlüssel von „${group}“ zu ändern`,
  done: (group, skipped) => `Schlüssel von „${group}“ geändert${behind(skipped)}`,
  waitForAdmin: 'Ein Admin dieser Gruppe muss es tun.',
  unsure:
    'Die Schlüssel dieser Mitglieder haben sich geändert. Vergleichen Sie zuerst die Schlüssel, oder entfernen Sie das Mitglied.',
  compare: 'Schlüssel vergleichen',
  convert: 'Mitgliederliste unterschreiben',
  confirming: 'Wird bestätigt',
  member: (name, role) => `${name}, ${role}`,
};
