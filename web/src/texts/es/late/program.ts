/** The Spanish texts of a program that asks to sign in. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { PROGRAM_TEXTS } from '../../identity/program.ts';

const PROGRAM: Translation<typeof PROGRAM_TEXTS> = {
  title: 'Un programa pide iniciar sesión',
  what: 'Pide acceso a su cuenta:',
  account: (name, email) => `${name}, ${email}`,
  computer: (name) => `Dice que se llama «${name}».`,
  compare: 'El programa tiene que mostrar lo mismo:',
  warning: [
    'Continúe solo si acaba de empezar este inicio de sesión usted mismo.',
    'Si alguien le envió esta dirección, cierre esta ventana: esa persona iniciaría sesión en su nombre.',
  ],
  cancel: 'Cancelar',
  allow: 'Dejar que inicie sesión',
  allowing: 'Autorizando',
  codeTitle: 'Escriba este código en el programa',
  lifetime: 'Sirve una vez, durante cinco minutos.',
  copy: 'Copiar el código',
  nobody: 'No se lo dé a nadie, ni siquiera a quien le ayuda.',
  done: 'Listo',
  damaged: 'Esta dirección no está completa. Cópiela entera del programa.',
};

export const PROGRAM_CATALOGUES: Readonly<Record<string, object>> = { program: PROGRAM };

/** Before the English ones are loaded. */
export const translateProgram = (): void => translateMore(PROGRAM_CATALOGUES, (otherwise) => otherwise);
