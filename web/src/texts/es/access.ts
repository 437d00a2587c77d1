import type { Translation } from '@passwordbroker/core/texts';
import type { ACCESS_TEXTS, PREVIEW_TEXTS } from '../groups/access.ts';

const people = (count: number) => `${count} ${count === 1 ? 'persona' : 'personas'}`;
const of = (opened: number, values: number) =>
  `${opened === 0 ? 'ninguno' : opened} de ${values} ${values === 1 ? 'valor' : 'valores'}`;

export const ACCESS: Translation<typeof ACCESS_TEXTS> = {
  title: (what) => `Quién puede ver «${what}»`,
  loading: 'Cargando quién puede ver esto',
  failed: 'No se pudo cargar quién puede ver esto.',
  retry: 'Reintentar',
  search: 'Buscar una persona',
  searchHint: 'También encuentra a personas que no pueden leer esto, y dice por qué.',
  people: 'Personas',
  found: (count) => `${people(count)} en total`,
  searching: 'Buscando',
  nobody: 'No se encontró a nadie.',
  more: (count) => `Y ${count} más. Escriba un nombre para encontrarlas.`,
  reads: (name, role, group) => `${name} puede leer esto: ${role} de ${group}.`,
  youRead: (role, group) => `Usted puede leer esto: ${role} de ${group}.`,
  cannot: (name, group) => `${name} no puede leer esto: no es miembro de ${group}.`,
  opened: (opened, values) => `Abrió ${of(opened, values)}.`,
  openedLast: (opened, values, last) => `Abrió ${of(opened, values)}, por última vez ${last}.`,
  youOpened: (opened, values) => `Usted abrió ${of(opened, values)}.`,
  inCopies: (count) => `${count} de ellos solo en una copia sin conexión.`,
  unsigned: (name) =>
    `El servidor menciona a ${name}, pero ningún administrador lo ha firmado. ${name} no recibe claves.`,
  otherRole: (role) => `La lista firmada dice: ${role}.`,
  missing: (count) => `El servidor no muestra a ${people(count)} de la lista firmada.`,
  same: 'Comparado con la lista firmada: las mismas personas y los mismos roles.',
  notCompared: 'Aún no comparado con la lista firmada. Desbloquee la bóveda para hacerlo.',
  noList: 'Este grupo aún no tiene una lista firmada.',
};

export const PREVIEW: Translation<typeof PREVIEW_TEXTS> = {
  computing: 'Calculando los cambios',
  failed: 'No se pudieron calcular los cambios.',
  nobody: 'El acceso no cambia para nadie.',
  you: 'Usted',
  people: (names, more) => {
    if (more > 0) return `${names.join(', ')} y ${more} más`;
    return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' y ');
  },
  gains: (names, entries) =>
    entries === 0
      ? `Obtienen acceso: ${names}.`
      : `Obtienen acceso a ${entries} ${entries === 1 ? 'entrada' : 'entradas'}: ${names}.`,
  loses: (names) => `Pierden el acceso: ${names}.`,
  known: (values) =>
    values === 1 ? 'Aquí se abrió 1 valor: cámbielo.' : `Aquí se abrieron ${values} valores: cámbielos.`,
  changes: (names, groups) => (groups === 1 ? `Otro rol: ${names}.` : `Otro rol en ${groups} grupos: ${names}.`),
  names: (count, group) => {
    const who = count === 1 ? '1 persona verá' : `${count} personas verán`;
    return `${who} el nombre ${group === null ? 'del nuevo lugar' : `«${group}»`}.`;
  },
  lastAdmin: 'No se puede cambiar el rol del último administrador.',
  othersBelow: 'Los subgrupos que usted no administra se mueven también.',
  refusedBelow: 'Usted no administra todos los subgrupos, así que se rechazará.',
};
