/** The French texts of service accounts. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { SERVICE_TEXTS } from '../../identity/services.ts';

const days = (count: number) => (count === 1 ? '1 jour' : `${count} jours`);
const groups = (count: number) => (count < 2 ? `${count} groupe` : `${count} groupes`);

const SERVICES: Translation<typeof SERVICE_TEXTS> = {
  title: 'Comptes de service',
  hint: 'Des comptes pour des programmes, par exemple un pipeline. Chacun ouvre les valeurs de groupes choisis avec un seul secret, son identifiant d’accès.',
  siteHint: 'Tous les comptes de programmes de ce site.',
  off: 'Les comptes de service sont désactivés sur ce site : ils ne peuvent pas se connecter, et personne ne peut en créer.',
  failed: 'Impossible de charger les comptes de service',
  empty: 'Aucun compte de service',
  search: 'Chercher des comptes de service',
  searchHint: 'Par nom, description ou propriétaire',
  noneFound: 'Aucun compte de service ne correspond.',
  left: (count, name) =>
    count === 1
      ? `1 compte de service appartenait à ${name}. Renouvelez son identifiant d’accès, ou supprimez-le.`
      : `${count} comptes de service appartenaient à ${name}. Renouvelez leurs identifiants d’accès, ou supprimez-les.`,

  states: {
    used: 'utilisé',
    unused: (count) => `inutilisé depuis ${days(count)}`,
    fresh: 'pas encore utilisé',
    ending: (count) => (count === 0 ? 'expire aujourd’hui' : `expire dans ${days(count)}`),
    ended: 'terminé',
    disabled: 'désactivé',
    noOwner: 'sans propriétaire',
    due: 'identifiant d’un ancien propriétaire',
  },
  mark: 'service',
  readOnly: 'lecture seule',
  owner: (name) => `propriétaire : ${name}`,
  groups,
  networks: (list) => `seulement depuis ${list}`,
  credentials: (name) => `Identifiants d’accès de ${name}`,
  credentialOf: (time) => `Identifiant d’accès du ${time}`,
  usedAt: (time, address) =>
    address === null ? `dernière utilisation ${time}` : `dernière utilisation ${time} depuis ${address}`,
  neverUsed: 'pas encore utilisé',
  until: (time) => `expire ${time}`,

  more: (name) => `Plus pour ${name}`,
  cancel: 'Annuler',

  add: 'Ajouter',
  addTitle: 'Nouveau compte de service',
  addAction: 'créer un compte de service',
  create: 'Créer',
  creating: 'Création',
  name: 'Nom',
  nameHint: 'Les historiques et les listes de membres l’affichent.',
  description: 'Description',
  days: 'Jours avant l’expiration de l’identifiant',
  daysHint: (most) => `de 1 à ${most}`,
  networksLabel: 'Réseaux',
  networksHint: 'Adresses et plages comme 10.0.0.0/8. Sans réseau, il peut être utilisé depuis n’importe où.',
  removeNetwork: (network) => `Retirer ${network}`,
  wrongNetwork: (network, reason) => `${network} : ${reason}`,
  groupsLabel: 'Groupes qu’il peut lire',
  groupsHint: 'Les groupes que vous administrez. D’autres s’ajoutent dans l’onglet Utilisateurs d’un groupe.',
  addGroup: 'Ajouter un groupe',
  chooseGroup: 'Choisir un groupe',
  takeGroup: 'Ajouter ce groupe',
  removeGroup: (title) => `Retirer ${title}`,

  change: 'Modifier',
  changeTitle: (name) => `Modifier ${name}`,
  save: 'Enregistrer',
  saving: 'Enregistrement',
  changed: (name) => `Compte de service ${name} modifié`,
  disable: 'Désactivé',
  disableHint: 'Les programmes qui l’utilisent sont refusés jusqu’à ce que vous le réactiviez.',

  renew: 'Nouvel identifiant d’accès',
  renewTitle: (name) => `Nouvel identifiant d’accès pour ${name}`,
  renewText: (count) =>
    count === 0
      ? 'Il reçoit de nouvelles clés : les identifiants d’accès actuels prennent fin aussitôt.'
      : `Il reçoit de nouvelles clés : les identifiants d’accès actuels prennent fin aussitôt, vous l’ajoutez de nouveau à ${count === 1 ? 'son groupe, qui reçoit aussi de nouvelles clés' : `ses ${count} groupes, qui reçoivent aussi de nouvelles clés`}.`,
  renewHint: 'Tant que le programme a un identifiant valable, « pb service rotate » le remplace sans interruption.',
  renewAction: 'créer un identifiant d’accès',
  onlyOwner: 'Seul le propriétaire le peut. Changez d’abord le propriétaire.',
  renewing: 'Création',

  giveTo: 'Changer le propriétaire',
  giveTitle: (name) => `Propriétaire de ${name}`,
  giveText: 'Le propriétaire crée des identifiants d’accès, modifie et supprime le compte.',
  person: 'Chercher une personne',
  take: (name) => `Rendre ${name} propriétaire`,
  takeShort: 'Rendre propriétaire',
  searching: 'Recherche',
  nobody: 'Personne trouvé.',
  given: (name, owner) => `${name} appartient maintenant à ${owner}`,

  end: 'Terminer',
  endNamed: (time, name) => `Terminer l’identifiant d’accès de ${name} du ${time}`,
  endTitle: (name) => `Terminer un identifiant d’accès de ${name} ?`,
  endText: 'Les programmes qui l’utilisent sont refusés aussitôt.',
  ending: 'En cours',
  ended: 'Identifiant d’accès terminé',

  remove: 'Supprimer',
  removeTitle: (name) => `Supprimer ${name} ?`,
  removeText: (count) =>
    count === 0
      ? 'Les programmes qui l’utilisent sont refusés aussitôt.'
      : `Les programmes qui l’utilisent sont refusés aussitôt. Il quitte ${count === 1 ? 'son groupe, qui reçoit de nouvelles clés' : `ses ${count} groupes, qui reçoivent de nouvelles clés`}.`,
  removing: 'Suppression',
  removed: (name) => `Compte de service ${name} supprimé`,

  made: (name) => `Identifiant d’accès de ${name}`,
  once: 'Ceci n’est affiché qu’une fois. Placez-le dans le coffre de secrets de votre CI sous le nom PB_SERVICE.',
  copy: 'Copier l’identifiant d’accès',
  saveFile: 'Enregistrer dans un fichier',
  pinsHint: 'Définissez aussi ceci : seules comptent alors les listes de membres que votre clé garantit.',
  copyPins: 'Copier la ligne',
  missed: 'Il n’a pas pu être ajouté à ces groupes. Ajoutez-le dans leur onglet Utilisateurs :',
  missedGroup: (title, reason) => `${title} : ${reason}`,
  stored: 'Je l’ai enregistré',
  done: 'Terminé',
};

export const SERVICE_CATALOGUES: Readonly<Record<string, object>> = { services: SERVICES };

/** Before the English ones are loaded. */
export const translateServices = (): void => translateMore(SERVICE_CATALOGUES, (otherwise) => otherwise);
