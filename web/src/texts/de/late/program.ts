/** The German texts of a program that asks to sign in. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { PROGRAM_TEXTS } from '../../identity/program.ts';

const PROGRAM: Translation<typeof PROGRAM_TEXTS> = {
  title: 'Ein Programm möchte sich anmelden',
  what: 'Es bittet um Zugang zu Ihrem Konto:',
  account: (name, email) => `${name}, ${email}`,
  computer: (name) => `Als Namen gibt es „${name}“ an.`,
  compare: 'Das Programm muss dasselbe zeigen:',
  warning: [
    'Fahren Sie nur fort, wenn Sie diese Anmeldung gerade selbst begonnen haben.',
    'Wenn Ihnen jemand diese Adresse geschickt hat, schließen Sie dieses Fenster: Diese Person würde sich als Sie anmelden.',
  ],
  cancel: 'Abbrechen',
  allow: 'Anmelden lassen',
  allowing: 'Meldet an',
  codeTitle: 'Geben Sie diesen Code in das Programm ein',
  lifetime: 'Er gilt einmal, fünf Minuten lang.',
  copy: 'Code kopieren',
  nobody: 'Geben Sie ihn niemandem, auch nicht Leuten, die Ihnen helfen.',
  done: 'Fertig',
  damaged: 'Diese Adresse ist nicht vollständig. Kopieren Sie sie ganz aus dem Programm.',
};

export const PROGRAM_CATALOGUES: Readonly<Record<string, object>> = { program: PROGRAM };

/** Before the English ones are loaded. */
export const translateProgram = (): void => translateMore(PROGRAM_CATALOGUES, (otherwise) => otherwise);
