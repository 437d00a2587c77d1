import type { Translation } from '@passwordbroker/core/texts';
import type { FORMER_MEMBER_TEXTS, MEMBER_TEXTS } from '../groups/members.ts';
import type { JOINED_TEXTS } from '../groups/joined.ts';
import type { SHARING_TEXTS } from '../groups/sharing.ts';

const groups = (count: number) => `${count} ${count < 2 ? 'groupe' : 'groupes'}`;
const values = (count: number) => `${count} ${count < 2 ? 'valeur' : 'valeurs'}`;
const left = (count: number) => `Arrêté : ${groups(count)} ${count < 2 ? 'reste inchangé' : 'restent inchangés'}.`;

export const MEMBER: Translation<typeof MEMBER_TEXTS> = {
  tab: 'Utilisateurs',
  table: 'Utilisateurs du groupe',
  columns: { user: 'Utilisateur', role: 'Rôle', since: 'Rôle depuis', remove: 'Retirer' },
  you: 'vous',
  noRemove: 'ne peut pas être retiré',
  loading: 'Chargement des utilisateurs',
  failed: 'Impossible de charger les utilisateurs.',
  retry: 'Réessayer',
  cancel: 'Annuler',
  close: 'Fermer',

  addNew: 'Ajouter un utilisateur',
  addHint: 'Recherche par nom. Les membres actuels ne figurent pas dans la liste.',
  addAs: (role) => `ajouter comme ${role}`,
  addLabel: (name, role) => `ajouter comme ${role} : ${name}`,
  found: 'Personnes trouvées',
  searching: 'Recherche en cours',
  foundCount: (count) => (count === 1 ? '1 personne trouvée' : `${count} personnes trouvées`),
  foundMore: (count) =>
    `Ce sont les ${count} premières. Saisissez une plus grande partie du nom pour en voir d’autres.`,
  nobody: 'Personne n’a été trouvé. Pas de compte ? Demandez une invitation à un admin du site.',
  searchFailed: (reason) => `La recherche de personnes a échoué : ${reason}`,
  addAction: (name) => `ajouter ${name}`,
  adding: (name) => `Ajout de ${name}`,
  added: (name, role, count) => `${name} ajouté comme ${role}${count > 1 ? ` dans ${groups(count)}` : ''}`,
  noKeys: (name) =>
    `${name} n’a pas encore de clés. Cette personne doit se connecter et déverrouiller le coffre une fois avant que vous puissiez partager.`,

  alsoBelow: (count) =>
    count === 1
      ? 'Aussi dans le sous-groupe où vous êtes admin'
      : `Aussi dans les ${count} sous-groupes où vous êtes admin`,

  changeRole: (name) => `Rôle de ${name}`,
  changeTo: (role) => `Changer en ${role}`,
  isNow: (role) => `${role} (rôle actuel)`,
  changeTitle: (name, role) => `${name} : rôle ${role} ?`,
  roleMeans: {
    admin: (name) =>
      `${name} pourra tout voir, modifier et supprimer ici, ajouter et retirer des personnes, et ne pourra plus être retiré.`,
    moderator: (name) =>
      `${name} pourra voir, modifier, déplacer et supprimer des entrées, mais ni ajouter ni retirer de personnes.`,
    member: (name) => `${name} pourra voir, copier et télécharger des valeurs, mais rien modifier.`,
  },
  change: 'Changer le rôle',
  changing: 'Changement en cours',
  changeAction: (name) => `changer le rôle de ${name}`,
  changed: (name, role, count) => `${name} est maintenant ${role}${count > 1 ? ` dans ${groups(count)}` : ''}`,

  remove: (name) => `Retirer ${name}`,
  removeTitle: (name, group) => `Retirer ${name} de ${group} ?`,
  removeMeans: (name) => [
    `${name} perd aussitôt l’accès à ce groupe.`,
    `Le groupe reçoit ensuite une nouvelle clé. Ce qui est enregistré après ne s’ouvre pas avec les clés de ${name}.`,
    `${name} a peut-être des copies de ce qui a été ouvert. Changez ces secrets ; ils figurent sous « Anciens membres ».`,
  ],
  removeShort: 'Retirer',
  removing: 'Retrait',
  removeAction: (name) => `retirer ${name}`,
  removed: (name, count) => `${name} retiré${count > 1 ? ` de ${groups(count)}` : ''}`,

  working: (done, total) => `Groupe ${Math.min(done + 1, total)} sur ${total}`,
  stop: 'Arrêter',
  stopped: left,
  failedIn: (count) => `Échec dans ${groups(count)} :`,
  notEverywhere: (action, failed, leftOver) =>
    [
      `Pas fait dans tous les groupes : ${action}.`,
      ...(failed === 0 ? [] : [`Échec dans ${groups(failed)}.`]),
      ...(leftOver === 0 ? [] : [left(leftOver)]),
    ].join(' '),
  failedWhere: (group, reason) => `${group}: ${reason}`,
  andMore: (count) => `et ${groups(count)} de plus`,
  skipped: {
    'not-member': (count) => `Pas membre dans ${groups(count)}.`,
    'same-role': (count) => `A déjà ce rôle dans ${groups(count)}.`,
    'other-role': (count) => `A déjà un autre rôle, non modifié, dans ${groups(count)}.`,
    admin: (count) => `Est admin dans ${groups(count)} ; un admin ne peut pas être retiré.`,
  },
  again: 'Réessayer ceux-ci',
};

export const FORMER_MEMBER: Translation<typeof FORMER_MEMBER_TEXTS> = {
  page: 'Anciens membres',
  pageHint: 'Les personnes qui ont quitté vos groupes, et les secrets qu’elles ont ouverts. Changez-les.',
  title: 'Anciens membres',
  list: 'Personnes parties',
  loading: 'Chargement des anciens membres',
  failed: 'Impossible de charger les anciens membres.',
  retry: 'Réessayer',
  empty: 'personne n’est parti',
  emptyHint: 'Ici figurent les personnes retirées de groupes où vous êtes admin.',
  wasRole: (name, role) =>
    `${name} était ${{ admin: 'admin', moderator: 'modérateur', member: 'membre' }[role]} jusqu’à la réinitialisation de ses clés`,
  addAgain: 'Ajouter de nouveau',
  addAgainNamed: (name) => `Ajouter de nouveau : ${name}`,
  addAgainTitle: (name) => `Ajouter de nouveau ${name}`,
  addAgainOthers: (count) => `Aussi à ${count} ${count < 2 ? 'autre groupe' : 'autres groupes'} où vous êtes admin`,
  addAgainIn: 'Groupes et rôles comme avant',
  addedAgain: (name) => `${name} est de retour`,
  causes: { removed: 'retiré', deleted: 'compte supprimé', reset: 'compte réinitialisé' },
  from: (group) => `de ${group}`,
  progress: (done, all) => (all === 0 ? 'rien à changer' : `${done} sur ${all} changés`),
  cut: 'Seules les 2 000 dernières personnes parties sont montrées.',
  changeNow: 'Changer',
  changeNamed: (field, entry) => `Changer ${field} de ${entry}`,
  gone: 'Ce champ a été déplacé ou supprimé entre-temps.',
  within: (group) => `dans ${group}`,
  others: 'Groupes que d’autres administrent',
  othersHint: (name) =>
    `${name} en est encore membre. Demandez à un admin du groupe de retirer cette personne et de changer ce qu’elle a vu.`,
  ask: (names) => (names.length === 0 ? 'il n’a pas d’autre admin' : `demandez à ${names.join(' ou ')}`),
  more: (name) => `Ce que ${name} a ouvert`,
  show: 'Afficher',
  less: 'Masquer',

  rows: (name) => `Ouvert par ${name}`,
  columns: { entry: 'Entrée', field: 'Champ', opened: 'Ouvert', state: 'État' },
  rowsLoading: 'Chargement des secrets ouverts',
  rowsFailed: 'Impossible de charger les secrets ouverts.',
  nothing: 'Rien n’a été ouvert ici.',
  how: { revealed: 'affiché', offline: 'dans une copie hors ligne', written: 'écrit' },
  change: 'changez ceci',
  changed: 'changé depuis',
  trashed: 'dans la corbeille',
  untitled: 'sans titre',
  openedBy: (name, count) =>
    count === 0 ? `${name} n’a rien ouvert dans ce groupe.` : `${name} a ouvert ${values(count)} dans ce groupe`,
  export: 'Exporter en CSV',
  exportName: (name) => `ouvert par ${name}.csv`,
  exported: (name) => `Liste enregistrée : ce que ${name} a ouvert`,
  csv: ['Personne', 'Groupe', 'Entrée', 'Champ', 'Type', 'Ouvert le', 'Comment', 'État'],
  inAllGroups: (name) => `${name} dans tous les groupes`,
  onePerson: 'Une seule personne est montrée.',
  everybody: 'Tout montrer',
  allGroups: 'Anciens membres de tous les groupes',
};

export const SHARING: Translation<typeof SHARING_TEXTS> = {
  share: 'Partager',
  shareLabel: (group) => `Partager « ${group} »`,
  search: 'Rechercher des personnes',
  choose: (name) => `Choisir ${name}`,
  chosen: 'Personnes avec qui partager',
  role: 'Rôle',
  they: 'Chacune de ces personnes',
  drop: (name) => `Écarter ${name}`,
  lookingUp: 'Recherche de la clé',
  lookUpAgain: (name) => `Rechercher de nouveau la clé de ${name}`,
  compareText:
    'Comparez les huit mots avec chaque personne, au téléphone ou dans la même pièce : ils figurent sous « Les mots de votre clé » dans le menu au cadenas.',
  laterText:
    'Vous pouvez aussi partager maintenant et comparer plus tard. Jusque-là, la liste des utilisateurs indique « confiance provisoire ».',
  strictText: 'Ici, vous ne pouvez partager qu’avec des personnes dont vous avez comparé les mots.',
  later: 'Partager maintenant, comparer plus tard',
  now: 'Partager maintenant',
  sharing: 'Partage',
  waiting: 'en attente',
  done: 'partagé',
  failed: 'non partagé',
  stop: 'Arrêter',
  again: 'Réessayer ceux-ci',
  cancel: 'Annuler',
  close: 'Fermer',
  nobodyChosen: 'Choisissez au moins une personne.',
  keyUnknown: (name) => `La clé de ${name} n’est pas encore connue.`,
  compareFirst: (name) => `Comparez d’abord les mots avec ${name}, ou écartez ${name}.`,
  progress: (done, all) => `Partagé avec ${done} sur ${all} ${all < 2 ? 'personne' : 'personnes'}`,
};

export const JOINED: Translation<typeof JOINED_TEXTS> = {
  title: 'Nouveaux venus',
  row: (name, shares) =>
    shares.length === 0
      ? `${name} a accepté l’invitation.`
      : `${name} a accepté l’invitation. À partager : ${shares.join(', ')}`,
  inRole: (group, role) => `${group} (${role})`,
  roles: { admin: 'admin', moderator: 'modérateur', member: 'membre' },
  leftOut: (count) =>
    count === 1
      ? 'Un groupe manque ici : il n’existe plus, ou vous ne l’administrez plus.'
      : `${count} groupes manquent ici : ils n’existent plus, ou vous ne les administrez plus.`,
  share: 'Partager',
  shareWith: (name) => `Partager avec ${name}`,
  toShare: 'Groupes à partager',
  shared: (name, count) => `${groups(count)} : partage avec ${name} fait`,
  dismiss: (name) => `Ne plus rappeler de partager avec ${name}`,
  dismissed: (name) => `Le partage avec ${name} ne vous sera plus rappelé`,
  failed: (reason) => `Impossible de supprimer le rappel. ${reason}`,
};
