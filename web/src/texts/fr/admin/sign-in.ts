import type { Translation } from '@passwordbroker/core/texts';
import type { ADMIN_SIGN_IN_TEXTS } from '../../admin/sign-in.ts';

export const ADMIN_SIGN_IN: Translation<typeof ADMIN_SIGN_IN_TEXTS> = {
  title: 'Connexion',
  secondFactor: 'Second facteur',
  secondFactorHint: 'Un code d’un téléphone, demandé en plus du mot de passe du compte.',
  choices: {
    off: 'Non proposé',
    optional: 'Chacun peut en configurer un',
    admins: 'Les admins du site doivent en avoir un',
    all: 'Tout le monde doit en avoir un',
  },
  without: (count) =>
    count === 0
      ? 'Tout le monde en a un.'
      : `${count === 1 ? 'Une personne n’en a' : `${count} personnes n’en ont`} pas encore.`,
  graceDays: 'Jours pour le configurer',
  graceHint:
    'Pour les personnes qui n’en ont pas encore. Ensuite, elles le configurent à la prochaine connexion. 0 : aussitôt.',
  rememberDays: 'Jours pendant lesquels un navigateur est mémorisé',
  rememberHint:
    'Pendant ce temps, un navigateur peut, sur demande, rester sans nouvelle question. 0 : toujours demander.',

  marks: { none: 'Pas de second facteur', reset: 'Attend un nouveau second facteur' },
  verb: 'Réinitialiser les seconds facteurs',
  reset: {
    title: (name) => `Réinitialiser les seconds facteurs de ${name} ?`,
    text: (name) =>
      `Tous les facteurs, sessions et jetons de ${name} prennent fin. Vous recevez un code valable 72 heures : remettez-le en personne. Avec le mot de passe du compte, ${name} peut entrer et configurer un nouveau facteur.`,
    confirm: 'Réinitialiser les seconds facteurs',
    confirming: 'Réinitialisation',
    cancel: 'Annuler',
    shown: (name) => `Code pour ${name}`,
    once: 'Visible seulement maintenant',
    until: (time) => `Valable jusqu’à ${time}. Remettez-le en personne.`,
    copy: 'Copier le code',
    done: 'Terminé',
  },
};
