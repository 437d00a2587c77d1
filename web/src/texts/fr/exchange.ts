/** The French texts of imports and exports. They share nothing with `french.ts`, which has a chunk of its own. */
import { translated, translateMore, type Translation } from '@passwordbroker/core/texts';
import type { EXPORT_TEXTS } from '../entries/export.ts';
import type { IMPORT_TEXTS } from '../entries/import.ts';
import { exchangeSentences, SKIPPED } from '@passwordbroker/client/texts/fr/messages/exchange-messages';

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
    comparing: 'Comparaison',
    sealing: 'Chiffrement',
    uploading: 'Envoi',
    storing: 'Enregistrement',
  },
  opening: (seconds) => `Ouverture du fichier : environ ${seconds} s`,
  reading: (done, total) => `${done} sur ${total} lus. Laissez cet onglet ouvert.`,
  comparing: (done, total) => `${done} sur ${total} valeurs comparées dans ce navigateur. Laissez cet onglet ouvert.`,
  sealing: (done, total) => `${done} sur ${total} valeurs chiffrées dans ce navigateur. Laissez cet onglet ouvert.`,
  uploading: (done, total) => `${done} sur ${total} envoyés. Laissez cet onglet ouvert.`,
  storing: 'Le serveur enregistre l’importation. Laissez cet onglet ouvert.',
  failed: 'Impossible d’importer le fichier.',
  tookTooLong: 'La lecture a pris trop de temps et a été arrêtée.',
  lost: 'Le serveur a peut-être enregistré l’importation. Regardez si la nouvelle arborescence figure parmi les groupes.',
  lostInto:
    'Le serveur a peut-être enregistré l’importation. Ouvrez le groupe et regardez si les nouvelles entrées s’y trouvent.',
  notTakenBackInto: (name) =>
    `L’importation a été enregistrée dans « ${name} » et n’a pas pu être annulée. Annulez-la sur la page Corbeille.`,
  notTakenBack: (name) =>
    `L’importation a été enregistrée comme nouvelle arborescence « ${name} » et n’a pas pu être annulée. Si l’arborescence figure encore parmi les groupes, annulez l’importation sur la page Corbeille ou supprimez l’arborescence.`,
  tooLarge: (limit) => `Le fichier dépasse ${limit}.`,

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
  marks: { new: 'nouveau', existing: 'existant', duplicate: 'doublon' },
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
  updated: (count) => `${counted(count, 'valeur', 'valeurs')} avec une nouvelle version`,
  revisions: (count) => `${counted(count, 'version', 'versions')} de ces champs, avec l’historique`,
  open: 'Ouvrir l’arborescence',
  openGroup: 'Ouvrir le groupe',

  toast: (count, name) => `${entries(count)} : importation faite dans « ${name} »`,
  log: (name) => `Importation dans « ${name} » terminée`,
  undone: (name) => `Importation dans « ${name} » annulée`,
};

const number = (value: number) => value.toLocaleString('fr');
const many = (value: number, one: string, others: string) => `${number(value)} ${value < 2 ? one : others}`;
const groups = (value: number) => many(value, 'groupe', 'groupes');
const valuesOf = (value: number) => many(value, 'valeur', 'valeurs');

const EXPORT: Translation<typeof EXPORT_TEXTS> = {
  title: 'Exporter',
  ofGroup: (name, below) =>
    below === 0 ? `Le groupe « ${name} ».` : `Le groupe « ${name} » et ${groups(below)} au-dessous.`,
  ofEntries: (value) => `${many(value, 'entrée sélectionnée', 'entrées sélectionnées')}.`,
  ofAll: (value) => `Tout ce que vous pouvez exporter : ${groups(value)}.`,
  selection: 'sélection',
  all: 'tout',
  loading: 'Chargement de ce qui peut être exporté',
  off: 'Les exports sont désactivés sur ce site.',
  nothing: 'Il n’y a rien ici que vous puissiez exporter.',
  leastRole: {
    admins: 'Un administrateur d’un groupe peut l’exporter.',
    moderators: 'Les administrateurs et les modérateurs d’un groupe peuvent l’exporter.',
    members: 'Les membres d’un groupe peuvent l’exporter.',
  },
  refused: (value, names) => `Vous ne pouvez pas exporter ${groups(value)} : ${names}.`,
  leaveOut: 'Les laisser de côté',
  kind: 'Type de fichier',
  kinds: {
    pbx: 'Archive PasswordBroker, chiffrée, avec tout',
    kdbx: 'KeePass (KDBX 4), chiffré',
    bitwarden: 'JSON de Bitwarden, chiffré par un mot de passe',
    'bitwarden-plain': 'JSON de Bitwarden, non chiffré',
    'csv-manager': 'CSV pour d’autres gestionnaires de mots de passe, non chiffré',
    'csv-table': 'CSV pour tableurs, non chiffré',
    cxf: 'FIDO Credential Exchange (CXF), non chiffré',
  },
  shortKinds: {
    pbx: 'L’archive',
    kdbx: 'KDBX',
    bitwarden: 'Le JSON de Bitwarden',
    'bitwarden-plain': 'Le JSON de Bitwarden',
    'csv-manager': 'CSV',
    'csv-table': 'CSV',
    cxf: 'CXF',
  },
  plainOff: 'Les fichiers sans chiffrement sont désactivés sur ce site.',
  history: 'Avec les versions antérieures',
  files: 'Avec les fichiers',
  password: 'Mot de passe du fichier',
  passwordHint:
    'Sans ce mot de passe, personne ne peut ouvrir le fichier. Ce n’est pas votre mot de passe maître, et il ne peut pas être récupéré.',
  repeat: 'Répéter le mot de passe',
  passwordMissing: 'Saisissez un mot de passe pour le fichier.',
  passwordsDiffer: 'Les deux mots de passe ne sont pas identiques.',
  weak: 'Ce mot de passe est facile à deviner. Choisissez-en un plus long, ou continuez.',
  plain: 'Toute personne qui obtient ce fichier peut le lire. Supprimez-le dès qu’il a servi.',
  next: 'Continuer',
  cancel: 'Annuler',
  preparing: 'Préparation de l’export',
  another: 'Un autre export de votre part est en cours, peut-être dans un autre onglet.',
  endOther: 'L’arrêter',

  confirmTitle: 'Exporter ces valeurs ?',
  counts: (groupCount, entryCount, values) =>
    `${groups(groupCount)} · ${many(entryCount, 'entrée', 'entrées')} · ${valuesOf(values)}`,
  withFiles: (size) => `avec les fichiers (${size})`,
  hasNo: (kind, missing) => `${kind} n’a ${missing.join(' ni ')}.`,
  noFiles: (value) => `pas de fichiers (${number(value)})`,
  noHistory: (value) => `pas de versions antérieures (${number(value)})`,
  noCodes: (value) => `pas de codes à usage unique (${number(value)})`,
  notExported: (missing) => `Laissé de côté selon votre choix : ${missing.join(' et ')}.`,
  filesLeft: (value) => many(value, 'fichier', 'fichiers'),
  historyLeft: (value) => many(value, 'version antérieure', 'versions antérieures'),
  recorded: (values) =>
    values < 2
      ? `${number(values)} valeur sera enregistrée comme ouverte par vous.`
      : `${number(values)} valeurs seront enregistrées comme ouvertes par vous.`,
  plainCount: (passwords) =>
    `Toute personne qui obtient ce fichier peut lire ${many(passwords, 'mot de passe', 'mots de passe')}. Supprimez-le dès qu’il a servi.`,
  formulas:
    'N’ouvrez pas ce fichier dans un tableur : il pourrait exécuter les cellules qui ressemblent à des formules.',
  understood: 'J’ai compris',
  back: 'Retour',
  exportValues: (values) => `Exporter ${valuesOf(values)}`,
  empty: 'Il ne contient aucune valeur.',
  notImportable:
    'Le fichier est trop volumineux pour un seul import dans PasswordBroker. S’il doit être réimporté, exportez moins de groupes, ou sans versions précédentes ni fichiers.',

  pendingAction: 'exporter des valeurs',
  opening: (done, total) => `Ouverture de ${number(done)} sur ${number(total)} valeurs. Gardez cet onglet ouvert.`,
  writing: (done, total) =>
    total === 0 ? 'Écriture du fichier' : `Écriture de ${number(done)} sur ${number(total)} entrées`,
  cancelling: 'Annulation',
  cancelled: (values) =>
    values === 0
      ? 'L’export a été annulé. Aucune valeur n’avait été ouverte.'
      : `L’export a été annulé. ${valuesOf(values)} ${values < 2 ? 'avait été ouverte et reste enregistrée' : 'avaient été ouvertes et restent enregistrées'}.`,

  doneTitle: 'Le fichier est prêt',
  exported: (values) => `${valuesOf(values)} ${values < 2 ? 'exportée' : 'exportées'}.`,
  gone: (values) =>
    `${valuesOf(values)} ${values < 2 ? 'a été modifiée ou retirée entre-temps et ne figure pas' : 'ont été modifiées ou retirées entre-temps et ne figurent pas'} dans le fichier.`,
  damaged: (values) =>
    `${valuesOf(values)} ${values < 2 ? 'est endommagée et ne figure pas' : 'sont endommagées et ne figurent pas'} dans le fichier.`,
  lost: 'Ce que ce type de fichier ne contient pas',
  lostLine: IMPORT.leftOutLine,
  save: 'Enregistrer le fichier',
  saved: (name) => `Enregistré sous ${name}.`,
  deleteFile: (name) =>
    `${name} n’est pas chiffré. Supprimez-le dès qu’il a servi, aussi des téléchargements et de la corbeille de cet ordinateur.`,
  close: 'Fermer',
};

export const EXCHANGE_TEXTS: Readonly<Record<string, object>> = {
  import: IMPORT,
  export: EXPORT,
};

/** Before the English ones are loaded. */
export const translateExchange = (): void => translateMore(EXCHANGE_TEXTS, exchangeSentences);
