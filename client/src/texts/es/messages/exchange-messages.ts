/** Sentences of `core` about files of other programs. They load with the first import or export. */
import { sentencesIn } from '../../translations.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  'The file is not a KeePass XML 2.x file.': 'El archivo no es un archivo KeePass XML 2.x.',
  'What was read is gone. Read the file again.': 'Lo leído ya no está. Lea el archivo de nuevo.',
  'A text of “{}” is too long.': 'Un texto de «{}» es demasiado largo.',
  'The file is larger than {} MiB.': 'El archivo es mayor que {} MiB.',
  'The file unpacks to more than {} MiB.': 'Descomprimido, el archivo es mayor que {} MiB.',
  'Encrypted, this import is larger than {} MiB. Export your data in smaller parts, for example without the largest attachments, and import them one by one.':
    'Cifrada, esta importación es mayor que {} MiB. Exporte sus datos en partes más pequeñas, por ejemplo sin los adjuntos más grandes, e impórtelas una a una.',
  'The ZIP file is encrypted. Unpack it with another program and import what is in it.':
    'El archivo ZIP está cifrado. Descomprímalo con otro programa e importe lo que contiene.',
  'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.':
    'Abrir este archivo exige más trabajo del que debería hacer este navegador. Guarde en su programa una copia con ajustes más bajos.',
  'This file is of no kind that can be imported.': 'Los archivos de este tipo no se pueden importar.',
  'The file was made by a newer version of PasswordBroker.':
    'El archivo es de una versión más nueva de PasswordBroker.',
  'The password or the key file is wrong.': 'La contraseña o el archivo de clave son incorrectos.',
  'The key file is damaged.': 'El archivo de clave está dañado.',
  'KeePass 1 files (.kdb) cannot be read. Open it in KeePass 2 or KeePassXC and save it as .kdbx.':
    'Los archivos de KeePass 1 (.kdb) no se pueden leer. Abra el archivo en KeePass 2 o KeePassXC y guárdelo como .kdbx.',
  'This version of KDBX cannot be read. Save the file as KDBX 4 in your program.':
    'Esta versión de KDBX no se puede leer. Guarde el archivo en su programa como KDBX 4.',
  'The file uses Twofish. Change its encryption to AES or ChaCha20 in your program and save it.':
    'El archivo está cifrado con Twofish. Elija AES o ChaCha20 en su programa y guárdelo.',
  'The file uses an unknown cipher. Change its encryption to AES or ChaCha20 in your program and save it.':
    'El cifrado del archivo es desconocido. Elija AES o ChaCha20 en su programa y guárdelo.',
  'The file uses an unknown key derivation. Change it to Argon2 in your program and save it.':
    'La derivación de clave del archivo es desconocida. Elija Argon2 en su programa y guárdelo.',
  'The file uses an old version of Argon2. Change its key derivation in your program and save it.':
    'El archivo usa una versión antigua de Argon2. Cambie la derivación de clave en su programa y guárdelo.',
  'This file needs more than a password and a key file. Remove that in your program for a copy, and import the copy.':
    'Este archivo necesita más que una contraseña y un archivo de clave. Quite eso en su programa para una copia e importe la copia.',
  'This export opens only in the Bitwarden account that made it. Export again with “Password protected” or without encryption.':
    'Esta exportación solo se abre en la cuenta de Bitwarden que la hizo. Exporte de nuevo, protegida con contraseña o sin cifrado.',
  'Line {} does not fit the header.': 'La línea {} no corresponde a la cabecera.',
  'Line {} is too long.': 'La línea {} es demasiado larga.',
  'Choose a column for the title, the address, the user name or the password.':
    'Elija una columna para el título, la dirección, el nombre de usuario o la contraseña.',
  'The file could not be read: {}.': 'No se pudo leer el archivo: {}.',
  'This export is encrypted with PGP. Export it from Proton Pass without, or decrypt it first.':
    'Esta exportación está cifrada con PGP. Exporte desde Proton Pass sin eso, o descífrela antes.',
  'This is a transfer between two apps (CXP) and opens in the receiving app only. Export to a file instead.':
    'Es una transferencia entre dos aplicaciones (CXP) y solo se abre en la aplicación de destino. Exporte en su lugar a un archivo.',
  'This file is of another version of CXF than 1.': 'Este archivo tiene una versión de CXF distinta de 1.',
  'The password is wrong.': 'La contraseña es incorrecta.',
};

/** Why a file cannot be read, and why a part of it is left out. */
const REASONS: Readonly<Record<string, string>> = {
  'it is empty': 'está vacío',
  'it is cut off': 'está cortado',
  'it is too large': 'es demasiado grande',
  'it is nested too deeply': 'está anidado demasiado profundo',
  'it has too many groups': 'tiene demasiados grupos',
  'it has too many versions of a field': 'tiene demasiadas versiones de un campo',
  'it has more than {} files': 'tiene más de {} archivos',
  'it has too many entries': 'tiene demasiadas entradas',
  'it has too many fields': 'tiene demasiados campos',
  'it has too many elements': 'tiene demasiados elementos',
  'it has too many character references': 'tiene demasiadas referencias de caracteres',
  'it contains a document type or an entity': 'contiene un tipo de documento o una entidad',
  'an element has too many attributes': 'un elemento tiene demasiados atributos',
  'a text is too long': 'un texto es demasiado largo',
  'its encoding is not supported': 'su codificación no se admite',
  'its text is damaged': 'su texto está dañado',
  'line {} is not well-formed XML': 'la línea {} no es XML válido',
  'an attachment is too large': 'un adjunto es demasiado grande',
  'an attachment is missing': 'falta un adjunto',
  'an attachment is damaged': 'un adjunto está dañado',
  'an attachment unpacks to an implausible size': 'un adjunto tiene un tamaño descomprimido inverosímil',
  'a protected value is damaged': 'un valor protegido está dañado',
  'the attachments together are too large': 'los adjuntos juntos son demasiado grandes',

  'it has too many rows': 'tiene demasiadas líneas',
  'it is damaged': 'está dañado',
  'it has too many files': 'tiene demasiados archivos',
  'it contains a link': 'contiene un vínculo',
  'it has two files of the same name': 'dos archivos que contiene tienen el mismo nombre',
  'a file is missing in it': 'le falta un archivo',
  'it unpacks to an implausible size': 'tiene un tamaño descomprimido inverosímil',

  'removed before, only in the history': 'eliminado antes, solo en el historial',
  'former, only in the history': 'anterior, solo en el historial',
  'its content is not in the file': 'su contenido no está en el archivo',
  'beyond the first {} of one import': 'después de los primeros {} de una importación',
  'of an entry with more than {}, the oldest of them': 'los más antiguos de una entrada con más de {}',
  'not a time-based code of six digits, so it is kept as text':
    'no es un código temporal de seis cifras, así que se conserva como texto',
  'below level {}, so its entries are in the group above':
    'por debajo del nivel {}, así que las entradas están en el grupo superior',
  'too large for one entry, so it continues in “Title (2)”':
    'demasiado grande para una entrada, así que continúa en «Título (2)»',
  'in the recycle bin': 'en la papelera de KeePass',
  'cut to {} characters': 'acortado a {} caracteres',
  'auto-type is not supported': 'la escritura automática no se admite',
  'of a group, which is not supported': 'de un grupo, lo que no se admite',
  'stored by another program': 'guardado por otro programa',
  'of another kind than expiry': 'de otro tipo que la caducidad',
  'that moves ahead with each new password': 'que avanza con cada contraseña nueva',
  'not supported': 'no se admite',
  'of the whole file': 'de todo el archivo',
  'in the trash of the other program': 'en la papelera del otro programa',
  empty: 'vacío',
  'in several groups, kept in the first': 'en varios grupos, conservado en el primero',
  'of an unknown kind, its texts are notes': 'de tipo desconocido, sus textos son notas',
  'unknown in this kind of file, kept as a note': 'desconocido en este tipo de archivo, conservado como nota',
  'unknown in this kind of file, left out': 'desconocido en este tipo de archivo, omitido',
  'of more digits than can be kept exactly': 'con más cifras de las que se pueden conservar exactas',
  'of a link, not supported': 'de un vínculo, no se admite',
  'belongs to no entry': 'no pertenece a ninguna entrada',
  'not UTF-8, read as Western European': 'no está en UTF-8, leído como texto de Europa occidental',
  'with signs in the spelling of HTML (&amp;), which was undone':
    'con caracteres escritos como en HTML (&amp;), restablecidos',
  'not kept in a CSV file': 'ausente en un archivo CSV',
  'of creation and change': 'de creación y modificación',
  'without any text': 'sin ningún texto',
  'of the same name beside another, so they become one': 'junto a otro del mismo nombre, así que se unen en uno',
  'beside the first of its entry': 'además del primero de su entrada',
  'without a password, link or note': 'sin contraseña, enlace ni nota',
  'with a beginning that table programs run as a formula: do not open the file in one':
    'con un comienzo que una hoja de cálculo ejecutaría como fórmula: no abra el archivo en una',
  'beside the first of an entry, which KeePass programs show as text':
    'además del primero de una entrada, que los programas para KeePass muestran como texto',
  'kept as text; signing in with it is not possible here':
    'conservado como texto; aquí no se puede iniciar sesión con ello',
  'not in files of this kind': 'no existe en archivos de este tipo',
  'as text in the notes': 'como texto en las notas',
  'under another name there': 'allí con otro nombre',
  'as another kind of field there': 'allí como campo de otro tipo',
  'in another group there': 'allí en otro grupo',
  'changed there': 'cambiado allí',
  'with another time, name or user name there': 'allí con otra hora, otro nombre o nombre de usuario',
  'its content does not fit its checksum': 'el contenido no corresponde a la suma de control',
};

/** What an import leaves out: the thing, several of it. */
export const SKIPPED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  entry: ['entrada', 'entradas'],
  group: ['grupo', 'grupos'],
  field: ['campo', 'campos'],
  attachment: ['adjunto', 'adjuntos'],
  version: ['versión', 'versiones'],
  title: ['título', 'títulos'],
  note: ['nota', 'notas'],
  tag: ['etiqueta', 'etiquetas'],
  icon: ['icono', 'iconos'],
  colour: ['color', 'colores'],
  description: ['descripción', 'descripciones'],
  'group name': ['nombre de grupo', 'nombres de grupos'],
  'expiry date': ['fecha de caducidad', 'fechas de caducidad'],
  'one-time password': ['contraseña de un solo uso', 'contraseñas de un solo uso'],
  'plugin value': ['valor de un complemento', 'valores de complementos'],
  'auto-type sequence': ['secuencia de escritura automática', 'secuencias de escritura automática'],
  file: ['archivo', 'archivos'],
  member: ['dato', 'datos'],
  number: ['número', 'números'],
  passkey: ['llave de acceso', 'llaves de acceso'],
  password: ['contraseña', 'contraseñas'],
  'match rule': ['regla', 'reglas'],
  'password prompt': ['petición de contraseña', 'peticiones de contraseña'],
  text: ['texto', 'textos'],
  link: ['enlace', 'enlaces'],
  'due date': ['vencimiento', 'vencimientos'],
  time: ['momento', 'momentos'],
  'usage date': ['fecha de uso', 'fechas de uso'],
  restriction: ['restricción', 'restricciones'],
  cell: ['celda', 'celdas'],
  'auto-type association': ['asociación de escritura automática', 'asociaciones de escritura automática'],
  permission: ['permiso', 'permisos'],
};

/** A sentence about a file in Spanish. @param otherwise for others */
export const exchangeSentences = (otherwise: (text: string) => string): ((text: string) => string) =>
  sentencesIn({ ...MESSAGES, ...REASONS }, otherwise);
