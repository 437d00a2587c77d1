/** Sentences of `core` about files of other programs. They load with the first import or export. */
import { sentencesIn } from '../../translations.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  'The file is not a KeePass XML 2.x file.': 'Le fichier n’est pas un fichier KeePass XML 2.x.',
  'What was read is gone. Read the file again.': 'Ce qui a été lu n’est plus là. Lisez le fichier de nouveau.',
  'A text of “{}” is too long.': 'Un texte de « {} » est trop long.',
  'The file is larger than {} MiB.': 'Le fichier dépasse {} Mio.',
  'The file unpacks to more than {} MiB.': 'Décompressé, le fichier dépasse {} Mio.',
  'Encrypted, this import is larger than {} MiB. Export your data in smaller parts, for example without the largest attachments, and import them one by one.':
    'Chiffrée, cette importation dépasse {} Mio. Exportez vos données en parties plus petites, par exemple sans les plus grandes pièces jointes, et importez-les une à une.',
  'The ZIP file is encrypted. Unpack it with another program and import what is in it.':
    'Le fichier ZIP est chiffré. Décompressez-le avec un autre programme et importez le contenu.',
  'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.':
    'Ouvrir ce fichier demande plus de travail que ce navigateur ne devrait en fournir. Enregistrez dans votre programme une copie avec des réglages plus bas.',
  'This file is of no kind that can be imported.': 'Les fichiers de ce type ne peuvent pas être importés.',
  'The file was made by a newer version of PasswordBroker.':
    'Le fichier vient d’une version plus récente de PasswordBroker.',
  'The password or the key file is wrong.': 'Le mot de passe ou le fichier clé est incorrect.',
  'The key file is damaged.': 'Le fichier clé est endommagé.',
  'KeePass 1 files (.kdb) cannot be read. Open it in KeePass 2 or KeePassXC and save it as .kdbx.':
    'Les fichiers de KeePass 1 (.kdb) ne peuvent pas être lus. Ouvrez le fichier dans KeePass 2 ou KeePassXC et enregistrez-le en .kdbx.',
  'This version of KDBX cannot be read. Save the file as KDBX 4 in your program.':
    'Cette version de KDBX ne peut pas être lue. Enregistrez le fichier en KDBX 4 dans votre programme.',
  'The file uses Twofish. Change its encryption to AES or ChaCha20 in your program and save it.':
    'Le fichier est chiffré avec Twofish. Choisissez AES ou ChaCha20 dans votre programme et enregistrez-le.',
  'The file uses an unknown cipher. Change its encryption to AES or ChaCha20 in your program and save it.':
    'Le chiffrement du fichier est inconnu. Choisissez AES ou ChaCha20 dans votre programme et enregistrez-le.',
  'The file uses an unknown key derivation. Change it to Argon2 in your program and save it.':
    'La dérivation de clé du fichier est inconnue. Choisissez Argon2 dans votre programme et enregistrez-le.',
  'The file uses an old version of Argon2. Change its key derivation in your program and save it.':
    'Le fichier utilise une ancienne version d’Argon2. Changez la dérivation de clé dans votre programme et enregistrez-le.',
  'This file needs more than a password and a key file. Remove that in your program for a copy, and import the copy.':
    'Ce fichier demande plus qu’un mot de passe et un fichier clé. Retirez cela dans votre programme pour une copie, et importez la copie.',
  'This export opens only in the Bitwarden account that made it. Export again with “Password protected” or without encryption.':
    'Cet export ne s’ouvre que dans le compte Bitwarden qui l’a fait. Exportez de nouveau, protégé par mot de passe ou sans chiffrement.',
  'Line {} does not fit the header.': 'La ligne {} ne correspond pas à l’en-tête.',
  'Line {} is too long.': 'La ligne {} est trop longue.',
  'Choose a column for the title, the address, the user name or the password.':
    'Choisissez une colonne pour le titre, l’adresse, le nom d’utilisateur ou le mot de passe.',
  'The file could not be read: {}.': 'Impossible de lire le fichier : {}.',
  'This export is encrypted with PGP. Export it from Proton Pass without, or decrypt it first.':
    'Cet export est chiffré avec PGP. Exportez de Proton Pass sans cela, ou déchiffrez-le d’abord.',
  'This is a transfer between two apps (CXP) and opens in the receiving app only. Export to a file instead.':
    'C’est un transfert entre deux applications (CXP), qui ne s’ouvre que dans l’application destinataire. Exportez plutôt dans un fichier.',
  'This file is of another version of CXF than 1.': 'Ce fichier a une autre version de CXF que 1.',
  'The password is wrong.': 'Le mot de passe est incorrect.',
};

/** Why a file cannot be read, and why a part of it is left out. */
const REASONS: Readonly<Record<string, string>> = {
  'it is empty': 'il est vide',
  'it is cut off': 'il est tronqué',
  'it is too large': 'il est trop grand',
  'it is nested too deeply': 'il est imbriqué trop profondément',
  'it has too many groups': 'il a trop de groupes',
  'it has too many versions of a field': 'il a trop de versions d’un champ',
  'it has more than {} files': 'il a plus de {} fichiers',
  'it has too many entries': 'il a trop d’entrées',
  'it has too many fields': 'il a trop de champs',
  'it has too many elements': 'il a trop d’éléments',
  'it has too many character references': 'il a trop de références de caractères',
  'it contains a document type or an entity': 'il contient un type de document ou une entité',
  'an element has too many attributes': 'un élément a trop d’attributs',
  'a text is too long': 'un texte est trop long',
  'its encoding is not supported': 'son encodage n’est pas pris en charge',
  'its text is damaged': 'son texte est endommagé',
  'line {} is not well-formed XML': 'la ligne {} n’est pas du XML valable',
  'an attachment is too large': 'une pièce jointe est trop grande',
  'an attachment is missing': 'une pièce jointe manque',
  'an attachment is damaged': 'une pièce jointe est endommagée',
  'an attachment unpacks to an implausible size': 'une pièce jointe a une taille décompressée invraisemblable',
  'a protected value is damaged': 'une valeur protégée est endommagée',
  'the attachments together are too large': 'les pièces jointes sont trop grandes ensemble',

  'it has too many rows': 'il a trop de lignes',
  'it is damaged': 'il est endommagé',
  'it has too many files': 'il a trop de fichiers',
  'it contains a link': 'il contient un lien',
  'it has two files of the same name': 'deux de ses fichiers portent le même nom',
  'a file is missing in it': 'il y manque un fichier',
  'it unpacks to an implausible size': 'sa taille décompressée est invraisemblable',

  'removed before, only in the history': 'supprimé auparavant, seulement dans l’historique',
  'former, only in the history': 'ancien, seulement dans l’historique',
  'its content is not in the file': 'le contenu n’est pas dans le fichier',
  'beyond the first {} of one import': 'au-delà des {} premiers d’une importation',
  'of an entry with more than {}, the oldest of them': 'les plus anciens d’une entrée qui en a plus de {}',
  'not a time-based code of six digits, so it is kept as text':
    'pas un code temporel à six chiffres, donc repris comme texte',
  'below level {}, so its entries are in the group above':
    'sous le niveau {}, donc les entrées sont dans le groupe au-dessus',
  'too large for one entry, so it continues in “Title (2)”':
    'trop grand pour une seule entrée, donc la suite est dans « Titre (2) »',
  'in the recycle bin': 'dans la corbeille de KeePass',
  'cut to {} characters': 'raccourci à {} caractères',
  'auto-type is not supported': 'la saisie automatique n’est pas prise en charge',
  'of a group, which is not supported': 'd’un groupe, ce qui n’est pas pris en charge',
  'stored by another program': 'enregistré par un autre programme',
  'of another kind than expiry': 'd’un autre type que l’expiration',
  'that moves ahead with each new password': 'qui avance à chaque nouveau mot de passe',
  'not supported': 'non pris en charge',
  'of the whole file': 'du fichier entier',
  'in the trash of the other program': 'dans la corbeille de l’autre programme',
  empty: 'vide',
  'in several groups, kept in the first': 'dans plusieurs groupes, gardé dans le premier',
  'of an unknown kind, its texts are notes': 'de type inconnu, ses textes sont des notes',
  'unknown in this kind of file, kept as a note': 'inconnu dans ce type de fichier, gardé comme note',
  'unknown in this kind of file, left out': 'inconnu dans ce type de fichier, omis',
  'of more digits than can be kept exactly': 'avec plus de chiffres qu’on ne peut en garder exactement',
  'of a link, not supported': 'd’un lien, non pris en charge',
  'belongs to no entry': 'n’appartient à aucune entrée',
  'not UTF-8, read as Western European': 'pas en UTF-8, lu comme texte d’Europe occidentale',
  'with signs in the spelling of HTML (&amp;), which was undone':
    'avec des caractères écrits comme en HTML (&amp;), rétablis',
  'not kept in a CSV file': 'absent d’un fichier CSV',
  'of creation and change': 'de création et de modification',
  'without any text': 'sans aucun texte',
  'of the same name beside another, so they become one': 'à côté d’un autre du même nom, donc réunis en un seul',
  'beside the first of its entry': 'en plus du premier de son entrée',
  'without a password, link or note': 'sans mot de passe, lien ni note',
  'with a beginning that table programs run as a formula: do not open the file in one':
    'dont le début serait exécuté comme formule par un tableur : n’ouvrez pas le fichier dans un tableur',
  'beside the first of an entry, which KeePass programs show as text':
    'en plus du premier d’une entrée, que les programmes pour KeePass montrent comme texte',
  'kept as text; signing in with it is not possible here': 'gardé comme texte ; on ne peut pas se connecter avec ici',
  'not in files of this kind': 'absent des fichiers de ce type',
  'as text in the notes': 'sous forme de texte dans les notes',
  'under another name there': 'sous un autre nom dans le fichier',
  'as another kind of field there': 'sous forme d’un autre type de champ dans le fichier',
  'in another group there': 'dans un autre groupe du fichier',
  'changed there': 'modifié dans le fichier',
  'with another time, name or user name there': 'avec une autre date, un autre nom ou identifiant dans le fichier',
  'its content does not fit its checksum': 'le contenu ne correspond pas à la somme de contrôle',
};

/** What an import leaves out: the thing, several of it. */
export const SKIPPED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  entry: ['entrée', 'entrées'],
  group: ['groupe', 'groupes'],
  field: ['champ', 'champs'],
  attachment: ['pièce jointe', 'pièces jointes'],
  version: ['version', 'versions'],
  title: ['titre', 'titres'],
  note: ['note', 'notes'],
  tag: ['étiquette', 'étiquettes'],
  icon: ['icône', 'icônes'],
  colour: ['couleur', 'couleurs'],
  description: ['description', 'descriptions'],
  'group name': ['nom de groupe', 'noms de groupes'],
  'expiry date': ['date d’expiration', 'dates d’expiration'],
  'one-time password': ['mot de passe à usage unique', 'mots de passe à usage unique'],
  'plugin value': ['valeur d’extension', 'valeurs d’extensions'],
  'auto-type sequence': ['séquence de saisie automatique', 'séquences de saisie automatique'],
  file: ['fichier', 'fichiers'],
  member: ['indication', 'indications'],
  number: ['nombre', 'nombres'],
  passkey: ['clé d’accès', 'clés d’accès'],
  password: ['mot de passe', 'mots de passe'],
  'match rule': ['règle', 'règles'],
  'password prompt': ['demande de mot de passe', 'demandes de mot de passe'],
  text: ['texte', 'textes'],
  link: ['lien', 'liens'],
  'due date': ['échéance', 'échéances'],
  time: ['date et heure', 'dates et heures'],
  'usage date': ['date d’utilisation', 'dates d’utilisation'],
  restriction: ['restriction', 'restrictions'],
  cell: ['cellule', 'cellules'],
  'auto-type association': ['association de saisie automatique', 'associations de saisie automatique'],
  permission: ['droit', 'droits'],
};

/** A sentence about a file in French. @param otherwise for others */
export const exchangeSentences = (otherwise: (text: string) => string): ((text: string) => string) =>
  sentencesIn({ ...MESSAGES, ...REASONS }, otherwise);
