import type { Translation } from '@passwordbroker/core/texts';
import type {
  ACCOUNT_TEXTS,
  FRESH_SIGN_IN_TEXTS,
  PASSWORD_RULE_TEXTS,
  WEAK_PASSWORD_TEXTS,
} from '../identity/account.ts';
import type { NOTICE_TEXTS } from '../notices.ts';

const minutes = (count: number) => (count === 1 ? '1 minute' : `${count} minutes`);

export const ACCOUNT: Translation<typeof ACCOUNT_TEXTS> = {
  page: 'Compte',
  link: (name) => `Compte de ${name}`,
  save: 'Enregistrer',
  saving: 'Enregistrement',
  tryAgain: 'Réessayer',
  loading: 'Chargement',
  programs: {
    web: 'client web',
    cli: 'ligne de commande',
    extension: 'extension de navigateur',
    api: 'autre programme',
  },

  profile: {
    title: 'Nom et e-mail',
    name: 'Nom d’utilisateur',
    email: 'E-mail',
    saved: 'L’utilisateur a été modifié',
    failed: 'Une erreur s’est produite, réessayez',
  },
  password: {
    title: 'Mot de passe du compte',
    hint: 'Pour vous connecter. Le mot de passe maître se change dans le menu au cadenas.',
    current: 'Mot de passe actuel',
    next: 'Nouveau mot de passe',
    confirmation: 'Répétez le nouveau mot de passe',
    change: 'Changer le mot de passe',
    changing: 'Changement en cours',
    changed: 'Mot de passe du compte changé. Toutes vos autres sessions et tous vos jetons ont pris fin.',
    noneHint:
      'Votre compte n’en a pas : vous vous connectez par authentification unique ou avec une clé d’accès. Avec un mot de passe, vous pouvez aussi vous connecter ici directement.',
    make: 'Définir un mot de passe',
    made: 'Mot de passe du compte défini. Toutes vos autres sessions et tous vos jetons ont pris fin.',
    empty: 'Le mot de passe est vide',
    mismatch: 'La répétition ne correspond pas au mot de passe',
    currentMissing: 'Le mot de passe est incorrect',
    remove: 'Supprimer le mot de passe',
    removeTitle: 'Supprimer le mot de passe du compte ?',
    removeText: (ways) =>
      `Vous ne vous connecterez plus qu’avec ${ways.join(' ou ')}. Toutes vos autres sessions et tous vos jetons prendront fin.`,
    removeHint:
      'Si vous perdez ce moyen, un administrateur peut donner un nouveau mot de passe au compte. Votre mot de passe maître et votre coffre restent inchangés.',
    passkey: 'une clé d’accès',
    removing: 'Suppression',
    removed: 'Mot de passe du compte supprimé. Toutes vos autres sessions et tous vos jetons ont pris fin.',
    cancel: 'Annuler',
  },
  lock: {
    title: 'Verrouillage et presse-papiers',
    hint: 'Combien de temps les secrets restent ouverts dans ce navigateur pendant votre absence.',
    after: 'Verrouiller après',
    minutes,
    remaskAfter: 'Masquer les valeurs affichées après',
    remaskHint: 'Un code à usage unique reste visible tant que le coffre est déverrouillé, 5 minutes au plus.',
    clearAfter: 'Vider le presse-papiers après',
    clearHint:
      'Après la copie d’un secret. Les programmes qui gardent un historique du presse-papiers peuvent encore l’avoir.',
    seconds: (seconds) => (seconds < 60 ? `${seconds} secondes` : minutes(seconds / 60)),
    most: (most) => `Ce site permet au plus ${most === 1 ? 'une minute' : `${most} minutes`}.`,
    notKept: 'Ce navigateur n’enregistre pas ce choix ; il est perdu quand vous fermez la page.',
  },
  appearance: {
    title: 'Apparence',
    hint: 'S’applique à ce navigateur.',
    theme: 'Thème',
    themes: { dark: 'Sombre', light: 'Clair', system: 'Système' },
    density: 'Lignes',
    densities: { comfortable: 'Confortables', compact: 'Compactes' },
    dates: 'Dates',
    dateFormats: { plain: 'Année d’abord', locale: 'Langue du navigateur' },
    dateExample: (now) => `Maintenant : ${now}`,
  },
  language: {
    title: 'Langue',
    hint: 'S’applique à ce navigateur. Un changement recharge la page et verrouille le coffre.',
    choice: 'Langue de la page',
    system: 'Comme le navigateur',
    names: { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' },
  },
  serverCrypto: {
    title: 'Mot de passe maître sur le serveur',
    hint: 'Ce site web n’envoie jamais votre mot de passe maître au serveur. D’autres programmes le peuvent, si ni ce site ni vous ne l’interdisez.',
    optOut: 'Le serveur refuse mon mot de passe maître',
    optOutHint:
      'Les programmes qui l’envoient sont refusés. Vous pouvez le permettre à nouveau à tout moment. Ce site web fonctionne comme avant.',
    optedOut: 'Le serveur refuse désormais votre mot de passe maître',
    optedIn: 'Les programmes peuvent de nouveau envoyer votre mot de passe maître',
    siteOff: 'Sur ce site, aucun programme ne peut envoyer de mot de passe maître.',
    exposed: (time) => `Votre mot de passe maître a été utilisé sur le serveur, en dernier ${time}`,
    exposedWhat:
      'À ce moment, le serveur pouvait ouvrir vos clés. Si ce n’était pas un de vos programmes, agissez maintenant.',
    exposedAdvice:
      'Changez votre mot de passe maître et cochez « Le serveur refuse mon mot de passe maître » ci-dessous. Des clés copiées restent valables jusqu’à ce qu’un admin du site réinitialise les vôtres.',
    change: 'Changer le mot de passe maître',
  },
  export: {
    title: 'Export',
    hint: 'Un fichier avec les groupes que vous pouvez exporter, pour un autre programme ou pour le garder.',
    start: 'Exporter tout ce que je peux',
  },
  storage: {
    title: 'Espace de stockage',
    hint: 'Fichiers et textes de plus de 1 ko que vous avez ajoutés, avec leurs anciennes versions et la corbeille.',
    failed: 'Impossible de charger votre espace de stockage.',
    stored: (stored) => `Vous utilisez ${stored}.`,
    storedOf: (stored, quota) => `Vous utilisez ${stored} sur ${quota}.`,
  },
  sessions: {
    title: 'Sessions',
    hint: 'Navigateurs où vous êtes connecté.',
    failed: 'Impossible de charger les sessions',
    current: 'ce navigateur',
    at: (address) => `depuis ${address}`,
    lastSeen: (time) => `vue en dernier ${time}`,
    until: (time) => `se termine ${time}`,
    unknown: 'Navigateur inconnu',
    end: 'Terminer',
    endNamed: (what) => `Terminer la session de ${what}`,
    ending: 'Fin en cours',
    ended: 'Session terminée',
    endOthers: 'Terminer toutes les autres',
    endedOthers: (count) => (count === 1 ? 'Une session terminée' : `${count} sessions terminées`),
  },
  tokens: {
    title: 'Jetons',
    hint: 'Avec un jeton, un programme se connecte en votre nom. Les navigateurs qui se connectent depuis la page d’un autre serveur en ont un aussi.',
    failed: 'Impossible de charger les jetons',
    empty: 'Aucun jeton',
    current: 'ce navigateur',
    scopes: (scopes) => scopes.join(', '),
    lastUsed: (time) => `utilisé en dernier ${time}`,
    until: (time) => `se termine ${time}`,
    revoke: 'Révoquer',
    revokeNamed: (name) => `Révoquer le jeton ${name}`,
    revoking: 'Révocation',
    revoked: (name) => `Jeton ${name} révoqué`,
    add: 'Nouveau jeton',
    dialog: 'Nouveau jeton',
    name: 'Nom',
    nameHint: 'Remplace un jeton du même nom.',
    days: 'Jours jusqu’à la fin',
    daysHint: (most) => `1 à ${most}`,
    scope: 'Il peut',
    scopeNames: { read: 'lire', write: 'écrire', offline: 'charger la copie hors ligne' },
    create: 'Créer le jeton',
    creating: 'Création',
    made: (name) => `Jeton ${name}`,
    once: 'Copiez-le maintenant ; il ne sera plus affiché. Quiconque l’a peut agir en votre nom.',
    copy: 'Copier le jeton',
    copied: 'copié',
    done: 'Terminé',
    cancel: 'Annuler',
    noScope: 'Choisissez ce qu’il peut faire.',
  },
};

export const PASSWORD_RULE: Translation<typeof PASSWORD_RULE_TEXTS> = {
  rulesUnknown:
    'Impossible de charger les règles de mots de passe de ce site. Rien n’a été envoyé. Vérifiez la connexion et réessayez.',
  rulesRefused: (reason) =>
    `Le serveur n’a pas envoyé ses règles de mots de passe (${reason.replace(/\.$/, '')}). Rien n’a été envoyé. Réessayez ; si cela n’aide pas, demandez aux exploitants du serveur.`,
  tooShort: (least) => `Sur ce site, un mot de passe a au moins ${least} caractères.`,
  strengthUnknown:
    'Ce site refuse les mots de passe faciles à deviner, mais ce navigateur n’a pas pu vérifier le vôtre. Rien n’a été envoyé. Réessayez ; si cela n’aide pas, rechargez la page.',
};

export const WEAK_PASSWORD: Translation<typeof WEAK_PASSWORD_TEXTS> = {
  password: 'Le mot de passe de votre compte est plus faible que ce site ne le permet.',
  masterPassword: 'Votre mot de passe maître est plus faible que ce site ne le permet.',
  why: 'Choisissez-en un plus long, plus difficile à deviner.',
  changePassword: 'Changer le mot de passe',
  changeMasterPassword: 'Changer le mot de passe maître',
};

export const FRESH_SIGN_IN: Translation<typeof FRESH_SIGN_IN_TEXTS> = {
  title: 'Confirmez d’abord votre mot de passe',
  subtitle: 'Votre connexion date de plus de dix minutes. Confirmez que c’est vous, puis continuez.',
  password: 'Mot de passe',
  hint: 'Celui avec lequel vous vous connectez, pas votre mot de passe maître.',
  missing: 'Saisissez le mot de passe',
  code: 'Code',
  codeHint: 'De votre application d’authentification, ou un code de récupération.',
  keyHint: 'Quand vous appuyez sur Confirmer, votre navigateur demande votre clé de sécurité ou votre clé d’accès.',
  waitingForKey: 'En attente de votre clé d’accès',
  useKey: 'Utiliser une clé de sécurité',
  useCode: 'Saisir plutôt un code',
  confirm: 'Confirmer',
  confirming: 'Confirmation',
  cancel: 'Annuler',
};

const groups = (count: number) => (count === 1 ? 'un groupe' : `${count} groupes`);

export const NOTICE: Translation<typeof NOTICE_TEXTS> = {
  page: 'Notifications',
  pageHint:
    'Ce qui a changé dans vos groupes, pendant 90 jours. Vous choisissez les types sur la page de votre compte.',
  toSettings: 'Choisir les types',
  list: 'Notifications, les plus récentes d’abord',
  unread: 'Non lues',
  readAll: 'Tout marquer comme lu',
  reading: 'Marquage en cours',
  older: 'Notifications plus anciennes',
  loading: 'Chargement des notifications',
  failed: 'Impossible de charger les notifications',
  notRead: 'Impossible de marquer les notifications comme lues',
  retry: 'Réessayer',
  empty: 'Pas encore de notifications',
  emptyHint: 'Vous verrez ici qui a rejoint ou quitté vos groupes, et ce qui vous attend.',
  times: (count) => `${count} fois`,
  somebody: 'Quelqu’un',
  place: (named, count) => {
    const [first, second] = named;
    if (first === undefined) return groups(count);
    if (count === 1) return `« ${first} »`;
    if (count === 2 && second !== undefined) return `« ${first} » et « ${second} »`;
    return `« ${first} » et ${count === 2 ? 'un autre groupe' : `${count - 1} autres groupes`}`;
  },
  told: {
    group_added: (place, _who, role) => `Vous avez été ajouté à ${place}, comme ${role}`,
    group_removed: (place) => `Vous avez été retiré de ${place}`,
    role_changed: (place, _who, role) => `Votre rôle dans ${place} est maintenant ${role}`,
    member_joined: (place, who) => `${who} est maintenant dans ${place}`,
    member_left: (place, who) => `${who} n’est plus dans ${place}`,
    keys_to_change: (place) =>
      `De nouvelles clés sont nécessaires dans ${place}. Ce navigateur les crée à l’ouverture.`,
  },
  due: (title, count) => {
    if (title === undefined) return 'Les entrées à échéance sont traitées, ou vous ne les voyez plus';
    if (count === 1) return `« ${title} » arrive à échéance d’ici deux semaines ou l’a dépassée`;
    const others = count === 2 ? 'une autre entrée' : `${count - 1} autres entrées`;
    return `« ${title} » et ${others} arrivent à échéance d’ici deux semaines ou l’ont dépassée`;
  },
  keysChanged: (place) => `Il y a de nouvelles clés dans ${place}`,

  settings: {
    title: 'Les notifications que vous recevez',
    hint: 'La cloche de l’en-tête les montre. Les e-mails ne nomment ni groupes, ni entrées, ni personnes.',
    noMail: 'Ce site n’envoie pas d’e-mails.',
    kinds: {
      group_added: 'Vous êtes ajouté à un groupe',
      group_removed: 'Vous êtes retiré d’un groupe',
      role_changed: 'Votre rôle dans un groupe change',
      member_joined: 'Quelqu’un rejoint un groupe que vous administrez',
      member_left: 'Quelqu’un quitte un groupe que vous administrez',
      keys_to_change: 'Un groupe que vous administrez a besoin de nouvelles clés',
      entries_due: 'Des entrées d’un groupe que vous administrez ou modérez arrivent à échéance',
    },
    deliveries: {
      off: 'Désactivé',
      here: 'Dans l’application',
      mail: 'Dans l’application et aussitôt par e-mail',
      digest: 'Dans l’application et dans l’e-mail quotidien',
    },
    hour: 'E-mail quotidien à',
    hourHint: (zone) => `Fuseau horaire : ${zone}. Sans nouveauté, il n’y a pas d’e-mail.`,
    failed: 'Impossible d’enregistrer le choix',
  },
};
