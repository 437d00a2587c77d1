import type { Translation } from '@passwordbroker/core/texts';
import type { ROTATION_TEXTS, TRUST_TEXTS } from '../groups/trust.ts';

const groups = (count: number) => `${count} ${count < 2 ? 'groupe' : 'groupes'}`;

export const TRUST: Translation<typeof TRUST_TEXTS> = {
  firstTitle: (name) => `Est-ce la clé de ${name} ?`,
  keyOf: (name) => `Clé de ${name}`,
  compareText: (name) =>
    `Lisez-vous mutuellement les huit mots, au téléphone ou dans la même pièce. ${name} les trouve sous « Les mots de votre clé » dans le menu au cadenas. Si vous voyez tous deux les mêmes mots dans le même ordre, la clé est la bonne.`,
  verifiedText: (name) => `Vous avez comparé cette clé avec ${name}.`,
  changedTitle: (name) => `La clé de ${name} a changé`,
  changedText: (name) =>
    `Rien n’est partagé avec ${name} tant que vous n’avez pas comparé les mots de nouveau. Une clé change quand un compte est réinitialisé, mais aussi quand quelqu’un d’autre s’en est emparé : demandez à ${name} ce qui s’est passé.`,
  wordsOf: (name) => `Mots de la clé de ${name}`,
  wordsNow: 'Mots actuels',
  wordsBefore: 'Mots que vous connaissiez',
  qr: 'Clé en code QR',
  details: 'Détails',
  fingerprint: 'La clé entière, pour spécialistes',
  compared: 'Comparée, confirmer',
  forNow: 'Faire confiance provisoirement',
  cancel: 'Annuler',
  close: 'Fermer',
  keeping: 'Enregistrement',
  keepFailed: (reason) => `Impossible d’enregistrer la décision : ${reason}`,
  lookAction: (name) => `rechercher la clé de ${name}`,
  renewed: (name) =>
    `${name} a une nouvelle clé. La clé que vous connaissez la confirme ; vous n’avez pas à comparer de nouveau.`,
  renamed: (name, before) => `${name} s’appelait « ${before} » quand vous avez vu la clé pour la dernière fois.`,

  states: {
    verified: 'confirmée',
    'for now': 'confiance provisoire',
    changed: 'clé changée',
    unknown: 'pas encore comparée',
    none: 'pas encore de clés',
  },
  stateOf: (name, state) => `Clé de ${name} : ${state}`,
  stateHints: {
    verified: 'Clé comparée et confirmée',
    'for now': 'Confiance provisoire dans la clé. Appuyez pour comparer',
    changed: 'Clé changée. Appuyez pour comparer de nouveau',
    unknown: 'Clé pas encore comparée. Appuyez pour comparer',
    none: 'Pas encore de clés : rien ne peut être partagé',
  },
  ownKey: 'Les mots de votre clé',
  ownKeyText:
    'Quiconque partage avec vous pour la première fois compare ces huit mots avec vous. Ils ne sont pas secrets : les deux côtés doivent voir les mêmes mots.',
  ownKeyAction: 'afficher les mots de votre clé',

  lockedTitle: 'Ce groupe ne peut pas être ouvert ici',
  locked: {
    roster: 'La liste des membres de ce groupe n’est signée par aucun de ses admins.',
    grant: 'Le serveur a envoyé une mauvaise clé pour ce groupe : ses admins en ont signé une autre.',
    proof: 'La liste des membres est signée par une personne qui n’a pas la clé de ce groupe.',
    'not-member': 'Vous n’êtes pas sur la liste signée des membres.',
  },
  lockedHint:
    'Vous ne pouvez rien lire ni modifier ici dans ce navigateur. Prévenez les exploitants du serveur. S’il a été restauré à partir d’une sauvegarde, un admin peut changer la clé du groupe.',

  unconfirmedTitle: 'Vous n’avez pas confirmé ce groupe',
  unconfirmed: (signer) =>
    `Sa liste des membres est signée par ${signer}. Vous pouvez lire ici. Avant que vous modifiiez ou partagiez quelque chose, il vous sera demandé une fois si c’est juste.`,
  left: (name, date) => `${name} a été retiré d’un de vos groupes le ${date}.`,
  confirmNow: 'Confirmer maintenant',
  samePathTitle: (path) => `Il y a deux groupes « ${path} »`,
  samePath: (signer, names) =>
    `Vous connaissez déjà un autre groupe de ce nom. Celui-ci est signé par ${signer}. Ces personnes peuvent lire ce que vous y écrivez : ${names}.`,
  showReaders: 'Montrer qui lit ici',
  noProofTitle: 'Ce groupe doit être signé de nouveau',
  noProof:
    'Vous pouvez lire ici. Vous pourrez de nouveau écrire dès qu’un admin du groupe l’aura ouvert avec la version actuelle de PasswordBroker.',
  unsignedTitle: 'Les membres de ce groupe ne sont pas signés',
  unsigned:
    'Un programme a créé ce groupe, et le serveur a fait sa clé. Vous pouvez lire ici. Vérifiez les membres et signez la liste : seules ces personnes reçoivent alors une nouvelle clé.',
  unsignedForMembers:
    'Un programme a créé ce groupe, et le serveur a fait sa clé. Vous pouvez lire ici. Demandez à un admin du groupe de signer la liste des membres.',
  signMembers: 'Signer la liste des membres',

  readOnlyTitle: 'Ce groupe est ici en lecture seule',
  readOnly: {
    'rolled-back': 'La liste des membres est plus ancienne que celle que vous avez acceptée.',
    forked: 'La liste des membres n’est pas celle que vous avez acceptée.',
    signer: 'La liste des membres est signée par une personne qui n’était pas admin du groupe.',
    vanished: 'Le serveur ne montre plus la liste signée des membres.',
    proof: 'La liste des membres n’est pas signée par une personne qui a la clé de ce groupe.',
    record:
      'Votre liste de confiance manque ou est peut-être périmée. Ce navigateur n’enregistre rien tant que ce n’est pas réglé.',
  },
  forkedBrowsers: 'Des listes de membres différentes ont été montrées à vos navigateurs.',
  keyOfSigner: (name) => `La liste est signée avec une clé qui diffère de celle que vous connaissez pour ${name}.`,
  compareKey: 'Comparer la clé',
  returned: (name, date, signer) =>
    `Vous avez retiré ${name} le ${date}. ${signer} a depuis signé une liste où figure ${name}.`,
  keepOut: (name) => `Tenir ${name} à l’écart`,
  letStay: (name) => `${name} peut rester`,
  keepOutAction: (name) => `tenir ${name} à l’écart`,
  letStayAction: (name) => `laisser ${name} rester`,
  groupRenamed: (group, before) =>
    `« ${group} » s’appelait « ${before} » quand vous avez ouvert le groupe pour la dernière fois.`,
  onlyYou: 'Vous seul',
  readersHere: 'Personnes qui peuvent lire ici',
  people: (count) => `${count} personnes`,
  noMoreKeys: (name) => `${name} ne reçoit pas de nouvelles clés.`,
  unlockFirst: (name) =>
    `Déverrouillez le coffre avant de retirer ${name} : ${name} ne recevra alors pas de nouvelle clé, même si le serveur mentionne encore cette personne.`,
  whatToDo: 'Que faire',
  readOnlyHint:
    'Cela arrive quand le serveur a été restauré à partir d’une sauvegarde plus ancienne, mais aussi quand il cache une modification. Demandez à un admin du groupe et comparez sa réponse avec la liste des utilisateurs.',
  forMembers:
    'Un admin du groupe doit décider. Ce navigateur adopte ensuite la décision de lui-même. Si un admin est auprès de vous, vous pouvez comparer les mots de la clé et accepter la liste.',
  compareWithAdmin: 'Comparer avec un admin',

  whyNot: {
    unsigned: 'Les membres de ce groupe ne sont pas signés',
    'no-proof': 'Un admin doit signer ce groupe de nouveau',
    disputed: 'Ce groupe est ici en lecture seule',
    locked: 'Ce groupe ne peut pas être ouvert ici',
  },

  whoShares: (group) => `Qui partage « ${group} » avec vous ?`,
  whoSharesText: (name) =>
    `La liste des membres est signée avec cette clé. Le serveur dit qu’elle est à ${name}. Lisez-vous mutuellement les huit mots, au téléphone ou dans la même pièce : ${name} les trouve sous « Les mots de votre clé » dans le menu au cadenas.`,
  whoSharesKnown: (name) =>
    `La liste des membres est signée avec cette clé de ${name}. Lisez-vous de nouveau les huit mots, au téléphone ou dans la même pièce : ${name} les trouve sous « Les mots de votre clé » dans le menu au cadenas.`,
  samePathWarning: 'Vous connaissez un autre groupe de ce nom. Demandez à la personne qui l’a signé si c’est le bon.',
  readersOf: (names) => `Ces personnes peuvent lire ce que vous écrivez dans ce groupe : ${names}.`,

  goOn: 'Accepter cette liste',
  comparedGoOn: 'Comparée, accepter',
  goOnTitle: 'Accepter la liste que montre le serveur ?',
  goOnWhat:
    'Ce navigateur prend alors ces personnes pour les membres du groupe. Elles peuvent lire ce que vous écrivez ici.',
  goOnSame: 'Elle a les mêmes personnes, clés et rôles que la liste que vous avez acceptée.',
  added: 'Nouveaux dans la liste :',
  onIt: 'Dans la liste :',
  missing: 'Absents de la liste :',
  otherKey: 'Avec une autre clé :',
  otherRole: 'Avec un autre rôle :',
  roleBefore: (name, role, before) => `${name} : ${role}, auparavant ${before}`,
  signedBy: (name) => `Signé par ${name}.`,
  goOnWithout:
    'Le serveur ne montre pas de liste signée des membres. Si vous acceptez cela, le groupe ne compte plus comme signé : vous pouvez lire ici, et de nouveau écrire après qu’un admin a signé les membres.',
  goingOn: 'Confirmation',
  goOnFailed: (reason) => `Impossible de confirmer : ${reason}`,

  calledByServer: (name) => `Inconnu de vous ; le serveur dit « ${name} »`,
  quoted: (name) => `« ${name} »`,
  serversNames: (names) => `${names} (les noms entre guillemets viennent du serveur)`,
  somebody: (name) => `une personne que le serveur nomme « ${name} »`,
  unnamed: (userId) => `une personne que le serveur ne nomme pas (${userId})`,
  you: 'vous',
  knownKeys: {
    own: 'Vous',
    compared: 'comparée',
    'for now': 'confiance provisoire',
    other: 'clé changée',
    unknown: 'clé inconnue de vous',
  },
  knownPerson: (name, key) => `${name} (${key})`,

  moveBackTitle: (group) => `Ramener dans « ${group} » ?`,
  moveBack: (titles, names) => `${titles} : pourront alors être lus par ${names}.`,
  moveBackNew: (names) => `Ces personnes ne peuvent pas le lire actuellement : ${names}.`,
  moveBackAct: 'Ramener',
  movingBack: 'Déplacement',
  moveBackFailed: (reason) => `Cela n’a pas été ramené : ${reason}`,
  moveBackGone: (group) => `Ces entrées ne sont plus dans « ${group} ».`,

  differences: {
    'added-unsigned': 'signée par aucun admin, cette personne ne reçoit donc pas de clés',
    removed: 'retiré ; le groupe a besoin d’une nouvelle clé',
    role: (signed) => `signé comme ${signed}`,
    key: 'la clé diffère de celle qui est signée',
  },
  gone: (count) =>
    `${count === 1 ? 'Un ancien membre retiré' : `${count} anciens membres retirés`} ; le groupe a besoin d’une nouvelle clé`,
};

const behind = (skipped: number) =>
  skipped === 0
    ? ''
    : `. ${skipped} ${skipped === 1 ? 'ancienne valeur n’a pas pu être ouverte et a été laissée' : 'anciennes valeurs n’ont pas pu être ouvertes et ont été laissées'} de côté`;

export const ROTATION: Translation<typeof ROTATION_TEXTS> = {
  keptUp: (count) => `Clés de ${groups(count)} changées, parce que quelqu’un est parti`,
  notKeptUp: (count) =>
    `Les clés de ${groups(count)} n’ont pas pu être changées entièrement : ouvrez leur onglet « Utilisateurs »`,
  dueTitle: 'La clé de ce groupe doit être changée',
  due: 'Quelqu’un est parti. Tant que la clé n’est pas changée, les clés de cette personne pourraient encore ouvrir ce qui est enregistré ici.',
  honest:
    'Une nouvelle clé protège ce qui est enregistré à partir de maintenant. La personne a peut-être gardé ce qu’elle a lu : changez ces valeurs.',
  start: 'Changer la clé maintenant',
  running: 'Changement de la clé',
  runningTitle: 'La clé de ce groupe est en cours de changement',
  keepOpen:
    'Les nouvelles valeurs sont déjà protégées. Si vous fermez cette page, n’importe quel admin peut terminer le reste plus tard.',
  stop: 'Arrêter',
  failedTitle: 'La clé de ce groupe n’a pas été changée entièrement',
  failed: (reason) => `${reason} La partie terminée reste.`,
  failedHere:
    'Cela continue au prochain déverrouillage, ou maintenant si vous appuyez sur « Continuer ». La partie terminée reste.',
  retry: 'Continuer',
  action: (group) => `changer la clé de « ${group} »`,
  done: (group, skipped) => `Clé de « ${group} » changée${behind(skipped)}`,
  waitForAdmin: 'Un admin de ce groupe doit le faire.',
  unsure: 'Les clés de ces membres ont changé. Comparez d’abord les clés, ou retirez le membre.',
  compare: 'Comparer la clé',
  convert: 'Signer la liste des membres',
  confirming: 'Confirmation',
  member: (name, role) => `${name}, ${role}`,
};
