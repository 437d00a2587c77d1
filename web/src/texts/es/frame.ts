import type { Translation } from '@passwordbroker/core/texts';
import type { FRAME_TEXTS } from '../frame.ts';
import type { HELP_TEXTS } from '../help.ts';
import type { KEYBOARD_TEXTS } from '../keyboard.ts';
import type { MANUAL_TEXTS } from '../manual.ts';

export const FRAME: Translation<typeof FRAME_TEXTS> = {
  home: 'PasswordBroker, inicio',
  search: 'Buscar entradas',
  doSearch: 'Buscar',
  searchKeys: 'Ctrl K',
  adminPanel: 'Administración',
  offline: 'Base sin conexión',
  activityLog: 'Actividades',
  notices: (unread) => (unread === 0 ? 'Avisos' : `Avisos, ${unread} sin leer`),
  lightTheme: 'Tema claro',
  darkTheme: 'Tema oscuro',
  logout: 'Cerrar sesión',
  groups: 'Grupos',
  openGroups: 'Abrir los grupos',
  closeGroups: 'Cerrar los grupos',
  menu: 'Menú de administración',
  openMenu: 'Abrir el menú de administración',
  closeMenu: 'Cerrar el menú de administración',
  more: 'Cuenta y más',
  skip: 'Ir directamente a las entradas',
  skipMenu: 'Ir directamente a la página',
  footer: 'PasswordBroker',
  newBuild: 'Hay una versión nueva.',
  newBuildHint: 'Recargue la página para usarla. La bóveda se bloqueará.',
  reloadNow: 'Recargar',
  notFound: 'No hay ninguna página en esta dirección',
  notFoundHint: 'Compruebe la dirección o elija un grupo.',
};

export const KEYBOARD: Translation<typeof KEYBOARD_TEXTS> = {
  title: 'Atajos de teclado',
  subtitle: 'Las letras solas actúan mientras el foco está en la lista correspondiente.',
  or: 'o',
  sections: [
    {
      title: 'En todas partes',
      keys: [
        { keys: [['Ctrl', 'K'], ['Cmd', 'K'], ['/']], text: 'Ir al campo de búsqueda' },
        { keys: [['Esc']], text: 'Cerrar el diálogo o el menú de encima' },
        { keys: [['?']], text: 'Ayuda' },
      ],
    },
    {
      title: 'Campo de búsqueda',
      keys: [
        { keys: [['Intro']], text: 'Buscar en todas las entradas' },
        { keys: [['↓']], text: 'Ir a las sugerencias' },
        { keys: [['Ctrl', 'C']], text: 'Copiar la contraseña de la entrada elegida o de la primera' },
        { keys: [['Ctrl', 'B']], text: 'Copiar su nombre de acceso' },
        { keys: [['Ctrl', 'O']], text: 'Abrir su enlace en una pestaña nueva' },
        { keys: [['Alt', 'T']], text: 'Copiar su código de un solo uso' },
        { keys: [['Esc']], text: 'Cerrar las sugerencias, después dejar el campo' },
      ],
    },
    {
      title: 'Grupos',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Moverse' },
        { keys: [['→']], text: 'Desplegar o entrar' },
        { keys: [['←']], text: 'Plegar o ir al grupo superior' },
        { keys: [['Inicio'], ['Fin']], text: 'Primer o último grupo' },
        { keys: [['A … Z']], text: 'Ir al siguiente grupo con esta inicial' },
        { keys: [['Intro']], text: 'Abrir el grupo' },
        { keys: [['M']], text: 'Mover el grupo, en modo mover' },
        { keys: [['Esc']], text: 'Salir del modo mover' },
      ],
    },
    {
      title: 'Entradas',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Moverse entre títulos' },
        { keys: [['Intro']], text: 'Desplegar o plegar' },
        { keys: [['C']], text: 'Copiar la contraseña' },
        { keys: [['B']], text: 'Copiar el nombre de acceso' },
        { keys: [['F']], text: 'Añadir a favoritos o quitar' },
        { keys: [['Espacio']], text: 'Seleccionar' },
        {
          keys: [
            ['Mayús', '↑'],
            ['Mayús', '↓'],
          ],
          text: 'Ampliar la selección',
        },
        {
          keys: [
            ['Ctrl', 'A'],
            ['Cmd', 'A'],
          ],
          text: 'Seleccionar todo',
        },
        { keys: [['N']], text: 'Entrada nueva' },
      ],
    },
    {
      title: 'Campo',
      keys: [
        { keys: [['S']], text: 'Mostrar u ocultar el valor, guardar el archivo' },
        { keys: [['C']], text: 'Copiar el valor' },
        { keys: [['L']], text: 'Copiar el nombre de acceso' },
        { keys: [['O']], text: 'Abrir el enlace' },
        { keys: [['H']], text: 'Historial' },
        { keys: [['E']], text: 'Editar' },
        { keys: [['Supr']], text: 'Eliminar' },
      ],
    },
    {
      title: 'Pestañas, tipos y diálogos',
      keys: [
        { keys: [['←'], ['→']], text: 'Moverse entre pestañas o tipos' },
        { keys: [['Intro'], ['Espacio']], text: 'Abrir la pestaña' },
        { keys: [['Intro']], text: 'Confirmar el diálogo' },
        { keys: [['Esc']], text: 'Cancelar el diálogo' },
      ],
    },
  ],
};

export const HELP: Translation<typeof HELP_TEXTS> = {
  title: 'Ayuda',
  action: 'Ayuda y atajos de teclado',
  search: 'Buscar en la ayuda',
  searchHint: 'Por ejemplo: compartir, bloquear, deshacer',
  contents: 'Guía y atajos de teclado',
  found: (count) => (count === 1 ? '1 resultado' : `${count} resultados`),
  nothing: 'Nada coincide.',
  nothingHint: 'Pruebe con una palabra más corta.',
  clear: 'Borrar la búsqueda',
};

export const MANUAL: Translation<typeof MANUAL_TEXTS> = [
  {
    title: 'Encontrar y copiar una contraseña',
    lines: [
      'Pulse Ctrl+K y escriba una parte del título, del nombre de acceso o del grupo.',
      'Ctrl+C copia la contraseña del primer resultado, Ctrl+B su nombre de acceso. Alt+T copia su código de un solo uso.',
      'La página de inicio muestra sus favoritos y lo que ha usado recientemente. F sobre una entrada la hace favorita.',
      'En una lista, pulse sobre un valor oculto para copiarlo, o sobre el ojo para verlo.',
      'Un secreto copiado se vuelve a quitar del portapapeles. El pie de página lleva la cuenta atrás. Los programas que guardan un historial del portapapeles aún pueden tenerlo.',
    ],
  },
  {
    title: 'Guardar un acceso nuevo',
    lines: [
      'Abra un grupo y pulse N o el botón «Entrada nueva».',
      'Solo el título es necesario. Nombre de acceso, contraseña, enlace, código de un solo uso, nota y archivo están en el mismo formulario.',
      'El botón junto a la contraseña genera una al azar.',
      'Para ello debe ser moderador o administrador del grupo.',
    ],
  },
  {
    title: 'Sus dos contraseñas',
    lines: [
      'Con la contraseña de la cuenta inicia sesión.',
      'La contraseña maestra abre sus secretos. Nunca sale de este navegador.',
      'Nadie puede recuperar la contraseña maestra. Si la olvida, un administrador del sitio puede restablecer sus claves. Lo que solo usted podía abrir se pierde entonces.',
      'La contraseña maestra se cambia en el menú del candado; la contraseña de la cuenta, en la página de su cuenta.',
    ],
  },
  {
    title: 'Bloquear la bóveda',
    lines: [
      'La bóveda se bloquea sola cuando usted no está. El tiempo se elige en la página de su cuenta; el sitio pone el límite.',
      'Para bloquear enseguida, abra el menú del candado y elija «Bloquear ahora».',
      'Lo que estaba escribiendo en una entrada nueva o un campo vuelve en la misma pestaña tras el desbloqueo.',
    ],
  },
  {
    title: 'Grupos y roles',
    lines: [
      'Las entradas pertenecen a grupos, y los grupos pueden contener grupos. Cada grupo tiene sus propios miembros.',
      'Los miembros leen y copian. Los moderadores además añaden, cambian, mueven y eliminan. Los administradores también renombran el grupo y deciden quién está en él.',
      'El color de un grupo es su rol: amarillo es administrador, azul es moderador, verde es miembro. Un grupo pálido no lo puede abrir.',
      'Mover un grupo no cambia el acceso de nadie. Cada diálogo dice quién obtiene o pierde acceso.',
    ],
  },
  {
    title: 'Compartir un grupo',
    lines: [
      'Abra el grupo, elija la pestaña «Usuarios» y busque a la persona. Para ello debe ser administrador del grupo.',
      'Compare ocho palabras con una persona con la que comparte por primera vez, por teléfono o en la misma sala. Palabras iguales quieren decir que es la clave correcta. Si el sitio lo permite, puede compartir primero y comparar después.',
      'Una persona sin cuenta necesita primero la invitación de un administrador del sitio.',
      'El ojo en la cabecera de un grupo y «Quién puede ver esto» en el menú de una entrada muestran quién puede leer en él.',
    ],
  },
  {
    title: 'Cuando una persona se va',
    lines: [
      'Quite a la persona del grupo. El grupo recibe entonces una clave nueva.',
      'La persona quizá recuerde lo que abrió. La página «Antiguos miembros» muestra esos secretos: cámbielos.',
    ],
  },
  {
    title: 'Quién ha visto o cambiado qué',
    lines: [
      'La pestaña «Historial» de un grupo muestra quién ha mostrado, copiado o cambiado sus campos.',
      'El reloj junto a un campo muestra el historial de ese campo con sus valores anteriores.',
    ],
  },
  {
    title: 'Deshacer, y restaurar lo eliminado',
    lines: [
      'Después de eliminar o mover, pulse «Deshacer» en el aviso.',
      'Más tarde abra la página «Papelera». Contiene todo lo eliminado y, en «Sus cambios», sus movimientos, cambios de nombre e importaciones.',
    ],
  },
  {
    title: 'Importar desde otro programa',
    lines: [
      'Exporte allí un archivo y pulse después «Importar datos» encima de los grupos.',
      'El archivo se lee y se cifra en este navegador. El informe dice lo que se omitió.',
      'Elimine después el archivo exportado: contiene sus secretos sin cifrar.',
    ],
  },
  {
    title: 'Trabajar sin el servidor',
    lines: [
      'Abra «Base sin conexión» en la cabecera y active el modo sin conexión. Este navegador guarda entonces una copia cifrada de todo lo que usted puede leer.',
      'Si no se llega al servidor, la página de inicio de sesión ofrece esta copia. Los cambios quedan en suspenso hasta que el servidor vuelva.',
    ],
  },
];
