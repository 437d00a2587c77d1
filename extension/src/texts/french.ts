import type { Translation } from '@passwordbroker/core/texts';
import * as client from '@passwordbroker/client/texts/fr/client';
import { cataloguesOf } from '@passwordbroker/client/texts/translations';
import * as ui from '@passwordbroker/ui/languages/fr';
import { type EXTENSION_TEXTS, oneOf } from './extension.ts';

export { frenchSentence as sentence } from '@passwordbroker/client/texts/fr/messages/french-sentence';

const EXTENSION: Translation<typeof EXTENSION_TEXTS> = {
  loading: 'Ouverture de PasswordBroker',
  again: 'Réessayer',
  back: 'Retour',
  cancel: 'Annuler',

  welcome: 'Se connecter à votre serveur',
  address: 'Adresse de votre serveur',
  addressHint: 'Par exemple https://coffre.example.org',
  connect: 'Connecter',
  notAllowed: (host) => `Sans cette autorisation, l’extension ne peut pas joindre ${host}.`,
  noAddress: 'Ce n’est pas une adresse.',
  onlyHttps: 'Seules les adresses https sont possibles.',
  noServer: 'Il n’y a pas de PasswordBroker à cette adresse.',
  notPaired: 'Connectez-vous d’abord à votre serveur.',
  unreachable: 'Le serveur est injoignable.',
  unreachableText: 'Vérifiez votre connexion, ou demandez aux personnes qui gèrent le serveur.',
  tooOld: 'Cette extension est trop ancienne pour le serveur. Mettez-la à jour.',
  otherServer: 'Utiliser un autre serveur',

  signIn: 'Se connecter',
  email: 'E-mail',
  accountPassword: 'Mot de passe du compte',
  signInHint: (providers) =>
    `Avec ${oneOf('fr', ['une clé d’accès', 'une clé de sécurité'], providers, 'un fournisseur d’identité')} :`,
  browserSignIn: 'Se connecter dans le navigateur',
  browserText: (shown) =>
    `La page de votre serveur doit afficher ${shown}. Autorisez-y l’extension, puis saisissez ici le code de la page.`,
  browserCode: 'Code de la page',
  browserAgain: 'Rouvrir la page',
  ownName: 'Extension PasswordBroker',
  factorTitle: 'Encore une étape',
  factorCode: 'Code de votre application d’authentification',
  recoveryCode: 'Code de récupération',
  useRecovery: 'Utiliser un code de récupération',
  useCode: 'Utiliser l’application d’authentification',
  prove: 'Continuer',
  noFactor: 'Votre compte se connecte avec une clé de sécurité. La page de votre serveur peut la demander.',
  restricted: 'Votre compte doit d’abord être configuré. Ouvrez l’application web, suivez ses étapes, puis réessayez.',

  locked: 'Coffre verrouillé',
  lockedMeanwhile: 'Le coffre a été verrouillé entre-temps. Rien n’a été rempli.',
  masterPassword: 'Mot de passe maître',
  unlock: 'Déverrouiller',
  lock: 'Verrouiller',
  logOut: 'Se déconnecter',
  settings: 'Réglages',
  words: 'Comparez ces huit mots avec ceux qui figurent sous votre nom dans l’application web',
  wordsText:
    'S’ils diffèrent, ce serveur vous montre une autre clé que la vôtre. Ne continuez pas, et prévenez les personnes qui le gèrent.',
  wordsSame: 'Ils sont identiques',

  usePasskey: 'Utiliser une clé d’accès',
  passkeyTitle: 'Déverrouiller avec une clé d’accès',
  passkeyText: 'Votre navigateur demande la clé d’accès dans sa propre fenêtre. Ensuite cette page se ferme.',
  passkeySignedOut: 'Vous n’êtes pas connecté. Ouvrez l’extension pour vous connecter.',
  passkeyWaiting: 'En attente de votre clé d’accès',
  passkeyNone: (host) =>
    `Aucune clé d’accès n’ouvre votre coffre sur ${host}. Ajoutez-en une sur la page du compte de l’application web, ou utilisez votre mot de passe maître.`,
  passkeyUnused:
    'Aucune clé d’accès n’a été utilisée. Réessayez, ou fermez cette page et utilisez votre mot de passe maître.',
  passkeyNoSecret:
    'Ce navigateur ne peut pas ouvrir le coffre avec cette clé d’accès. Utilisez votre mot de passe maître.',
  passkeyOff: (host) =>
    `Ce navigateur ne laisse pas les extensions utiliser les clés d’accès de ${host}. Chromium le permet à partir de la version 122, Firefox à partir de la version 150. Utilisez votre mot de passe maître.`,
  passkeyFailed: 'La clé d’accès n’a pas fonctionné. Réessayez, ou utilisez-en une autre.',

  search: 'Rechercher',
  found: 'Résultats',
  nothingFound: 'Aucun résultat',
  sameDomain: 'Même domaine, autre hôte',
  noMatch: (host) => `Rien n’est enregistré pour ${host}.`,
  closedGroups: (count) =>
    count === 1
      ? 'Un groupe ne s’ouvre pas : ses entrées manquent ici. Regardez-le dans le client web.'
      : `${count} groupes ne s’ouvrent pas : leurs entrées manquent ici. Regardez-les dans le client web.`,
  noPage: 'Rien ne peut être rempli sur cette page.',
  httpsOnly: (title) => `Cette page n’est pas chiffrée ; ${title} est enregistré pour https.`,
  fill: (title) => `Remplir ${title}`,
  use: (title) => `Utiliser ${title} ici`,
  copyLogin: (title) => `Copier le nom d’utilisateur de ${title}`,
  copyPassword: (title) => `Copier le mot de passe de ${title}`,
  copyCode: (title) => `Copier le code de ${title}`,
  copied: (seconds) => `Copié. Effacé dans ${seconds} secondes.`,
  noPassword: 'Cette entrée n’a pas de mot de passe.',
  noCode: 'Cette entrée n’a pas de code à usage unique.',

  filled: 'Rempli',
  changed: 'La page a changé. Rien n’a été rempli.',
  unreadable: 'Le navigateur ne laisse pas les extensions lire cette page.',
  noForm: 'Il n’y a pas de formulaire de connexion sur cette page.',
  noValue: 'Cette entrée n’a rien qui convienne au formulaire.',
  frame: (origin) =>
    `Le formulaire de connexion est dans un cadre de ${origin}. Ouvrez-le dans son propre onglet, ou copiez.`,
  plainAction: 'Le formulaire enverrait le mot de passe en clair.',
  otherAction: (host) => `Le formulaire envoie à ${host}.`,
  plainHttp: 'Cette page n’est pas chiffrée. Tous les intermédiaires peuvent lire le mot de passe.',
  otherHost: 'Cette entrée n’est pas enregistrée pour cet hôte. Comparez les adresses avant de remplir.',
  keptFor: 'Enregistré pour',
  thisPage: 'Cette page',
  fillAnyway: 'Remplir quand même',
  fillOnce: 'Remplir une fois',
  always: (host) => `Toujours sur ${host}`,
  filledPartly:
    'La page a remplacé un champ entre-temps. Seule une partie a été remplie : cliquez de nouveau sur l’entrée.',
  codeNotCopied: 'Rempli. Le code n’a pas pu être copié.',
  whichForm: 'Lequel ?',
  restarted: 'L’extension a redémarré. Réessayez.',

  save: 'Enregistrer',
  savePage: 'Enregistrer depuis cette page',
  saveTitle: 'Enregistrer cet identifiant',
  title: 'Titre',
  group: 'Groupe',
  userName: 'Nom d’utilisateur',
  password: 'Mot de passe',
  generate: 'Générer',
  generatorSettings: 'Longueur et caractères',
  length: 'Longueur',
  characters: 'Caractères',
  fillNew: 'Remplir les deux nouveaux mots de passe',
  saved: (title) => `${title} est enregistré.`,
  update: (title) => `Mettre à jour ${title}`,
  updated: (title) => `${title} est à jour.`,
  changedMeanwhile: 'L’entrée a été modifiée entre-temps. Regardez-la d’abord dans l’application web.',
  passwordMissing: 'Le mot de passe manque.',
  offer: (host) => `Enregistrer l’identifiant que vous venez d’utiliser sur ${host} ?`,
  notNow: 'Pas maintenant',
  never: (host) => `Jamais sur ${host}`,
  offerStart: 'Proposer l’enregistrement sur ce site',
  offerStop: 'Ne plus proposer l’enregistrement ici',
  offerStarted: (host) =>
    `L’enregistrement des identifiants utilisés sur ${host} est proposé dès le prochain chargement d’une page.`,
  noGroups:
    'Vous ne pouvez écrire dans aucun groupe. Demandez à un administrateur, ou créez-en un dans l’application web.',
  formNumber: (number) => `Formulaire ${number}`,

  lockAfter: 'Verrouiller après des minutes d’inactivité',
  copyCodes: 'Copier le code après le remplissage',
  copyCodesHint: 'Pour les sites qui demandent un code à usage unique à l’étape suivante. L’ouverture est enregistrée.',
  offerOnAll: 'Proposer l’enregistrement sur tous les sites',
  offerOnAllHint:
    'Le navigateur demande l’autorisation de lire toutes les pages https. De vos connexions, seule la dernière de chaque onglet est gardée en mémoire pendant deux minutes, rien d’autre.',
  language: 'La langue est celle du navigateur.',
  pairedWith: 'Serveur',
  person: 'Connecté en tant que',
  version: 'Version',
  clipboardNote:
    'Une valeur copiée est effacée après une minute. Les programmes qui gardent un historique du presse-papiers peuvent la conserver.',
};

export const TEXTS = cataloguesOf([client, ui, { EXTENSION }]);
