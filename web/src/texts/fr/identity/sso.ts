import type { Translation } from '@passwordbroker/core/texts';
import type { SSO_TEXTS } from '../../identity/sso.ts';

export const SSO: Translation<typeof SSO_TEXTS> = {
  continueWith: (name) => `Continuer avec ${name}`,
  leaving: (name) => `Redirection vers ${name}`,
  withPassword: 'Se connecter avec un mot de passe',
  otherWays: 'Autres façons de se connecter',
  opensNothing:
    'L’authentification unique dit qui vous êtes. Votre coffre s’ouvre avec votre mot de passe maître ou une de vos clés d’accès.',
  working: 'Connexion en cours',
  refused: 'Vous n’êtes pas connecté',
  notLinked: 'Votre compte n’est pas associé',
  back: 'Retour',
  signInToLink: 'Se connecter et associer',
  notNow: 'Pas maintenant',
  question: 'Associer le compte ?',
  questionText: (address, name, user) =>
    address === null
      ? `Associer votre connexion chez ${name} au compte de ${user} ?`
      : `Associer ${address} chez ${name} au compte de ${user} ?`,
  questionHint: (name) => `Quiconque peut s’y connecter pourra alors se connecter ici aussi avec ${name}.`,
  link: 'Associer',
  linking: 'Association',
  linked: (name) => `Vous pouvez maintenant vous connecter avec ${name}`,
  invite: {
    text: (address) => `L’invitation vaut pour ${address}. Connectez-vous avec cette adresse.`,
    password: 'Choisir plutôt un mot de passe',
    again: 'Ouvrez de nouveau le lien de l’invitation pour réessayer.',
  },
  confirm: {
    title: 'Reconnectez-vous d’abord',
    subtitle: 'Votre connexion date de plus de dix minutes.',
    text: 'Vous reviendrez ici ; votre coffre sera verrouillé. Recommencez alors ce que vous vouliez faire.',
    none: 'Vous ne pouvez pas confirmer ici que c’est vous. Déconnectez-vous et reconnectez-vous.',
    cancel: 'Annuler',
    failed: 'Vous ne vous êtes pas reconnecté',
    done: 'Vous vous êtes reconnecté. Recommencez ce que vous vouliez faire.',
  },
  required: {
    title: 'Associez d’abord votre compte',
    text: 'Sur ce site, on se connecte par authentification unique. Associez votre compte une fois. Votre coffre est tel que vous l’avez laissé.',
    logOut: 'Se déconnecter',
  },
  links: {
    title: 'Authentification unique',
    failed: 'Impossible de charger vos connexions associées',
    none: 'Non associé',
    linkedAs: (address) => `associé comme ${address}`,
    since: (time) => `depuis ${time}`,
    lastUsed: (time) => `utilisé en dernier ${time}`,
    neverUsed: 'pas encore utilisé',
    linkNamed: (name) => `Associer : ${name}`,
    linkHint: 'Pour associer, vous quittez cette page et votre coffre est verrouillé. Vous revenez ensuite ici.',
    unlink: 'Dissocier',
    unlinkNamed: (name) => `Dissocier : ${name}`,
    unlinkTitle: (name) => `Dissocier ${name} ?`,
    unlinkText: (name) =>
      `${name} ne vous connecte alors plus. Les sessions qui y ont commencé prennent fin, celle-ci aussi si elle en fait partie.`,
    cancel: 'Annuler',
    unlinking: 'Dissociation',
    unlinked: (name) => `${name} n’est plus associé`,
  },
};
