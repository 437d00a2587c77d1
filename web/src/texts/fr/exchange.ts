/** The French texts of imports and exports. They share nothing with `french.ts`, which has a chunk of its own. */
import { translated, translateMore, type Translation } from '@passwordbroker/core/texts';
import type { IMPORT_TEXTS } from '../entries/import.ts';
import { exchangeSentences, SKIPPED } from './messages/exchange-messages.ts';

const entries = (count: number) => (count === 1 ? '1 entrée' : `${count} entrées`);
const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`;

const IMPORT: Translation<typeof IMPORT_TEXTS> = {
  title: 'Importer des données',
  subtitle: 'Un fichier d’un autre programme. Vous voyez ce qu’il contient avant que quoi que ce soit soit créé.',
  file: 'Fichier',
  fileKind:
    'KeePass XML 2.x, comme KeePass et KeePassXC l’exportent, ou un fichier d’un autre gestionnaire de mots de passe',
  drop: 'Déposez un fichier ici ou',
  choose: 'choisissez un fichier',
  replace: 'Remplacer',
  chosen: (size, kind) => (kind === null ? size : `${size}, ${kind}`),
  otherKind: 'Un autre type ?',
  kind: 'Type de fichier',
  filePassword: 'Mot de passe du fichier',
  filePasswordHint: 'Il sert dans ce navigateur et n’est pas envoyé.',
  filePasswordMissing: 'Saisissez le mot de passe du fichier.',
  keyFile: 'Fichier clé',
  chooseKeyFile: 'choisissez un fichier clé',
  keyFileHint: 'Seulement si le fichier en a besoin.',
  withoutKeyFile: 'Sans fichier clé',
  oneFileOnly: 'Choisissez un seul fichier.',
  fileMissing: 'Le fichier manque',
  masterPassword: 'Mot de passe maître',
  masterPasswordHint: 'Il ouvre vos clés dans ce navigateur et n’est pas envoyé.',
  alreadyUnlocked: 'déjà déverrouillé',
  alreadyUnlockedHint: 'Le coffre est ouvert. Rien à saisir ici.',
  masterPasswordMissing: 'Le mot de passe maître manque',
  pendingAction: (file) => `importer « ${file} »`,
  columns: 'Ce que signifient les colonnes',
  column: (number) => `Colonne ${number}`,
  hasNames: 'La première ligne a les noms',
  showCells: 'Afficher les cellules',
  hideCells: 'Masquer les cellules',
  maskedCells: '••••••••',
  noCells: 'vide',
  meaningOf: (column) => `Signification de ${column}`,
  meanings: {
    title: 'Titre',
    group: 'Chemin du groupe',
    login: 'Nom d’utilisateur',
    password: 'Mot de passe',
    url: 'URL',
    notes: 'Notes',
    totp: 'Mot de passe à usage unique',
    created: 'Création',
    modified: 'Modification',
    tags: 'Étiquettes',
    text: 'Champ de texte',
    secret: 'Champ secret',
    none: 'Omettre',
  },
  separator: 'Entre les noms du chemin d’un groupe',
  noSeparator: 'Rien : chaque texte est un groupe',
  next: 'Continuer',
  busy: 'Importation',
  cancel: 'Annuler',
  cancelling: 'Annulation',
  takingBack: 'Tout était déjà envoyé. L’importation est maintenant annulée sur le serveur.',
  cancelled: 'L’importation a été annulée. Rien n’a été modifié.',
  progress: {
    opening: 'Ouverture du fichier',
    reading: 'Lecture',
    sealing: 'Chiffrement',
    uploading: 'Envoi',
    storing: 'Enregistrement',
  },
  opening: (seconds) => `Ouverture du fichier : environ ${seconds} s`,
  reading: (done, total) => `${done} sur ${total} lus. Laissez cet onglet ouvert.`,
  sealing: (done, total) => `${done} sur ${total} valeurs chiffrées dans ce navigateur. Laissez cet onglet ouvert.`,
  uploading: (done, total) => `${done} sur ${total} envoyés. Laissez cet onglet ouvert.`,
  storing: 'Le serveur enregistre l’importation. Laissez cet onglet ouvert.',
  failed: 'Impossible d’importer le fichier.',
  tookTooLong: 'La lecture a pris trop de temps et a été arrêtée.',
  lost: 'Le serveur a peut-être enregistré l’importation. Regardez si la nouvelle arborescence figure parmi les groupes.',
  notTakenBack: (name) =>
    `L’importation a été enregistrée comme nouvelle arborescence « ${name} » et n’a pas pu être annulée. Si l’arborescence figure encore parmi les groupes, annulez l’importation sur la page Corbeille ou supprimez l’arborescence.`,
  tooLarge: (limit) => `Le fichier dépasse ${limit}.`,
  sealedTooLarge: (size, limit) =>
    `Cette importation est trop grande : chiffrée, elle fait ${size}, et le serveur accepte au plus ${limit} en une fois. Rien n’a été envoyé. Exportez vos données en plus petites parties, par exemple sans les plus grandes pièces jointes, et importez-les une à une.`,

  look: 'Voir avant d’importer',
  source: (kind, size) => `${kind}, ${size}`,
  inFile: 'Dans le fichier',
  better: (kind) => `Ce programme peut aussi exporter ${kind}, qui contient plus que ce fichier.`,
  values: (count) => counted(count, 'valeur', 'valeurs'),
  earlier: (count) => counted(count, 'version antérieure', 'versions antérieures'),
  files: (count, size) => `${counted(count, 'fichier', 'fichiers')} (${size})`,
  preview: 'Groupes et entrées du fichier',
  groupRow: (name, count) => `${name}, ${count}`,
  changes: 'Ce qui change ou n’est pas repris',
  nothingChanges: 'Tout ce que contient le fichier a une place ici.',
  andMore: (count) => `et ${count} de plus`,
  copyList: 'Copier la liste',
  listCopied: 'La liste est dans le presse-papiers.',
  saveReport: 'Enregistrer le rapport',
  reportTitle: (file) => `Importation de « ${file} »`,
  reportName: (day) => `rapport-importation-${day}.txt`,
  whereTo: 'Destination',
  asNewTree: 'Dans une nouvelle arborescence',
  intoGroup: 'Dans un groupe',
  groupMissing: 'Choisissez le groupe qui reçoit l’import.',
  sameMembers: 'Donner aux nouveaux groupes les membres du groupe au-dessus',
  sameMembersHint:
    'Les groupes de même chemin sont réutilisés. Sans cela, vous êtes la seule personne dans les nouveaux.',
  comparing: 'Comparaison',
  marks: { new: 'nouveau', existing: 'existant', duplicate: 'doublon' },
  duplicates: (count) =>
    count === 1
      ? '1 entrée ressemble à une que vous avez déjà'
      : `${count} entrées ressemblent à d’autres que vous avez déjà`,
  forAll: 'Toutes les entrées qui ressemblent à d’autres',
  skip: 'Ignorer',
  addAsNew: 'Ajouter quand même',
  exceptions: 'Décider une par une',
  butAdd: (entry) => `Ajouter quand même ${entry}`,
  butSkip: (entry) => `Ignorer ${entry}`,
  newTree: 'Nom de la nouvelle arborescence',
  newTreeMissing: 'Saisissez un nom pour la nouvelle arborescence.',
  deleteFile: (name) =>
    `Le fichier ${name} n’est pas chiffré. Supprimez-le après l’importation, aussi des téléchargements et de la corbeille de cet ordinateur.`,
  importEntries: (count) => `Importer ${entries(count)}`,
  back: 'Retour',

  doneTitle: 'Importation terminée',
  doneInto: (name) => `Créé comme nouvelle arborescence « ${name} ».`,
  doneIntoGroup: (name) => `Ajouté dans « ${name} ».`,
  read: 'Lu',
  leftOut: 'Omis',
  leftOutLine: (count, kind, reason) => {
    const [one, several] = SKIPPED[kind] ?? [kind, kind];
    return `${count} ${count < 2 ? one : several} : ${translated(reason)}`;
  },
  nothingLeftOut: 'Rien n’a été omis.',
  groups: (count) => counted(count, 'groupe', 'groupes'),
  entries,
  fields: (count) => counted(count, 'champ', 'champs'),
  revisions: (count) => `${counted(count, 'version', 'versions')} de ces champs, avec l’historique`,
  open: 'Ouvrir l’arborescence',
  openGroup: 'Ouvrir le groupe',

  toast: (count, name) => `${entries(count)} : importation faite dans « ${name} »`,
  log: (name) => `Importation dans « ${name} » terminée`,
  undone: (name) => `Importation dans « ${name} » annulée`,
};

export const EXCHANGE_TEXTS: Readonly<Record<string, object>> = {
  import: IMPORT,
};

/** Before the English ones are loaded. */
export const translateExchange = (): void => translateMore(EXCHANGE_TEXTS, exchangeSentences);
