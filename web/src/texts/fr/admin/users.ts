import type { Translation } from '@passwordbroker/core/texts';
import type { OFFBOARDING_TEXTS } from '../../admin/offboarding.ts';
import type { ADMIN_INVITES_TEXTS, ADMIN_USERS_TEXTS } from '../../admin/users.ts';

const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`;
const groups = (count: number) => counted(count, 'groupe', 'groupes');

export const ADMIN_USERS: Translation<typeof ADMIN_USERS_TEXTS> = {
  table: 'Utilisateurs',
  columns: {
    name: 'Nom',
    email: 'E-mail',
    createdAt: 'Créé',
    storage: 'Espace',
    access: 'Accès',
    actions: 'Actions',
  },
  search: 'Rechercher des utilisateurs',
  searchHint: 'Par nom ou e-mail',
  loading: 'Chargement des utilisateurs',
  failed: 'Impossible de charger les utilisateurs.',
  nobody: '… aucun résultat',
  nobodyHint: 'Aucun nom ni e-mail ne correspond.',
  nobodyFiltered: 'Personne n’est dans cette liste.',
  marks: {
    admin: 'Admin du site',
    auditor: 'Auditeur',
    disabled: 'Désactivé',
    noKeys: 'Pas de clés',
    mustRekey: 'Doit créer de nouvelles clés',
    exposed: 'Mot de passe maître utilisé sur le serveur',
    noRecoveryKit: 'Pas de fiche de secours',
    breakGlass: 'Compte d’urgence',
    provider: (name) => `Connexion avec ${name}`,
    noPassword: 'Pas de mot de passe de compte',
  },
  show: 'Afficher',
  filters: {
    all: 'Tous',
    without_factor: 'Sans second facteur',
    unlinked: 'Non associés à un fournisseur d’identité',
    break_glass: 'Comptes d’urgence',
  },
  edit: (name) => `Modifier ${name}`,
  remove: (name) => `Supprimer ${name}`,
  notYourself: 'Vous ne pouvez pas supprimer votre propre compte',
  more: (name) => `Plus sur ${name}`,
  verbs: {
    promote: 'Nommer admin du site',
    demote: 'Retirer le rôle d’admin du site',
    makeAuditor: 'Nommer auditeur',
    endAuditor: 'Retirer le rôle d’auditeur',
    disable: 'Désactiver',
    enable: 'Réactiver',
    resetKeys: 'Réinitialiser les clés',
    nameBreakGlass: 'En faire un compte d’urgence',
    endBreakGlass: 'Mettre fin au compte d’urgence',
    offboard: 'Départ',
  },
  asked: {
    promote: {
      title: (name) => `Nommer ${name} admin du site ?`,
      text: 'Un admin du site crée, modifie et supprime des comptes, voit le journal et change les paramètres. Cela ne donne pas accès aux secrets d’autres groupes.',
      confirm: 'Nommer admin du site',
      confirming: 'Modification',
      done: (name) => `${name} est admin du site`,
    },
    demote: {
      title: (name) => `Retirer à ${name} le rôle d’admin du site ?`,
      text: 'Le compte et ses groupes restent. Les invitations ouvertes de cette personne prennent fin. Le rôle ne peut pas être retiré au dernier admin du site.',
      confirm: 'Retirer le rôle d’admin du site',
      confirming: 'Modification',
      done: (name) => `${name} n’est plus admin du site`,
    },
    makeAuditor: {
      title: (name) => `Nommer ${name} auditeur ?`,
      text: 'Un auditeur lit le journal, les listes des utilisateurs, des jetons, des invitations et des sauvegardes, et les paramètres. Un auditeur ne peut rien modifier ni télécharger de sauvegardes, et ce rôle n’ouvre aucun groupe.',
      confirm: 'Nommer auditeur',
      confirming: 'Modification',
      done: (name) => `${name} est auditeur`,
    },
    endAuditor: {
      title: (name) => `Retirer à ${name} le rôle d’auditeur ?`,
      text: 'Le compte et ses groupes restent. Cette personne ne peut plus ouvrir l’administration.',
      confirm: 'Retirer le rôle d’auditeur',
      confirming: 'Modification',
      done: (name) => `${name} n’est plus auditeur`,
    },
    disable: {
      title: (name) => `Désactiver ${name} ?`,
      text: 'Chaque session, chaque jeton et chaque invitation ouverte du compte prend fin maintenant, et personne ne peut s’y connecter avant qu’il soit réactivé. Les groupes et les clés restent.',
      confirm: 'Désactiver',
      confirming: 'Désactivation',
      done: (name) => `${name} est désactivé`,
    },
    nameBreakGlass: {
      title: (name) => `Faire de ${name} un compte d’urgence ?`,
      text: 'Cet admin du site peut toujours se connecter avec le mot de passe du compte ou une clé d’accès, même si c’est désactivé pour les autres. Quand cela arrive, tous les admins du site reçoivent un e-mail.',
      confirm: 'En faire un compte d’urgence',
      confirming: 'Modification',
      done: (name) => `${name} est un compte d’urgence`,
    },
    endBreakGlass: {
      title: (name) => `Mettre fin au compte d’urgence ${name} ?`,
      text: 'Tant que les mots de passe de compte et les clés d’accès sont désactivés, cette personne ne peut plus se connecter ainsi, et les sessions ainsi commencées prennent fin.',
      confirm: 'Mettre fin au compte d’urgence',
      confirming: 'Modification',
      done: (name) => `${name} n’est plus un compte d’urgence`,
    },
    enable: {
      title: (name) => `Réactiver ${name} ?`,
      text: 'La personne peut de nouveau se connecter.',
      confirm: 'Réactiver',
      confirming: 'Réactivation',
      done: (name) => `${name} est réactivé`,
    },
  },

  removeQuestion: (name) =>
    `Supprimer l’utilisateur ${name} ? Le compte, ses clés et ses appartenances aux groupes sont supprimés définitivement.`,
  removed: 'L’utilisateur a été supprimé',
  removeFailed: 'Une erreur s’est produite. Réessayez plus tard',
  onlyAdminTitle: (name) => `Supprimer ${name}, seul admin de ces groupes ?`,
  onlyAdminText:
    'Les groupes avec d’autres membres restent lisibles, mais personne ne peut ajouter de membres ni changer de rôles. Les groupes sans autres membres vont dans la corbeille.',
  onlyAdminConfirm: 'Supprimer quand même',
  removing: 'Suppression',
  soleGroup: (name, members) => `${name} (${counted(members, 'membre', 'membres')})`,
  soleGroups: 'Groupes sans autre admin',

  reset: {
    title: (name) => `Réinitialiser les clés de ${name} ?`,
    text: 'Quand la personne a oublié son mot de passe maître et n’a pas de fiche de secours. Cela ne peut pas être annulé.',
    losses: 'Ce qui est perdu',
    lossKeys: 'Les clés actuelles : tout ce que seule cette personne pouvait ouvrir est perdu.',
    lossGroups: 'Toutes les appartenances : les admins des groupes doivent ajouter de nouveau la personne.',
    lossSessions: 'Toutes les sessions et tous les jetons.',
    loading: 'Recherche des groupes sans autre admin',
    loadFailed: 'Impossible de rechercher les groupes.',
    onlyMember: (count) =>
      count === 1
        ? 'Dans 1 groupe, cette personne est le seul membre. Ses secrets sont perdus.'
        : `Dans ${count} groupes, cette personne est le seul membre. Leurs secrets sont perdus.`,
    noSoleGroups: 'Aucun groupe ne perd son seul admin.',
    typeName: (name) => `Saisissez ${name} pour confirmer`,
    confirm: 'Réinitialiser les clés',
    confirming: 'Réinitialisation',
    done: (name) => `Les clés de ${name} sont réinitialisées`,
    after: 'La personne se connecte avec le mot de passe du compte et crée de nouvelles clés.',
  },

  create: {
    page: 'Créer un utilisateur',
    email: 'E-mail',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    confirmPassword: 'Répétez le mot de passe',
    masterPassword: 'Mot de passe maître',
    confirmMasterPassword: 'Répétez le mot de passe maître',
    passwordsDiffer: 'Les mots de passe ne correspondent pas',
    masterPasswordsDiffer: 'Les mots de passe maîtres ne correspondent pas',
    hint: 'Les mots de passe devraient contenir au moins un chiffre.',
    noDigit: 'Ne contient pas de chiffre.',
    rekey:
      'Les clés sont créées dans ce navigateur. Au premier déverrouillage, la personne choisit un autre mot de passe maître.',
    submit: 'Créer l’utilisateur',
    making: 'Création des clés',
    created: 'L’utilisateur a été créé.',
  },

  update: {
    page: 'Modifier l’utilisateur',
    name: 'Nom',
    email: 'E-mail',
    done: 'L’utilisateur a été modifié',
    failed: 'Une erreur s’est produite, réessayez',
    loading: 'Chargement de l’utilisateur',
    loadFailed: 'Impossible de charger l’utilisateur.',
    passwordTitle: 'Nouveau mot de passe du compte',
    passwordText:
      'Toutes les sessions et tous les jetons de la personne prennent fin. Le mot de passe maître reste inchangé.',
    password: 'Nouveau mot de passe',
    confirmation: 'Répétez le nouveau mot de passe',
    setPassword: 'Définir le mot de passe',
    setting: 'Enregistrement',
    passwordDone: 'Le mot de passe du compte a été changé',
    back: 'Tous les utilisateurs',
  },
};

export const ADMIN_INVITES: Translation<typeof ADMIN_INVITES_TEXTS> = {
  page: 'Inviter',
  email: 'E-mail',
  username: 'Nom d’utilisateur',
  usernameHint: 'Vide : la personne le choisit.',
  groups: 'Groupes à partager',
  groupsHint:
    'Facultatif. Dès que la personne a accepté, la page d’accueil vous rappelle de les partager. Jusque-là, ils restent fermés.',
  addGroup: 'Ajouter un groupe',
  add: 'Ajouter',
  removeGroup: (title) => `Retirer ${title}`,
  mostGroups: (count) => `Au plus ${count} groupes.`,
  theyWill: 'La personne',
  send: 'Envoyer l’invitation',
  sending: 'Envoi des données',
  error: 'ERREUR D’INVITATION',
  badEmail: 'Saisissez une adresse e-mail valide.',
  ready: 'Invitation prête',
  wasSent: (email) => `Elle a été envoyée par e-mail à ${email} et sert à s’inscrire.`,
  notSent: (email) =>
    `Aucun e-mail n’a été envoyé à ${email}. Donnez vous-même le lien à la personne : il sert à s’inscrire.`,
  withKey:
    'Le lien contient votre clé : la personne invitée fait donc confiance à ce que vous partagez, sans comparer les mots de la clé. Donnez-le vous-même à la personne.',
  withoutKey:
    'Déverrouillez le coffre pour que le lien contienne votre clé : la personne invitée fera alors confiance à ce que vous partagez, sans comparer de mots.',
  once: (time) => `Copiez-le maintenant ; il ne sera plus affiché. Valable une fois, jusqu’à ${time}.`,
  link: 'Lien d’invitation',
  elsewhere: (host) =>
    `Ce lien mène à ${host}, qui n’est pas l’adresse de cette page. Ne le transmettez que si vous savez que cette adresse est celle de ce serveur.`,
  noLink:
    'La réponse du serveur n’est pas un lien. Ne l’ouvrez pas et ne la transmettez pas ; prévenez les exploitants du serveur.',
  copy: 'Copier',
  copied: 'copié',
  copyFailed: 'Le navigateur ne laisse pas la page copier. Sélectionnez le lien et copiez-le vous-même.',
  list: 'Invitations',
  columns: {
    email: 'E-mail',
    username: 'Nom d’utilisateur',
    state: 'État',
    createdAt: 'Créée',
    expiresAt: 'Valable jusqu’au',
    actions: 'Actions',
  },
  states: { open: 'ouverte', accepted: 'acceptée', revoked: 'révoquée', expired: 'expirée' },
  loading: 'Chargement des invitations',
  failed: 'Impossible de charger les invitations.',
  empty: 'Personne n’a encore été invité',
  emptyHint: 'Envoyez la première invitation avec le formulaire ci-dessus.',
  resend: (email) => `Envoyer une nouvelle invitation à ${email}`,
  revoke: (email) => `Révoquer l’invitation de ${email}`,
  revokeTitle: (email) => `Révoquer l’invitation de ${email} ?`,
  revokeText: 'Son lien n’est alors plus valable.',
  revokeConfirm: 'Révoquer',
  revoking: 'Révocation',
  revoked: (email) => `L’invitation de ${email} est révoquée`,
};

interface Counts {
  readonly sessions: number;
  readonly tokens: number;
  readonly invitations: number;
}

const countsText = ({ sessions, tokens, invitations }: Counts) =>
  [
    counted(sessions, 'session', 'sessions'),
    counted(tokens, 'jeton', 'jetons'),
    counted(invitations, 'invitation ouverte', 'invitations ouvertes'),
  ].join(', ');

export const OFFBOARDING: Translation<typeof OFFBOARDING_TEXTS> = {
  page: (name) => `Départ de ${name}`,
  title: 'Départ',
  pageHint:
    'Met fin à l’accès de cette personne en une étape. Vous pouvez vous arrêter et continuer plus tard ; la page montre ce qui manque encore.',
  back: 'Tous les utilisateurs',
  loading: 'Chargement de l’accès de cette personne',
  failed: 'Impossible de charger l’accès de cette personne.',
  offline: 'Passez d’abord en ligne : un départ a besoin du serveur.',
  oneself: 'Vous ne pouvez pas mettre fin à votre propre accès. Demandez-le à un autre admin du site.',

  account: 'Compte',
  ends: (counts) => `Prend fin aussitôt : ${countsText(counts)}.`,
  endsNothing: 'Il ne reste ni session, ni jeton, ni invitation ouverte.',
  role: { admin: 'Le rôle d’admin du site prend fin aussi.', auditor: 'Le rôle d’auditeur prend fin aussi.' },
  disable: 'Désactiver le compte',
  disableHint: 'Personne ne peut s’y connecter avant qu’il soit réactivé. Ses clés restent.',
  isDisabled: 'Le compte est désactivé : personne ne peut s’y connecter.',
  backups: 'Les e-mails sur les sauvegardes vont à cette adresse',
  backupsText: 'Ils continuent jusqu’à ce que vous changiez l’adresse sur la page Sauvegarde.',
  backupPage: 'Page Sauvegarde',

  yours: (count) => `Groupes que vous administrez (${count})`,
  yoursHint:
    'La personne est retirée de ces groupes. Chaque groupe reçoit une nouvelle clé tant que votre coffre est déverrouillé.',
  yoursAdmin:
    'Dans les groupes où la personne est admin, ce rôle est d’abord retiré. Votre mot de passe maître est demandé pour cela.',
  yoursNone: 'La personne n’est dans aucun groupe que vous administrez.',
  others: (count) => `Groupes que d’autres administrent (${count})`,
  othersHint: 'Demandez à un admin de chaque groupe de retirer la personne. Seul un admin du groupe le peut.',
  othersNone: 'La personne n’est dans aucun autre groupe.',
  columns: { group: 'Groupe', role: 'Rôle', state: 'État', admins: 'Admins' },
  states: { left: 'membre', removed: 'retiré' },
  nobody: 'personne d’autre',

  submit: 'Mettre fin à l’accès',
  again: 'Continuer',
  submitting: 'Fin en cours',
  removing: (done, total) => `Retrait du groupe ${Math.min(done + 1, total)} sur ${total}`,
  removeAction: (name) => `retirer ${name} des groupes où vous êtes tous deux admins`,
  stop: 'Arrêter',
  ended: (name, counts) => `${name} : fin de ${countsText(counts)}`,
  removed: (name, count) => `${name} a été retiré de ${groups(count)}`,

  done: 'Il n’y a plus d’accès auquel vous puissiez mettre fin',
  doneOthers: (count) => `Cette personne est encore membre de ${groups(count)}, que d’autres administrent.`,
  next: 'Changez les secrets que cette personne a ouverts, car elle les connaît peut-être encore.',
  formerMembers: 'Ce qu’il faut changer',
};
