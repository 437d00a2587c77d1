/** The German texts of a program that asks to sign in. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { PROGRAM_TEXTS } from '../../identity/program.ts';

const PROGRAM: Translation<typeof PROGRAM_TEXTS> = {
  title: 'Ein Programm möchte sich anmelden',
  what: 'Die Kommandozeile „pb“ bittet um Zugang zu Ihrem Konto:',
  account: (name, email) => `${name}, ${email}`,
  computer: (name) => `Nach eigener Angabe läuft sie auf „${name}“.`,
  compare: 'Ihr Terminal muss dasselbe zeigen:',
  warning: [
    'Fahren Sie nur fort, wenn Sie gerade selbst pb login gestartet haben.',
    'Wenn Ihnen jemand diese Adresse geschickt hat, schließen Sie dieses Fenster: Diese Person würde sich als Sie anmelden.',
  ],
  cancel: 'Abbrechen',
  allow: 'Anmelden lassen',
  allowing: 'Meldet an',
  codeTitle: 'Geben Sie diesen Code in Ihr Terminal ein',
  lifetime: 'Er gilt einmal, fünf Minuten lang.',
  copy: 'Code kopieren',
  nobody: 'Geben Sie ihn niemandem, auch nicht Leuten, die Ihnen helfen.',
  done: 'Fertig',
  damaged: 'Diese Adresse ist nicht vollständig. Kopieren Sie sie ganz aus dem Terminal.',
};

export const PROGRAM_CATALOGUES: Readonly<Record<string, object>> = { program: PROGRAM };

/** Before the English ones are loaded. */
export const translateProgram = (): void => translateMore(PROGRAM_CATALOGUES, (otherwise) => otherwise);
