import type { RECOVERY_KIT_TEXTS } from '@passwordbroker/client/texts/recovery-kit';
import type { Translation } from '@passwordbroker/core/texts';
import type { KIT_TEXTS } from '../../identity/recovery-kit.ts';
import type { KIT_BANNER_TEXTS } from '../../identity/recovery-kit-banner.ts';

export const RECOVERY_KIT: Translation<typeof KIT_TEXTS> = {
  title: 'Fiche de secours',
  cancel: 'Annuler',
  back: 'Retour',
  later: 'Plus tard',
  lock: 'Verrouiller le coffre',
  make: 'Créer une fiche de secours',

  intro: 'Une clé sur papier qui ouvre votre coffre si vous oubliez le mot de passe maître.',
  introReplace: 'Votre fiche de secours actuelle est valable jusqu’à ce que vous ayez confirmé la nouvelle.',
  introUsed: 'La fiche de secours que vous venez d’utiliser n’ouvre plus rien. Créez-en une nouvelle maintenant.',
  introRequired: 'Ce site en demande une à tout le monde. Cela prend deux minutes.',
  masterPassword: 'Mot de passe maître',
  making: 'Création de la fiche de secours',

  shownHint: 'Imprimez-la ou recopiez-la. Elle n’est montrée que maintenant.',
  groups: 'Clé de secours',
  group: (at, symbols) => `Groupe ${at} : ${symbols}`,
  check: (symbol) => `Caractère de contrôle : ${symbol}`,
  checkLabel: 'Caractère de contrôle',
  qr: 'La clé de secours en code QR',
  site: 'Site',
  name: 'Nom',
  email: 'E-mail',
  made: 'Créée le',
  print: 'Imprimer',
  save: 'Enregistrer en fichier texte',
  copy: 'Copier',
  copied: 'Clé de secours copiée',
  saved: 'Fichier texte enregistré. Ne le conservez pas sur cet ordinateur.',
  next: 'Je l’ai sur papier',

  askedHint: 'Tapez des parties de la clé d’après le papier. Vous saurez ainsi qu’elle est lisible.',
  typeGroup: (at) => `Saisir le groupe ${at}`,
  typeCheck: 'Saisir le caractère de contrôle',
  wrongGroup: (at) => `Le groupe ${at} est différent. Regardez votre fiche de secours.`,
  wrongCheck: 'Le caractère de contrôle est différent. Regardez votre fiche de secours.',
  showAgain: 'Montrer de nouveau',
  confirm: 'Confirmer',
  storing: 'Enregistrement',
  done: 'Votre fiche de secours est prête. Conservez-la en lieu sûr.',
  madeElsewhere: 'Une fiche de secours vient d’être créée dans un autre navigateur. Recommencez.',

  sheet: {
    what: 'Cette clé ouvre votre coffre si vous oubliez votre mot de passe maître. Conservez-la comme la clé d’un coffre-fort : quiconque l’a et peut se connecter à votre compte peut ouvrir le coffre.',
    steps: 'Comment l’utiliser',
    step1: (site) => `Connectez-vous comme d’habitude sur ${site}.`,
    step2: 'Quand le mot de passe maître est demandé, choisissez « J’ai oublié mon mot de passe maître ».',
    step3:
      'Saisissez la clé de secours, ou scannez le code avec un téléphone et collez le texte. Choisissez ensuite un nouveau mot de passe maître.',
    once: 'Après que vous l’avez utilisée ou en avez créé une nouvelle, cette fiche n’ouvre plus votre coffre. Détruisez-la : elle ouvre toujours d’anciennes sauvegardes et copies locales.',
  },
  fileName: (host) => `fiche-de-secours-${host}.txt`,

  forgotTitle: 'Mot de passe maître oublié ?',
  forgotHint: 'Votre fiche de secours ouvre le coffre. Vous choisissez ensuite un nouveau mot de passe maître.',
  keyHint: 'Tapez-la, ou collez le texte du code QR. Majuscules ou minuscules, avec ou sans tirets.',
  continue: 'Continuer',
  opening: 'Essai de la clé',
  noKit:
    'Sans le mot de passe maître ni une fiche de secours, votre coffre ne peut pas être ouvert. Un administrateur peut réinitialiser vos clés. Vous gardez votre compte, perdez ce que vous seul pouviez ouvrir, et les admins de vos groupes peuvent vous ajouter de nouveau.',
  lookingUp: 'Recherche de votre fiche de secours',
  newTitle: 'Choisir un nouveau mot de passe maître',
  newHint: 'La clé de secours est bonne. Elle n’ouvre plus rien dès que le nouveau mot de passe maître est enregistré.',
  newMaster: 'Nouveau mot de passe maître',
  newMasterConfirmation: 'Répétez le nouveau mot de passe maître',
  submit: 'Enregistrer et ouvrir le coffre',
  saving: 'Enregistrement',
  steps: {
    checking: 'Vérification',
    keys: 'Chiffrement de vos clés avec le nouveau',
    storing: 'Enregistrement de vos clés',
  },
  recovered: 'Votre nouveau mot de passe maître est enregistré et votre coffre est ouvert',
  openedOffline: 'Votre copie locale est ouverte. Passez en ligne pour choisir un nouveau mot de passe maître.',
  changedElsewhere: 'Vos clés ont été changées entre-temps dans un autre navigateur. Réessayez.',

  sectionHint: 'Ouvre votre coffre si vous oubliez le mot de passe maître.',
  madeOn: (time) => `Fiche de secours créée le ${time}`,
  none: 'Pas de fiche de secours',
  failed: 'Impossible de demander l’état de votre fiche de secours.',
  makeNew: 'En créer une nouvelle',
  remove: 'Supprimer',
  removeTitle: 'Supprimer la fiche de secours ?',
  removeText: 'Si vous oubliez ensuite votre mot de passe maître, votre coffre ne peut pas être ouvert.',
  removeOld:
    'Une fiche de secours perdue ouvre toujours d’anciennes sauvegardes et copies locales ; la suppression n’y change rien. Si quelqu’un pouvait avoir les deux, demandez à un administrateur de réinitialiser vos clés.',
  removing: 'Suppression',
  removeAction: 'supprimer votre fiche de secours',
  removed: 'Fiche de secours supprimée',
  lost: 'Si vous oubliez votre mot de passe maître, ces groupes sont perdus :',
  lostFailed: 'Impossible de déterminer les groupes que vous seul pouvez ouvrir.',
  lostWithKit: 'Si vous oubliez votre mot de passe maître et perdez la fiche de secours, ces groupes sont perdus :',
  addMember: 'Ajouter un membre',
  addMemberTo: (group) => `Ajouter un membre à ${group}`,
};

export const RECOVERY_KIT_BANNER: Translation<typeof KIT_BANNER_TEXTS> = {
  title: 'Personne ne peut récupérer votre mot de passe maître.',
  why: 'Une fiche de secours ouvre votre coffre si vous l’oubliez.',
  make: 'Créer une fiche de secours',
  later: 'Plus tard',
  menu: 'Fiche de secours',
  forgot: 'J’ai oublié mon mot de passe maître',
  key: 'Clé de secours',
  typo: 'Elle contient une faute de frappe',
  remembered: 'Utiliser le mot de passe maître',
};

export const RECOVERY_KIT_PROBLEM: Translation<typeof RECOVERY_KIT_TEXTS> = {
  notStored:
    'Le serveur dit avoir enregistré votre fiche de secours, mais ne la renvoie pas. Ne comptez pas sur cette fiche. Prévenez les exploitants du serveur.',
  recoveryNotStored:
    'Le serveur dit avoir enregistré votre nouveau mot de passe maître, mais envoie vos clés telles qu’elles étaient. Votre clé de secours les ouvre encore. Prévenez les exploitants du serveur.',
  recoveryUncertain:
    'La connexion a été perdue avant la confirmation du serveur. Soit votre nouveau mot de passe maître ouvre le coffre, soit votre clé de secours l’ouvre encore : essayez les deux.',
};
