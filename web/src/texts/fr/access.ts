import type { Translation } from '@passwordbroker/core/texts';
import type { ACCESS_TEXTS, PREVIEW_TEXTS } from '../groups/access.ts';

const people = (count: number) => `${count} ${count < 2 ? 'personne' : 'personnes'}`;
const of = (opened: number, values: number) =>
  `${opened === 0 ? 'aucune' : opened} des ${values} ${values < 2 ? 'valeur' : 'valeurs'}`;

export const ACCESS: Translation<typeof ACCESS_TEXTS> = {
  title: (what) => `Qui peut voir « ${what} »`,
  loading: 'Chargement : qui peut voir ceci',
  failed: 'Impossible de charger qui peut voir ceci.',
  retry: 'Réessayer',
  search: 'Rechercher une personne',
  searchHint: 'Trouve aussi les personnes qui ne peuvent pas lire ceci, et dit pourquoi.',
  people: 'Personnes',
  found: (count) => `${people(count)} au total`,
  searching: 'Recherche en cours',
  nobody: 'Personne n’a été trouvé.',
  more: (count) => `Et ${count} de plus. Saisissez un nom pour les trouver.`,
  reads: (name, role, group) => `${name} peut lire ceci : ${role} de ${group}.`,
  youRead: (role, group) => `Vous pouvez lire ceci : ${role} de ${group}.`,
  cannot: (name, group) => `${name} ne peut pas lire ceci : non membre de ${group}.`,
  opened: (opened, values) => `A ouvert ${of(opened, values)}.`,
  openedLast: (opened, values, last) => `A ouvert ${of(opened, values)}, en dernier ${last}.`,
  youOpened: (opened, values) => `Vous avez ouvert ${of(opened, values)}.`,
  inCopies: (count) => `${count} seulement dans une copie hors ligne.`,
  unsigned: (name) => `Le serveur mentionne ${name}, mais aucun admin ne l’a signé. ${name} ne reçoit aucune clé.`,
  otherRole: (role) => `La liste signée indique : ${role}.`,
  missing: (count) => `Le serveur ne montre pas ${people(count)} de la liste signée.`,
  same: 'Comparé à la liste signée : mêmes personnes et mêmes rôles.',
  notCompared: 'Pas encore comparé à la liste signée. Déverrouillez le coffre pour le faire.',
  noList: 'Ce groupe n’a pas encore de liste signée.',
};

export const PREVIEW: Translation<typeof PREVIEW_TEXTS> = {
  computing: 'Calcul des changements',
  failed: 'Impossible de calculer les changements.',
  nobody: 'L’accès ne change pour personne.',
  you: 'Vous',
  people: (names, more) => {
    if (more > 0) return `${names.join(', ')} et ${more} de plus`;
    return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' et ');
  },
  gains: (names, entries) =>
    entries === 0
      ? `Obtiennent l’accès : ${names}.`
      : `Obtiennent l’accès à ${entries} ${entries < 2 ? 'entrée' : 'entrées'} : ${names}.`,
  loses: (names) => `Perdent l’accès : ${names}.`,
  known: (values) =>
    values === 1 ? '1 valeur a été ouverte ici : changez-la.' : `${values} valeurs ont été ouvertes ici : changez-les.`,
  changes: (names, groups) =>
    groups === 1 ? `Autre rôle : ${names}.` : `Autre rôle dans ${groups} groupes : ${names}.`,
  names: (count, group) => {
    const who = count === 1 ? '1 personne va' : `${count} personnes vont`;
    return `${who} voir le nom ${group === null ? 'du nouvel emplacement' : `« ${group} »`}.`;
  },
  lastAdmin: 'Le rôle du dernier admin ne peut pas être changé.',
  othersBelow: 'Les sous-groupes que vous n’administrez pas sont déplacés aussi.',
  refusedBelow: 'Vous n’administrez pas tous les sous-groupes, ce sera donc refusé.',
};
