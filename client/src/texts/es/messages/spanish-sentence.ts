import { CONTRACT_MESSAGES } from './contract-messages.ts';
import { BACKUP_MESSAGES, SERVER_MESSAGES } from './server-messages.ts';
import { sentencesIn } from '../../translations.ts';

/** Names of members, as `labelOf` of the contract writes them. */
const LABELS: Readonly<Record<string, string>> = {
  title: 'Título',
  name: 'Nombre',
  username: 'Nombre de usuario',
  email: 'Correo electrónico',
  password: 'Contraseña',
  login: 'Nombre de acceso',
  value: 'Valor',
  type: 'Tipo',
  role: 'Rol',
  tag: 'Etiqueta',
  tags: 'Etiquetas',
  icon: 'Icono',
  fields: 'Campos',
  entries: 'Entradas',
  groups: 'Grupos',
  documents: 'Documentos',
  'due at': 'Vencimiento',
  'due kind': 'Tipo de vencimiento',
  'rotate days': 'Días hasta el próximo cambio',
  'totp timeout': 'Duración de un código de un solo uso',
  'totp hash algorithm': 'Algoritmo del código de un solo uso',
  'file name': 'Nombre del archivo',
  file: 'Archivo',
  scopes: 'Permisos',
  'expires at': 'Caducidad',
  schedule: 'Calendario',
  keep: 'Número de copias',
  'keep days': 'Días',
  'digest hour': 'Hora del correo',
  'digest zone': 'Zona horaria',
  entryGroupTarget: 'Grupo de destino',
};

/** A sentence of the server in Spanish; one that is not known stays as it is. */
export const spanishSentence = sentencesIn(
  { ...CONTRACT_MESSAGES, ...SERVER_MESSAGES, ...BACKUP_MESSAGES, ...LABELS },
  (text) => text,
);
