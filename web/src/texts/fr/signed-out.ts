import type { Translation } from '@passwordbroker/core/texts';
import type { IDENTITY_TEXTS } from '../identity/identity.ts';
import type {
  INVITATION_TEXTS,
  LOGOUT_TEXTS,
  RECOVERY_TEXTS,
  SERVER_TEXTS,
  SIGN_UP_TEXTS,
} from '../identity/signed-out.ts';

export const IDENTITY: Translation<typeof IDENTITY_TEXTS> = {
  home: 'PasswordBroker, accueil',
  about: 'À quoi sert cette page',
  loading: 'Ouverture de PasswordBroker',
  tryAgain: 'Réessayer',
  logIn: 'Se connecter',
  passkey: 'Se connecter avec une clé d’accès',
  loggingIn: 'Connexion en cours',
  serverUrl: 'Adresse du serveur',
  email: 'E-mail',
  password: 'Mot de passe',
  serverUrlMissing: 'Saisissez l’adresse du serveur',
  emailMissing: 'Saisissez l’adresse e-mail',
  passwordMissing: 'Saisissez le mot de passe',
  noConnection: (host) => `Pas de connexion à ${host}`,
  loginFailed: 'La connexion a échoué',
  maybeNotAdmitted: 'Le serveur est hors ligne ou n’accepte pas de connexion d’ici. Demandez à son administrateur.',
  needsHttps: 'Cette page a besoin de HTTPS : sans lui, les navigateurs ne permettent pas le chiffrement.',
  sideLogin: 'La connexion ouvre vos groupes',
  sideLoginText: 'Les valeurs secrètes restent chiffrées jusqu’à ce que vous saisissiez votre mot de passe maître.',
  backToGroups: 'Retour aux groupes',
  toggleTheme: 'Passer du clair au sombre',
  unexpected: 'Erreur inattendue de l’application !',
  waiting: 'chargement …',
  reload: 'Recharger la page',
  chunkHints: {
    missing:
      'Le serveur a été mis à jour depuis l’ouverture de cette page. Rechargez la page pour obtenir la nouvelle version.',
    timeout: 'Le serveur n’a pas envoyé à temps une partie de la page. Rechargez la page.',
    error: 'Une partie de la page n’est pas arrivée. Vérifiez la connexion et rechargez la page.',
  },
};

export const SIGN_UP: Translation<typeof SIGN_UP_TEXTS> = {
  userName: 'Nom d’utilisateur',
  passwordConfirmation: 'Répétez le mot de passe',
  masterPassword: 'Mot de passe maître',
  masterPasswordHint: 'Ouvre vos secrets. Personne ne peut le récupérer pour vous.',
  masterPasswordConfirmation: 'Répétez le mot de passe maître',
  setupToken: 'Code d’installation',
  setupTokenHint: 'Il figure dans la sortie du serveur ou dans son réglage SETUP_TOKEN.',
  signUp: 'S’inscrire',
  makingKeys: 'Création de vos clés',
  firstUser: 'Créer le premier utilisateur',
  firstUserHint: 'Ce compte sera le premier utilisateur du serveur.',
  fromBackup: 'Restaurer plutôt ce serveur à partir d’une sauvegarde',
  continueAnyway: 'Continuer malgré les avertissements',
  goBack: 'Revenir et modifier',
  checking: 'Vérification',
  error: (text) => `Erreur : ${text}`,
  warning: (text) => `Avertissement : ${text}`,
  identicalHint:
    'Le serveur voit votre mot de passe à chaque connexion. Si votre mot de passe maître est le même, le serveur le connaît aussi.',
  signUpFailed: 'L’inscription a échoué',
  sideSignUp: 'Deux mots de passe, deux rôles',
  sidePassword: 'Vous connecte à ce serveur.',
  sideMasterPassword:
    'Demandé quand vous affichez, copiez ou modifiez un secret. Choisissez-en un autre que votre mot de passe.',
};

export const INVITATION: Translation<typeof INVITATION_TEXTS> = {
  acceptInvite: 'Accepter l’invitation',
  invitedBoth: 'Votre nom et votre adresse e-mail figurent dans l’invitation.',
  invitedEmail: 'Votre adresse e-mail figure dans l’invitation.',
  openingInvite: 'Ouverture de votre invitation',
  inviteError: 'ERREUR D’INVITATION',
  inviteGone: 'Ce lien a peut-être déjà été utilisé ou a expiré. Demandez-en un nouveau à un admin du site.',
  goToLogin: 'Vers la connexion',
  signedInAlready: (name) =>
    `Vous êtes connecté comme ${name}. Déconnectez-vous d’abord pour accepter cette invitation avec un nouveau compte.`,
  logOutFirst: 'Se déconnecter et accepter',
  stayIn: 'Retour aux groupes',
};

export const LOGOUT: Translation<typeof LOGOUT_TEXTS> = {
  loggingOut: 'Déconnexion',
  notLoggedOut: 'Vous n’êtes pas déconnecté',
  stillSignedIn:
    'Le serveur n’a pas confirmé la déconnexion, ce navigateur est donc peut-être encore connecté. Réessayez.',
  copyLeft: 'La copie locale est encore sur cet appareil',
  copyLeftText:
    'Vous êtes déconnecté, mais le navigateur n’a pas supprimé votre copie locale. Elle est chiffrée ; votre mot de passe maître l’ouvre.',
  sideCopyLeftText: 'La session sur le serveur a pris fin aussi.',
  sideLogout: 'Vos clés sont retirées de cette page',
  sideLogoutText: 'Seul le serveur doit encore mettre fin à votre session.',
};

export const RECOVERY: Translation<typeof RECOVERY_TEXTS> = {
  page: 'Restauration',
  file: 'Fichier de sauvegarde',
  drop: 'Déposez un fichier ici ou',
  choose: 'choisissez un fichier de sauvegarde',
  fileKind: 'pb_backup_….tar.gz, ou .tar.gz.age avec mot de passe',
  replace: 'Remplacer',
  oneFileOnly: 'Un seul fichier de sauvegarde à la fois',
  fileMissing: 'Choisissez un fichier de sauvegarde',
  fileTooLarge:
    'Le fichier est trop grand pour être envoyé ici. Restaurez-le avec la commande du serveur : backup restore.',
  password: 'Mot de passe de l’archive',
  submit: 'Restaurer',
  recovering: 'Restauration',
  uploading: 'Envoi en cours. Laissez cet onglet ouvert.',
  restoring: 'Restauration en cours. Laissez cet onglet ouvert.',
  failed: 'Quelque chose a échoué, réessayez',
  done: 'La sauvegarde a été restaurée.',
  doneWhat: 'Tout le monde doit se reconnecter, avec les mots de passe du temps de la sauvegarde.',
  goToLogin: 'Vers la connexion',
  createInstead: 'Créer plutôt le premier utilisateur',
  side: 'Commencer avec une sauvegarde',
  sideText:
    'Choisissez un fichier de sauvegarde pour restaurer ce serveur. Si l’archive a un mot de passe, saisissez-le aussi.',
};

export const SERVER: Translation<typeof SERVER_TEXTS> = {
  kept: 'Connexions précédentes',
  open: (name, host) => `${name} sur ${host}`,
  opening: 'Ouverture',
  forget: (host) => `Oublier ${host}`,
  failed: 'Impossible de lire la liste des autres serveurs dans ce navigateur',
  unreachable: 'Le serveur ne répond pas',
  noConnection: (host) => `Pas de connexion à ${host}`,
  whatNow: 'Vous y restez connecté. Vérifiez le réseau et réessayez.',
  tryAgain: 'Réessayer',
  trying: 'Essai en cours',
  otherServer: 'Se connecter à un autre serveur',
  sideTitle: 'Rien n’est perdu',
  sideText: 'Ce que vous avez enregistré est encore sur le serveur. Vos clés n’y ont jamais été déverrouillées.',
};
