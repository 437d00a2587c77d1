import type { Translation } from '@passwordbroker/core/texts';
import type { ADMIN_SIGN_IN_TEXTS } from '../../admin/sign-in.ts';

export const ADMIN_SIGN_IN: Translation<typeof ADMIN_SIGN_IN_TEXTS> = {
  title: 'Inicio de sesión',
  secondFactor: 'Segundo factor',
  secondFactorHint: 'Un código de un teléfono que se pide además de la contraseña de la cuenta.',
  choices: {
    off: 'No se ofrece',
    optional: 'Cada persona puede configurar uno',
    admins: 'Los administradores del sitio deben tener uno',
    all: 'Todas las personas deben tener uno',
  },
  without: (count) =>
    count === 0
      ? 'Todas las personas tienen uno.'
      : `${count === 1 ? 'Una persona aún no tiene' : `${count} personas aún no tienen`} ninguno.`,
  graceDays: 'Días para configurarlo',
  graceHint: 'Para personas que aún no tienen. Después lo configuran en el próximo inicio de sesión. 0: enseguida.',
  rememberDays: 'Días que se recuerda un navegador',
  rememberHint: 'Durante ese tiempo un navegador puede quedar, si se desea, sin más preguntas. 0: preguntar siempre.',

  marks: { none: 'Sin segundo factor', reset: 'Espera un nuevo segundo factor' },
  verb: 'Restablecer los segundos factores',
  reset: {
    title: (name) => `¿Restablecer los segundos factores de ${name}?`,
    text: (name) =>
      `Todos los factores, sesiones y tokens de ${name} terminan. Usted recibe un código válido 72 horas: entréguelo en persona. Con la contraseña de la cuenta, ${name} entra con él y configura un factor nuevo.`,
    confirm: 'Restablecer los segundos factores',
    confirming: 'Restableciendo',
    cancel: 'Cancelar',
    shown: (name) => `Código para ${name}`,
    once: 'Visible solo ahora',
    until: (time) => `Válido hasta ${time}. Entréguelo en persona.`,
    copy: 'Copiar el código',
    done: 'Listo',
  },
};
