import type { Translation } from '@passwordbroker/core/texts';
import type { TRUST_RECORD_TEXTS } from '../groups/trust-record.ts';

export const TRUST_RECORD: Translation<typeof TRUST_RECORD_TEXTS> = {
  title: 'Liste de confiance',
  hint: 'Elle contient les personnes dont vous avez confirmé la clé, et les membres que vous avez acceptés dans vos groupes. Seules vos clés l’ouvrent.',
  locked: 'Déverrouillez le coffre pour la voir.',
  states: {
    sound: (n, time) => `Liste ${n}, modifiée en dernier ${time}.`,
    behind: (n) =>
      `Le serveur a une liste plus ancienne que ce navigateur. Ce navigateur garde la liste ${n} et l’envoie de nouveau au serveur.`,
  },
  browsers: 'Navigateurs qui ont utilisé votre compte',
  browsersHint: 'Les vingt derniers. Soyez attentif à un navigateur qui n’est pas le vôtre.',
  thisBrowser: 'ce navigateur',
  lastUsed: (time) => `utilisé en dernier ${time}`,
  firstUsed: (time) => `depuis ${time}`,
  unknownBrowser: 'Navigateur inconnu',

  missingTitle: 'Votre liste de confiance manque',
  missing:
    'Elle contient les personnes dont vous avez confirmé la clé. Le serveur devrait l’avoir, mais ne la montre pas. Vous pouvez lire, mais ce navigateur n’enregistre aucune modification.',
  missingAdvice:
    'Déverrouillez le coffre dans un autre navigateur où vous avez utilisé ce compte : il rétablit la liste. S’il n’y en a pas, vous pouvez commencer une nouvelle liste.',
  doubtedTitle: 'Vous avez dit que votre liste de confiance est peut-être périmée',
  doubted:
    'Le serveur montre peut-être un ancien état de votre compte. Vous pouvez lire, mais ce navigateur n’enregistre aucune modification.',
  doubtedAdvice:
    'Comparez ce navigateur avec un autre des vôtres, ou déverrouillez le coffre dans un navigateur que vous avez utilisé depuis : il rétablit la liste plus récente. S’il n’y en a pas, vous pouvez commencer une nouvelle liste.',
  noneTitle: 'Votre compte reçoit une liste de confiance',
  none: 'Elle retient les clés que vous avez confirmées. Ce navigateur est nouveau pour votre compte. Si vous avez déjà utilisé votre compte dans un autre navigateur, déverrouillez-y d’abord le coffre ; rien ne vous sera alors demandé ici.',
  setUp: 'L’établir ici',
  tryAgain: 'Réessayer',
  trying: 'Vérification',
  stillMissing: 'Le serveur ne la montre toujours pas.',
  beginNew: 'Commencer une nouvelle liste',
  whatToDo: 'Que faire',
  notPutBack: (reason) => `Impossible de rétablir votre liste de confiance sur le serveur : ${reason}`,
  notStored: (reason) => `Impossible d’enregistrer votre liste de confiance sur le serveur : ${reason}`,

  newTitle: 'Commencer une nouvelle liste de confiance ?',
  newText:
    'La question vous sera alors posée de nouveau pour chaque groupe et chaque clé. Demandez d’abord aux exploitants du serveur, sauf si vous savez qu’une sauvegarde a été perdue : quiconque contrôle le serveur souhaite peut-être que vous acceptiez de faux membres.',
  newEmail: 'Saisissez votre adresse e-mail pour confirmer',
  newMismatch: 'Ce n’est pas l’adresse e-mail de votre compte.',
  beginAction: 'commencer une nouvelle liste de confiance',
  readAction: 'lire votre liste de confiance',
  setUpAction: 'établir votre liste de confiance',
  beginning: 'Commencement',
  begun: 'Une nouvelle liste de confiance a été commencée',
  failed: (reason) => `Échec : ${reason}`,

  setUpTitle: 'Établir votre liste de confiance',
  setUpText:
    'Ces groupes sont signés avec votre propre clé. Décochez chaque groupe dont les membres ne sont pas justes.',
  setUpPeople: 'Clés que vous avez confirmées autrefois',
  setUpGroups: 'Groupes',
  setUpNothing: 'Votre liste commence vide. La question vous sera posée une fois pour chaque personne.',
  setUpMembers: (names) => `Membres : ${names}`,
  right: 'Ils sont justes',
  settingUp: 'Établissement',
  isSetUp: (count) => `Votre liste de confiance est établie, avec ${count} ${count < 2 ? 'groupe' : 'groupes'}`,

  lastUseTitle: 'Avez-vous utilisé votre compte pour la dernière fois à ce moment ?',
  lastUse: (time, browser) => `${time}, ${browser}`,
  lastUseIn: (time, browser, group) => `${time}, ${browser} ; en dernier dans « ${group} »`,
  lastUseWhy:
    'Ce navigateur est nouveau et ne voit que ce que montre le serveur. Votre réponse dit si le serveur cache une chose que vous avez faite plus tard, comme le retrait d’une personne.',
  yes: 'Oui',
  no: 'Non, plus tard encore',
  answering: 'Enregistrement',
  newBrowser: (time, browser) => `Nouveau navigateur. Votre compte a été utilisé en dernier ${time} dans ${browser}.`,
  compare: 'Comparer des navigateurs',
  compareTitle: 'Comparer deux de vos navigateurs',
  compareText:
    'Ouvrez aussi ceci dans l’autre navigateur. Les deux doivent montrer le même nombre et les mêmes mots. S’ils diffèrent, ne changez rien et prévenez les exploitants du serveur.',
  compareNumber: (n) => `Liste ${n}`,
  compareWords: 'Mots de la liste',
  compareAction: 'comparer vos navigateurs',
  reading: 'Lecture de la liste',
  same: 'Ils sont identiques',
  differ: 'Ils diffèrent',
  compared: 'Vos navigateurs ont la même liste de confiance',

  strictTitle: 'Vous n’avez plus à comparer les mots de la clé avant de partager.',
  strictText: 'Garder cette règle pour votre compte ?',
  keep: 'Garder',
  stopAsking: 'Ne plus l’exiger',
  strictKept: 'Vous devez toujours comparer les mots de la clé avant de partager',
  strictStopped: 'Vous pouvez maintenant partager, et comparer les mots de la clé plus tard',
  strictOn: 'Vous ne partagez qu’avec des personnes dont vous avez comparé les mots de la clé.',

  storageDeleted:
    'Les données que ce navigateur garde sur votre compte ont été supprimées pendant que vous l’utilisiez. Elles sont de nouveau enregistrées. Si vous ne les avez pas supprimées vous-même, prévenez les exploitants du serveur.',
  putBack: 'Le serveur avait une liste de confiance plus ancienne. Ce navigateur lui a envoyé la plus récente.',
};
