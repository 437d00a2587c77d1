import type { Translation } from '@passwordbroker/core/texts';
import type { ENROL_TEXTS, FACTOR_TEXTS, FACTORS_TEXTS, GRACE_TEXTS, HOW_TEXTS } from '../../identity/factors.ts';

export const FACTOR: Translation<typeof FACTOR_TEXTS> = {
  title: 'Confirmez que c’est vous',
  totpHint: 'Saisissez les six chiffres de votre application d’authentification.',
  code: 'Code',
  useTotp: 'Utiliser l’application d’authentification',
  useKey: 'Utiliser une clé de sécurité ou une clé d’accès',
  keyHint:
    'Appuyez sur le bouton, puis suivez votre navigateur : touchez la clé, ou confirmez sur le téléphone ou l’ordinateur.',
  waitingForKey: 'En attente de votre clé d’accès',
  keyGone: 'Aucune de vos clés de sécurité n’est plus valable ici. Utilisez un autre moyen.',
  keysMoved: (hosts) =>
    `Vos clés d’accès appartiennent à ${hosts}. Utilisez votre application d’authentification ou un code de récupération.`,
  keysAtHome: (host) =>
    `Vos clés d’accès appartiennent à ${host}. Connectez-vous directement sur ${host}, ou utilisez un code de récupération.`,
  useRecovery: 'Utiliser un code de récupération',
  choose: 'Comment voulez-vous confirmer ?',
  anotherWay: 'Autre moyen',
  remember: (days) => `Ne pas demander dans ce navigateur pendant ${days === 1 ? 'un jour' : `${days} jours`}`,
  confirm: 'Confirmer',
  confirming: 'Confirmation',
  recoveryCode: 'Code de récupération',
  recoveryHint: (left) => `Il ne vaut qu’une fois. ${left === 1 ? 'Il en reste un' : `Il en reste ${left}`}.`,
  lost: 'Tout perdu ? Un administrateur peut vous donner un code.',
  back: 'Retour',
  missing: 'Saisissez le code.',
  side: 'Deux étapes tiennent les autres à distance',
  sideText:
    'Quiconque apprend votre mot de passe a encore besoin de votre téléphone, de votre clé de sécurité ou d’un de vos codes.',
};

export const ENROL: Translation<typeof ENROL_TEXTS> = {
  title: 'Configurer un second facteur',
  intro: 'Ce site en demande un. Cela prend une minute. Votre coffre est tel que vous l’avez laissé.',
  key: 'Clé de sécurité ou clé d’accès',
  keyHint:
    'Recommandé : une clé USB ou NFC, ou une clé d’accès sur un téléphone ou un ordinateur. Vous la touchez ou la déverrouillez en vous connectant.',
  keyText: 'Donnez-lui un nom. Votre navigateur vous demande ensuite de toucher la clé ou de créer une clé d’accès.',
  addKey: 'Ajouter',
  waitingForKey: 'En attente de votre clé d’accès',
  anotherWay: 'Autre moyen',
  app: 'Application d’authentification',
  appHint: 'Une application sur votre téléphone affiche un code de six chiffres. Vous le saisissez en vous connectant.',
  logOut: 'Se déconnecter',
  againText:
    'Votre second facteur est configuré. Les codes affichés avant le rechargement de cette page ne peuvent pas être montrés de nouveau.',
  skip: 'J’ai conservé les anciens en lieu sûr',
  side: 'Votre coffre est tel que vous l’avez laissé',
  sideText: 'Un second facteur est demandé à la connexion. Il n’ouvre pas vos secrets.',
};

export const GRACE: Translation<typeof GRACE_TEXTS> = {
  due: (date) => `Configurez un second facteur avant le ${date}.`,
  after: 'Ensuite, vous devrez le faire avant de pouvoir continuer.',
  setUp: 'Configurer maintenant',
  fewCodes: (left) =>
    left === 0
      ? 'Vous n’avez plus de codes de récupération.'
      : `Il vous reste ${left === 1 ? 'un code de récupération' : `${left} codes de récupération`}.`,
  makeNew: 'Créer de nouveaux codes',
  recently: 'Récemment dans votre compte :',
  byAdmin: 'par un administrateur',
  more: (count) => `et ${count} de plus`,
  notMe: 'Si vous ne vous y attendiez pas, dites-le à un administrateur.',
  wasMe: 'Je suis au courant',
};

export const FACTORS: Translation<typeof FACTORS_TEXTS> = {
  title: 'Connexion',
  secondFactor: 'Second facteur',
  hint: 'Demandé à la connexion. Il n’ouvre pas vos secrets.',
  failed: 'Impossible de charger vos seconds facteurs',
  required: 'Votre site demande un second facteur.',
  off: 'Les seconds facteurs sont désactivés sur ce site.',
  elsewhere: (host) => `Pour les voir et les modifier, connectez-vous directement sur ${host}.`,
  app: 'Application d’authentification',
  appNone: 'Non configurée',
  added: (time) => `Ajoutée ${time}`,
  lastUsed: (time) => `utilisée en dernier ${time}`,
  neverUsed: 'pas encore utilisée',
  setUp: 'Configurer',
  replace: 'Remplacer',
  remove: 'Supprimer',
  cancel: 'Annuler',
  done: 'Terminé',

  totp: {
    dialog: 'Configurer l’application d’authentification',
    scan: 'Scannez ceci avec votre application, ou saisissez la clé',
    qr: 'Code QR pour l’application d’authentification',
    cannotScan: 'Impossible de scanner ?',
    copyKey: 'Copier la clé',
    keyKind: 'Basé sur le temps, six chiffres.',
    code: 'Code de l’application',
    codeMissing: 'Saisissez le code.',
    revokeTokens: (count) => (count === 1 ? 'Révoquer aussi mon jeton' : `Révoquer aussi mes ${count} jetons`),
    revokeHint: 'Ils ont été créés avec le seul mot de passe.',
    replaces: 'L’application actuelle fonctionne jusqu’à ce que vous confirmiez la nouvelle.',
    expired: 'Cela a duré trop longtemps. Scannez le nouveau code.',
    starting: 'Création d’une clé',
    confirm: 'Confirmer',
    confirming: 'Confirmation',
    done: 'Application d’authentification configurée',
  },
  keys: {
    title: 'Clé de sécurité ou clé d’accès',
    kinds: 'Une clé USB ou NFC, ou une clé d’accès sur un téléphone ou un ordinateur',
    needsHost: 'Demande un site avec un nom d’hôte et HTTPS',
    count: (count) => (count === 1 ? 'Une ajoutée' : `${count} ajoutées`),
    one: 'Clés de sécurité',
    addAnother: 'En ajouter une autre',
    nameHint: 'Pour la reconnaître plus tard, par exemple « Clé bleue » ou « Téléphone ».',
    dialog: {
      title: 'Ajouter une clé de sécurité ou une clé d’accès',
      hint: 'À la connexion, vous l’utilisez après votre mot de passe. Appuyez sur Ajouter : votre navigateur vous demande ensuite de toucher la clé ou de créer une clé d’accès.',
      submit: 'Ajouter',
    },
    added: 'Clé de sécurité ajoutée',
    removeTitle: (name) => `Supprimer « ${name} » ?`,
    removed: 'Clé de sécurité supprimée',
  },
  removal: {
    title: 'Supprimer l’application d’authentification ?',
    text: 'Vos autres seconds facteurs et vos codes de récupération restent. Vos autres sessions prennent fin.',
    textLast:
      'Seul votre mot de passe sera alors demandé à la connexion. Vos codes de récupération ne sont plus valables, et vos autres sessions prennent fin.',
    removing: 'Suppression',
    done: 'Application d’authentification supprimée',
  },

  codes: {
    title: 'Codes de récupération',
    left: (left) => `${left} sur 10 restants`,
    made: (time) => `créés ${time}`,
    makeNew: 'Créer de nouveaux codes',
    making: 'Création des codes',
    makeTitle: 'Créer de nouveaux codes de récupération ?',
    makeText: 'Les anciens ne sont alors plus valables.',
    check: 'Vérifier un code',
    checkText: 'La vérification n’utilise pas le code.',
    checking: 'Vérification',
    code: 'Code de récupération',
    missing: 'Saisissez le code.',
    good: 'Ce code est valable',
    notGood: 'Ce code n’est pas valable',
    restored:
      'Ce site a été restauré à partir d’une sauvegarde. Les codes utilisés depuis sont de nouveau valables : créez-en de nouveaux.',
    shown: 'Vos codes de récupération',
    shownText:
      'Utilisez-en un quand vous n’avez pas d’autre facteur. Chacun vaut une fois. Conservez-les en lieu sûr : avec votre mot de passe, quiconque peut se connecter avec l’un d’eux. Ils ne sont montrés que maintenant.',
    copy: 'Copier',
    copied: 'Codes de récupération copiés',
    save: 'Enregistrer dans un fichier',
    print: 'Imprimer',
    kept: 'Je les ai conservés en lieu sûr',
    file: (host, email) => [
      `Codes de récupération de ${email}`,
      `pour PasswordBroker sur ${host}`,
      'Chacun vaut une fois, avec le mot de passe du compte.',
    ],
  },

  remembered: {
    title: 'Navigateurs mémorisés',
    hint: 'Le second facteur n’y est pas demandé.',
    none: 'Aucun',
    current: 'ce navigateur',
    unknown: 'Navigateur inconnu',
    at: (address) => `depuis ${address}`,
    lastUsed: (time) => `utilisé en dernier ${time}`,
    until: (time) => `jusqu’à ${time}`,
    forget: 'Retirer',
    forgetNamed: (what) => `Retirer ${what} des navigateurs mémorisés`,
    forgetting: 'Retrait',
    forgotten: 'Le second facteur est de nouveau demandé dans ce navigateur',
    forgetAll: 'Tout retirer',
    forgotAll: (count) => (count === 1 ? 'Un navigateur retiré' : `${count} navigateurs retirés`),
  },
};

const METHODS = {
  password: 'Mot de passe',
  passkey: 'Clé d’accès',
  'sign-up': 'Inscription',
  invite: 'Invitation',
  sso: 'Authentification unique',
} as const;
const BESIDE = {
  totp: 'application d’authentification',
  recovery: 'code de récupération',
  passkey: 'clé de sécurité',
  remembered: 'navigateur mémorisé',
  sso: 'second facteur là-bas',
} as const;

export const HOW: Translation<typeof HOW_TEXTS> = {
  begun: (method, factor) =>
    factor === null || factor === method ? METHODS[method] : `${METHODS[method]} et ${BESIDE[factor]}`,
  withoutFactor: 'créée sans second facteur',
};
