import type { Translation } from '@passwordbroker/core/texts';
import type { ADMIN_PROVIDERS_TEXTS } from '../../admin/providers.ts';

const accounts = (count: number) => (count === 1 ? '1 compte est' : `${count} comptes sont`);

export const ADMIN_PROVIDERS: Translation<typeof ADMIN_PROVIDERS_TEXTS> = {
  hint: 'Au lieu d’un mot de passe de compte ici, les personnes se connectent auprès d’un fournisseur d’identité de votre organisation.',
  opensNothing:
    'L’authentification unique dit qui vous êtes. Votre coffre s’ouvre avec votre mot de passe maître ou une de vos clés d’accès.',
  loading: 'Chargement des fournisseurs d’identité',
  failed: 'Impossible de charger les fournisseurs d’identité.',
  none: 'Aucun fournisseur d’identité n’est configuré',
  noneHint:
    'L’exploitant de ce serveur en ajoute un dans son environnement avec OIDC_PROVIDERS. Le manuel d’exploitation dit comment.',

  on: 'Activé',
  off: 'Désactivé',
  linked: (count) =>
    `${count === 0 ? '0 compte est associé' : `${accounts(count)} ${count === 1 ? 'associé' : 'associés'}`}`,
  sessions: (count) => (count === 1 ? '1 session y a commencé' : `${count} sessions y ont commencé`),
  noSecret: 'Sans secret client',
  fixed: 'Défini dans l’environnement du serveur.',
  enabled: 'Les personnes peuvent se connecter ainsi',
  endsSessions: (count) =>
    `${count === 1 ? '1 session qui y a commencé prend fin' : `${count} sessions qui y ont commencé prennent fin`} à l’enregistrement.`,
  sessionHours: 'Session la plus longue (heures)',
  sessionHoursHint: 'Si la limite du site est plus courte, c’est elle qui s’applique.',
  createAccounts: 'Les nouvelles personnes reçoivent un compte à la première connexion',
  createAccountsHint:
    'A besoin de domaines ou de groupes ci-dessous. Sinon, les personnes ont besoin d’une invitation.',
  allowedDomains: 'Domaines des nouveaux comptes',
  allowedDomainsHint:
    'Un par ligne, par exemple example.org. Les nouvelles personnes y ont besoin d’une adresse e-mail. Vide : tous.',
  allowedGroups: 'Groupes qui peuvent se connecter',
  allowedGroupsHint:
    'Un par ligne, comme le fournisseur d’identité les nomme. Vérifié à chaque connexion. Vide : tous.',
  groupsClaim: 'Où se trouvent les groupes',
  groupsClaimHint: 'Le nom du claim où le fournisseur d’identité les énumère.',
  secondFactor: 'Second facteur',
  secondFactorHint: 'Qui le demande.',
  secondFactorChoices: { ours: 'Ce site', provider: 'Le fournisseur d’identité' },
  acceptedAcr: 'Valeurs de acr qui comptent',
  acceptedAmr: 'Valeurs de amr qui comptent',
  acceptedHint:
    'Une par ligne. Par elles, sa réponse dit qu’il a demandé un second facteur ; sinon, ce site le demande.',

  logoutThere: 'Se déconnecter ici déconnecte aussi là-bas',
  logoutThereHint: (address) =>
    `Le navigateur va à la page de déconnexion du fournisseur d’identité, qui doit connaître cette adresse pour le retour : ${address}`,
  backChannel: 'Le fournisseur d’identité termine les sessions',
  backChannelHint: (address) =>
    `Se déconnecter là-bas met fin aussi aux sessions d’ici. Adresse pour la déconnexion back-channel : ${address}`,

  test: 'Essayer',
  testNamed: (name) => `Essayer ${name}`,
  testing: 'Essai en cours',
  good: (name) => `${name} répond, et rien ne manque.`,
  bad: (name) => `${name} ne peut pas encore être utilisé`,

  local: {
    title: 'Mots de passe de compte et clés d’accès',
    choice: 'Connexion à côté des fournisseurs d’identité',
    hint: 'Si les personnes peuvent aussi se connecter ici, avec le mot de passe du compte ou une clé d’accès.',
    choices: { allowed: 'Permise', to_link: 'Seulement pour associer un compte', off: 'Désactivée' },
    allowed: 'Chacun choisit comment se connecter.',
    toLink: (count) =>
      `Les personnes dont le compte n’est pas associé ne peuvent plus que l’associer. Non associés actuellement : ${count}.`,
    off: 'Seuls les comptes d’urgence peuvent se connecter ici. Les sessions des autres qui ont commencé ici prennent fin aussitôt.',
    isOff: (unlinked, all) =>
      `${unlinked} sur ${all === 1 ? '1 compte' : `${all} comptes`} ${unlinked < 2 ? 'n’est pas associé et ne peut pas' : 'ne sont pas associés et ne peuvent pas'} se connecter.`,
    tokens: (count) =>
      count === 1
        ? '1 jeton reste valable. Il figure sur la page Jetons.'
        : `${count} jetons restent valables. Ils figurent sur la page Jetons.`,
    show: 'Montrer ces comptes',
    needs: 'Ce qu’il faut pour « Désactivée »',
    met: 'Fait',
    missing: 'Manque',
    signedIn: 'Vous êtes connecté par un fournisseur d’identité. Vous savez donc que cela marche.',
    notSignedIn:
      'Vous n’êtes pas connecté par un fournisseur d’identité. Déconnectez-vous, reconnectez-vous par un fournisseur d’identité et revenez. Vous saurez alors que cela marche.',
    hasBreakGlass: 'Un compte d’urgence peut aussi se connecter si le fournisseur d’identité est en panne.',
    noBreakGlass:
      'Il n’y a pas de compte d’urgence. Désignez-en un ci-dessous : il peut aussi se connecter si le fournisseur d’identité est en panne.',
    question: 'Désactiver les mots de passe de compte et les clés d’accès ?',
    confirm: 'Désactiver',
    confirming: 'Désactivation',
    type: (count) => `Saisissez ${count} pour confirmer`,
    overruled: {
      LOCAL_SIGN_IN:
        'Le serveur fonctionne avec LOCAL_SIGN_IN=allowed : tout le monde peut se connecter ici, quel que soit le choix ci-dessous. Retirez-le après l’urgence.',
      'no provider':
        'Aucun fournisseur d’identité n’est configuré : tout le monde peut se connecter ici, quel que soit le choix ci-dessous.',
    },
  },

  breakGlass: {
    title: 'Comptes d’urgence',
    hint: 'Des admins du site qui peuvent toujours se connecter ici, pour le jour où le fournisseur d’identité est en panne. Désignez-en deux. Si l’un est utilisé pendant que les autres ne peuvent pas se connecter ici, tous les admins du site reçoivent un e-mail.',
    how: 'Désignez-en un dans la liste des utilisateurs : dans le menu d’un admin du site ayant un mot de passe de compte et un second facteur.',
    users: 'Ouvrir les utilisateurs',
    none: 'Aucun compte d’urgence',
    failed: 'Impossible de charger les comptes d’urgence.',
    ready: 'Prêt',
    notReady: 'Ne compte pas',
    lacks: {
      disabled: 'Le compte est désactivé',
      admin: 'N’est plus admin du site',
      password: 'Pas de mot de passe de compte',
      factor: 'Pas de second facteur',
    },
    end: 'Mettre fin',
    endNamed: (name) => `Mettre fin au compte d’urgence ${name}`,
  },

  links: {
    title: 'Fournisseurs d’identité associés',
    hint: 'Si la personne y a une nouvelle identité, supprimez l’association. À la prochaine connexion, elle pourra associer le compte de nouveau.',
    failed: 'Impossible de charger les associations.',
    linkedAs: (address) => `associé comme ${address}`,
    since: (time) => `depuis ${time}`,
    lastUsed: (time) => `utilisé en dernier ${time}`,
    neverUsed: 'pas encore utilisé',
    end: 'Supprimer l’association',
    endNamed: (name) => `Supprimer l’association à ${name}`,
    question: (user, name) => `Supprimer l’association de ${user} à ${name} ?`,
    text: (user) => `Les sessions de ${user} qui y ont commencé prennent fin.`,
    onlyWay: (user) =>
      `${user} n’a pas de mot de passe de compte. Donnez-en d’abord un au compte : sans clé d’accès qui connecte, personne ne pourrait plus s’y connecter.`,
    ending: 'Suppression',
    ended: (user, name) => `${user} n’est plus associé à ${name}`,
  },
};
