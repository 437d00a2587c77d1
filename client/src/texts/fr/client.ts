import type { COPY_TEXTS } from '../clipboard.ts';
import type { CONNECTION_TEXTS, SESSION_TEXTS } from '../connection.ts';
import type { KEYRING_TEXTS, TRUST_PROBLEM_TEXTS } from '../keyring.ts';
import type { MASTER_PASSWORD_TEXTS } from '../master-password.ts';
import type { NEW_KEYS_TEXTS } from '../new-keys.ts';
import type { OFFLINE_COPY_TEXTS } from '../offline-copy.ts';
import type { Translation } from '@passwordbroker/core/texts';

export const CONNECTION: Translation<typeof CONNECTION_TEXTS> = {
  badAnswer: 'Le serveur a envoyé une réponse non valable',
  offline: 'Indisponible hors ligne',
  silent: (seconds) => `Le serveur n’a pas répondu en ${seconds} secondes`,
};

export const COPY: Translation<typeof COPY_TEXTS> = {
  notCopied:
    'Rien n’a été copié : le navigateur ne laisse pas cette page écrire dans le presse-papiers. Permettez-le pour cette page, ou affichez le texte, sélectionnez-le et copiez-le vous-même.',
};

export const SESSION: Translation<typeof SESSION_TEXTS> = {
  copyLeft: 'Impossible de supprimer la copie locale',
};

export const KEYRING: Translation<typeof KEYRING_TEXTS> = {
  locked: 'Le coffre est verrouillé',
  wrong_master_password: 'Le mot de passe maître est incorrect',
  other_person: 'Quelqu’un d’autre s’est connecté dans ce navigateur',
  unusable_master_password: 'Le mot de passe maître est vide, trop long ou contient un caractère impossible',
  ill_formed_text: 'Le texte contient un caractère qui ne peut pas être enregistré. Saisissez-le de nouveau.',
  key_mismatch: 'La clé de ce groupe n’est pas la bonne, il reste donc fermé ici. Demandez à un admin du groupe.',
  integrity: 'La valeur enregistrée est endommagée',
  offline_copy: 'La copie locale ne peut pas être utilisée',
  import_file: 'Impossible de lire le fichier',
  cancelled: 'Annulé',
  crashed: 'Le coffre a été verrouillé parce que son processus d’arrière-plan s’est arrêté',
  internal: 'Quelque chose a échoué',
};

export const TRUST_PROBLEM: Translation<typeof TRUST_PROBLEM_TEXTS> = {
  read_only:
    'Ce navigateur ne peut pas accepter cette liste des membres. Rien ne peut être modifié dans ce groupe tant que la liste n’est pas confirmée.',
  not_admin: 'Seul un admin du groupe peut accepter une autre liste des membres',
  other_list: 'La liste des membres sur le serveur a changé. Vérifiez-la de nouveau.',
  never_without:
    'La liste signée des membres manque. Ce groupe en a toujours eu une ; sans elle, rien n’est fiable dans le groupe.',
  rotation_unfinished: 'La clé de ce groupe est encore en cours de changement. Terminez d’abord cela.',
  key_unconfirmed: 'La clé de cette personne n’est pas confirmée : comparez d’abord les mots',
  key_changed: 'La clé de cette personne a changé : comparez d’abord les mots',
  members_unsure: 'La clé d’un membre a changé : comparez les mots ou retirez ce membre',
  members_unconfirmed: 'Les membres de ce groupe ne sont pas signés : confirmez-les d’abord',
  group_unconfirmed: 'Confirmez d’abord qui partage ce groupe avec vous',
  group_unsigned: 'Les membres de ce groupe ne sont pas signés : signez d’abord la liste des membres',
  must_compare: 'Comparez d’abord les mots de la clé avec cette personne. Avant cela, vous ne pouvez pas partager ici.',
  not_to_go_on:
    'Cette liste des membres n’est pas fiable et ne peut donc pas être acceptée. Prévenez les exploitants du serveur.',
  unasked:
    'Ce navigateur voit les membres de ce groupe pour la première fois. Vérifiez-les, puis changez la clé vous-même.',
  record:
    'Votre liste de confiance manque ou est périmée, rien ne peut donc être enregistré. Le message ci-dessus dit quoi faire.',
  favourites_full: 'Vous avez 500 favoris, le maximum. Retirez-en d’abord un.',
  searches_full: 'Vous avez enregistré 50 recherches, le maximum. Supprimez-en d’abord une.',
  other_passkey:
    'La clé d’accès a répondu autrement qu’à son ajout. Utilisez votre mot de passe maître, puis ajoutez de nouveau la clé d’accès.',
  wrong_recovery_key: 'Ce n’est pas la clé de secours de ce compte',
  no_recovery_kit: 'Ce compte n’a pas de fiche de secours',
  last_use: 'Répondez d’abord à la question sur la dernière utilisation de votre compte',
};

export const MASTER_PASSWORD: Translation<typeof MASTER_PASSWORD_TEXTS> = {
  tooltips: {
    'not entered': 'Mot de passe maître non saisi',
    'in-entry': 'Mot de passe maître non saisi',
    entered: 'Mot de passe maître saisi',
    validated: 'Mot de passe maître vérifié',
    incorrect: 'Mot de passe maître incorrect',
  },
  invalid: 'Le mot de passe maître est incorrect',
  missing: 'Le mot de passe maître manque',
  title: 'Mot de passe maître',
  label: 'Mot de passe maître',
  neededTo: (action) => `Nécessaire pour ${action}.`,
  neededLater: 'Ouvre vos secrets sur cet appareil.',
  hint: 'Mémorisé pour cette session et effacé à la déconnexion.',
  hintAfterRefusal:
    'Pas le mot de passe de connexion. Vérifiez le verrouillage des majuscules et la disposition du clavier.',
  cancel: 'Annuler',
  remember: 'Mémoriser',
  unlocking: 'Déverrouillage',
  usePasskey: 'Utiliser une clé d’accès',
  waitingForPasskey: 'En attente de votre clé d’accès',
  passkeyNotStored:
    'Le serveur a dit avoir enregistré ceci, mais il ne l’envoie pas. La clé d’accès n’ouvre pas votre coffre. Prévenez les exploitants du serveur.',
  locked: 'Coffre verrouillé',
  menu: 'Menu du mot de passe maître',
  lockNow: 'Verrouiller maintenant',
  changeMaster: 'Changer le mot de passe maître',
  ownKey: 'Les mots de votre clé',
  compareBrowsers: 'Comparer des navigateurs',
  habits: (minutes) =>
    `Se verrouille après ${minutes === 1 ? 'une minute' : `${minutes} minutes`} d’inactivité. Un secret copié est retiré du presse-papiers en une minute ; mais les programmes qui gardent un historique du presse-papiers peuvent encore l’avoir.`,
  change: {
    title: 'Changer le mot de passe maître',
    subtitle: 'Vos clés sont chiffrées avec le nouveau mot de passe maître. Vos secrets restent inchangés.',
    old: 'Ancien mot de passe maître',
    next: 'Nouveau mot de passe maître',
    confirmation: 'Répétez le nouveau mot de passe maître',
    hint: 'Personne ne peut le récupérer pour vous. Les anciennes sauvegardes s’ouvrent toujours avec l’ancien.',
    submit: 'Changer',
    changing: 'Changement en cours',
    continueAnyway: 'Continuer malgré les avertissements',
    goBack: 'Revenir et modifier',
    steps: {
      checking: 'Vérification',
      trying: 'Essai de l’ancien mot de passe maître',
      locking: 'Chiffrement de vos clés avec le nouveau',
      storing: 'Enregistrement de vos clés',
    },
    error: (text) => `Erreur : ${text}`,
    warning: (text) => `Avertissement : ${text}`,
    unusable: {
      empty: 'Le mot de passe maître est vide',
      long: 'Le mot de passe maître est trop long',
      broken: 'Le mot de passe maître contient un caractère impossible',
    },
    mismatch: 'La répétition ne correspond pas au mot de passe maître',
    weak: 'Le mot de passe maître est facile à deviner',
    unchanged: 'Le mot de passe maître est identique à l’ancien',
    changed: 'Mot de passe maître changé',
    changedElsewhere:
      'Le mot de passe maître vient d’être changé sur un autre appareil. Réessayez avec celui-là comme ancien mot de passe maître.',
    lockedMeanwhile: 'Le coffre a été verrouillé avant la fin. Réessayez.',
    damaged: 'Vos clés enregistrées sont endommagées. Le mot de passe maître n’a pas été changé.',
    uncertain:
      'La connexion a été coupée avant que le serveur confirme le changement. Vos clés s’ouvrent soit avec l’ancien, soit avec le nouveau mot de passe maître : essayez les deux.',
    notStored:
      'Le serveur dit avoir enregistré le changement, mais envoie toujours les anciennes clés. Votre ancien mot de passe maître les ouvre encore. Prévenez les exploitants du serveur.',
    failed: 'Le mot de passe maître n’a pas été changé',
  },
};

export const NEW_KEYS: Translation<typeof NEW_KEYS_TEXTS> = {
  title: 'Choisissez votre propre mot de passe maître',
  rekey:
    'La personne qui a créé votre compte a choisi le mot de passe actuel. Quand vous en choisissez un nouveau, ce navigateur crée de nouvelles clés que personne d’autre ne peut ouvrir.',
  first:
    'Vos clés sont créées dans ce navigateur, et personne d’autre ne peut les ouvrir. Si les anciennes ont été réinitialisées, demandez aux admins de vos groupes de vous ajouter de nouveau.',
  next: 'Nouveau mot de passe maître',
  confirmation: 'Répétez le nouveau mot de passe maître',
  hint: 'Personne ne peut le récupérer pour vous.',
  submit: 'Créer mes clés',
  making: 'Création de vos clés',
  later: 'Verrouiller le coffre',
  done: 'Vos nouvelles clés sont prêtes',
  lost: 'La connexion a été coupée avant la confirmation du serveur. Rechargez la page et essayez l’ancien et le nouveau mot de passe maître : l’un des deux ouvre vos clés.',
  notStored:
    'Le serveur dit avoir enregistré vos nouvelles clés, mais en envoie d’autres. Vos anciennes clés restent valables et rien n’a été supprimé. Prévenez les exploitants du serveur.',
  steps: {
    checking: 'Vérification',
    grants: 'Rassemblement des clés de vos groupes',
    keys: 'Création de vos clés',
    storing: 'Enregistrement chiffré',
    opening: 'Ouverture',
  },
};

export const OFFLINE_COPY: Translation<typeof OFFLINE_COPY_TEXTS> = {
  unusable: (reason) => `La copie locale ne peut pas être utilisée : ${reason}`,
  refusals: {
    answer: CONNECTION.badAnswer,
    older: 'La réponse du serveur est plus ancienne que la copie sur cet appareil',
    full: 'Ce navigateur n’a pas de place pour la copie',
  },
  notYourKeys: 'Le serveur a envoyé des clés qui ne sont pas les vôtres',
  saltOfOtherKeys: 'Le serveur a envoyé des données qui ne vont pas avec vos clés',
  keyUnusable: 'ses clés manquent ou sont endommagées',
  expired: 'elle n’a pas été mise à jour pendant 30 jours',
  clockBehind:
    'l’horloge de cet appareil retarde : elle indique une heure avant la dernière mise à jour. Réglez l’horloge et réessayez.',
  noHistory: 'La copie locale ne contient que les valeurs actuelles. Passez en ligne pour voir les anciennes.',
  notInCopy: 'Ce n’est pas dans la copie locale. Passez en ligne pour le voir.',
  noBody: 'Ce fichier n’est pas dans la copie locale : il est trop grand pour elle ou pas encore téléchargé.',
};
