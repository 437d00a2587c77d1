/** The French texts of a program that asks to sign in. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { PROGRAM_TEXTS } from '../../identity/program.ts';

const PROGRAM: Translation<typeof PROGRAM_TEXTS> = {
  title: 'Un programme demande à se connecter',
  what: 'Il demande l’accès à votre compte :',
  account: (name, email) => `${name}, ${email}`,
  computer: (name) => `Il dit s’appeler « ${name} ».`,
  compare: 'Le programme doit afficher la même chose :',
  warning: [
    'Continuez seulement si vous venez de commencer cette connexion vous-même.',
    'Si quelqu’un vous a envoyé cette adresse, fermez cette fenêtre : cette personne se connecterait à votre place.',
  ],
  cancel: 'Annuler',
  allow: 'Autoriser la connexion',
  allowing: 'Autorisation en cours',
  codeTitle: 'Saisissez ce code dans le programme',
  lifetime: 'Il sert une seule fois, pendant cinq minutes.',
  copy: 'Copier le code',
  nobody: 'Ne le donnez à personne, pas même à ceux qui vous aident.',
  done: 'Terminé',
  damaged: 'Cette adresse est incomplète. Copiez-la en entier depuis le programme.',
};

export const PROGRAM_CATALOGUES: Readonly<Record<string, object>> = { program: PROGRAM };

/** Before the English ones are loaded. */
export const translateProgram = (): void => translateMore(PROGRAM_CATALOGUES, (otherwise) => otherwise);
