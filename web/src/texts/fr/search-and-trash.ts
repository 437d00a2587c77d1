import type { Translation } from '@passwordbroker/core/texts';
import type { ENTRY_PART_TEXTS, SEARCH_TEXTS, SUGGESTION_TEXTS } from '../entries/search.ts';
import type { ACTIVITY_LOG_TEXTS, CLIPBOARD_TEXTS, TRASH_TEXTS, UNDO_TEXTS } from '../entries/trash-and-activity.ts';

const entryCount = (count: number) => `${count} ${count < 2 ? 'entrée' : 'entrées'}`;

export const SEARCH: Translation<typeof SEARCH_TEXTS> = {
  heading: (query) => `Résultats pour : « ${query} »`,
  empty: '… aucun résultat',
  similar: 'Semblable',
  similarHint: (query) => `Rien ne contient « ${query} ». Ces entrées contiennent des mots semblables.`,
  emptyHint: (query) => `Rien ne correspond à « ${query} ». Vérifiez l’orthographe ou cherchez plus court.`,
  count: (entries, groups) => `${entryCount(entries)} dans ${groups} ${groups < 2 ? 'groupe' : 'groupes'}`,
  countOnPage: entryCount,
  perPage: 'Par page',
  perPageOption: (count) => `${count} par page`,
  updated: (time) => `Modifiée ${time}`,
  loading: 'chargement …',
  failed: 'La recherche a échoué.',
  change: 'Modifier la recherche',
  retry: 'Réessayer',
  hintTitle: 'Façons de chercher',
  hint: [
    { typed: 'title:root', text: 'dans les titres d’entrées et de champs' },
    { typed: 'login:root', text: 'dans les identifiants' },
    { typed: 'group:billing', text: 'dans les noms de groupes' },
    { typed: 'type:TOTP', text: 'entrées avec un champ de ce type : password, TOTP, link, note, file' },
    { typed: 'tag:pci', text: 'entrées avec cette étiquette' },
    { typed: 'due:week', text: 'entrées arrivant à échéance d’ici une semaine ; « due:late » pour celles en retard' },
    { typed: '"old server"', text: 'ces mots dans cet ordre' },
    { typed: '-staging', text: 'sans ce mot' },
    {
      typed: '"-staging"',
      text: 'exactement ce texte : entre guillemets, un moins ou un mot comme title: n’a pas de sens particulier',
    },
  ],
  noFields: 'Cette entrée n’a pas de champs.',
};

const nounsOf = (entry: string, field: string | null) =>
  field === null ? `de « ${entry} »` : `« ${field} » de « ${entry} »`;

export const ENTRY_PART: Translation<typeof ENTRY_PART_TEXTS> = {
  bar: (entry) => `Actions pour ${entry}`,
  buttons: {
    password: { label: 'Copier le mot de passe', keys: 'Ctrl C' },
    login: { label: 'Copier l’identifiant', keys: 'Ctrl B' },
    link: { label: 'Ouvrir le lien', keys: 'Ctrl O' },
    code: { label: 'Copier le code', keys: 'Alt T' },
  },
  done: {
    password: (entry, field) => `Mot de passe ${nounsOf(entry, field)} copié`,
    login: (entry, field) => `Identifiant ${nounsOf(entry, field)} copié`,
    link: (entry, field) => `Lien ${nounsOf(entry, field)} ouvert`,
    code: (entry, field) => `Code à usage unique ${nounsOf(entry, field)} copié`,
  },
  none: {
    password: (entry) => `« ${entry} » n’a pas de mot de passe.`,
    login: (entry) => `« ${entry} » n’a pas d’identifiant.`,
    link: (entry) => `« ${entry} » n’a pas de lien.`,
    code: (entry) => `« ${entry} » n’a pas de code à usage unique.`,
  },
  failed: {
    password: (entry, reason) => `Le mot de passe de « ${entry} » n’a pas été copié. ${reason}`,
    login: (entry, reason) => `L’identifiant de « ${entry} » n’a pas été copié. ${reason}`,
    link: (entry, reason) => `Le lien de « ${entry} » n’a pas été ouvert. ${reason}`,
    code: (entry, reason) => `Le code à usage unique de « ${entry} » n’a pas été copié. ${reason}`,
  },
};

export const SUGGESTION: Translation<typeof SUGGESTION_TEXTS> = {
  list: 'Suggestions',
  recent: 'Récents',
  favourites: 'Favoris',
  searches: 'Recherches',
  newLogin: 'Nouvel accès',
  chooseGroup: 'Choisissez le groupe auquel il appartient.',
  noGroup: 'Vous ne pouvez créer d’entrées dans aucun groupe. Créez d’abord votre propre groupe.',
  goOn: 'Continuer',
  unlock: 'Déverrouiller le coffre',
  home: 'Accueil',
  formerMembers: 'Anciens membres',
  groups: 'Groupes',
  actions: 'Actions',
  entries: 'Entrées',
  similar: { group: 'Groupes semblables', entry: 'Entrées semblables' },
  count: (count) =>
    count === 0
      ? 'Aucune suggestion'
      : `${count} ${count < 2 ? 'suggestion' : 'suggestions'}, à choisir avec les flèches`,
  foot: 'recherche dans toutes les entrées',
  footKey: 'Entrée',
  failed: (reason) => `Les suggestions de recherche ont échoué : ${reason}`,
};

const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`;

interface Counts {
  readonly entry_groups: number;
  readonly entries: number;
  readonly fields: number;
}

const countsText = ({ entry_groups, entries, fields }: Counts) =>
  [
    entry_groups > 0 ? counted(entry_groups, 'groupe', 'groupes') : '',
    entries > 0 ? counted(entries, 'entrée', 'entrées') : '',
    fields > 0 ? counted(fields, 'champ', 'champs') : '',
  ]
    .filter(Boolean)
    .join(', ');

export const TRASH: Translation<typeof TRASH_TEXTS> = {
  page: 'Corbeille',
  pageHint: 'Restaurer ce qui a été supprimé et annuler vos modifications.',
  sections: 'Parties de la corbeille',
  deleted: 'Supprimé',
  ofGroup: 'Corbeille du groupe',
  tab: 'Corbeille',
  list: 'Supprimé',
  loading: 'Chargement de la corbeille',
  failed: 'Impossible de charger la corbeille.',
  retry: 'Réessayer',
  empty: 'la corbeille est vide',
  emptyHint: 'Les groupes, entrées et champs supprimés restent ici jusqu’à leur suppression définitive.',
  kinds: { entry_group: 'Groupe', entry: 'Entrée', field: 'Champ' },
  titleOf: (title, more) => (more === 0 ? title : `${title} et ${more} de plus`),
  counts: countsText,
  where: (group) => `dans ${group}`,
  atRoot: 'tout en haut',
  who: (name) => `supprimé par ${name}`,
  byNobody: 'supprimé par un ancien utilisateur',
  until: (time) => `peut être restauré jusqu’à ${time}`,
  showItems: (count) => `Afficher ${count} objets`,
  hideItems: (count) => `Masquer ${count} objets`,
  items: (title) => `Objets de ${title}`,
  restore: 'Restaurer',
  restoreAsked: (title) => `Restaurer « ${title} » ?`,
  restoreNamed: (title) => `Restaurer ${title}`,
  restoring: 'Restauration',
  restored: (title) => `« ${title} » restauré`,
  purge: 'Supprimer définitivement',
  purgeNamed: (title) => `Supprimer définitivement ${title}`,
  purgeDialog: (title) => `Supprimer définitivement ${title} ?`,
  counting: 'Comptage',
  countFailed: 'Impossible de compter les objets.',
  purgeText: ({ files, ...counts }) =>
    `Supprime ${countsText(counts)}${files > 0 ? `, dont ${counted(files, 'fichier', 'fichiers')},` : ''} avec toutes les versions, pour tout le monde.`,
  emptyTrash: 'Vider la corbeille',
  emptyTrashDialog: 'Vider la corbeille ?',
  emptyTrashWhat: (items, ofGroup) =>
    `${counted(items, 'objet supprimé', 'objets supprimés')} ${ofGroup ? 'de ce groupe' : 'de tous les groupes où vous êtes admin'} ${items < 2 ? 'sera effacé' : 'seront effacés'} définitivement.`,
  emptied: 'La corbeille a été vidée',
  purgeLast: 'Cela ne peut pas être annulé.',
  purging: 'Suppression',
  purged: (title) => `« ${title} » supprimé définitivement`,
  cancel: 'Annuler',

  changes: 'Vos modifications',
  changesLoading: 'Chargement de vos modifications',
  changesFailed: 'Impossible de charger vos modifications.',
  changesEmpty: 'rien à annuler',
  changesEmptyHint:
    'Vos nouvelles entrées, déplacements, renommages et importations figurent ici tant qu’ils peuvent être annulés.',
  undo: 'Annuler',
  undoNamed: (what) => `Annuler : ${what}`,
  undoing: 'Annulation',
  undone: (what) => `Annulé : ${what}`,
  undoneExcept: (what, count) => `Annulé : ${what}. Modifié depuis, et donc resté : ${count}.`,
  undoUntil: (time) => `peut être annulé jusqu’à ${time}`,
  undoImportAction: (name) => `annuler l’import dans « ${name} »`,
  undoMoveAction: (group) => `ramener les entrées dans « ${group} »`,
  unknownGroup: 'un groupe que vous ne voyez pas',
  theRoot: 'tout en haut',
  groupNamed: (title) => `« ${title} »`,
  renamed: (kind, from, to) => `${kind === 'entry_group' ? 'Groupe' : 'Entrée'} « ${from} » : nouveau nom « ${to} »`,
  movedGroup: (title, from, to) => `Groupe « ${title} » déplacé : de ${from} vers ${to}`,
  movedEntries: (title, more, from, to) =>
    more === 0
      ? `Entrée « ${title} » déplacée : de ${from} vers ${to}`
      : `Entrée « ${title} » et ${more} de plus déplacées : de ${from} vers ${to}`,
  imported: (name) => `Importation dans « ${name} »`,
};

export const UNDO: Translation<typeof UNDO_TEXTS> = {
  undo: 'Annuler',
  failed: (reason) => `Impossible d’annuler : ${reason}`,
};

export const ACTIVITY_LOG: Translation<typeof ACTIVITY_LOG_TEXTS> = {
  title: 'Activités',
  count: (shown, kept) => `${shown} sur ${kept}`,
  close: 'Fermer',
  empty: 'Il ne s’est encore rien passé',
};

export const CLIPBOARD: Translation<typeof CLIPBOARD_TEXTS> = {
  clears: (seconds) => `Le presse-papiers sera vidé dans ${seconds} s`,
  clearsOnReturn: 'Le presse-papiers sera vidé quand vous reviendrez à cette page',
};
