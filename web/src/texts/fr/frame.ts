import type { Translation } from '@passwordbroker/core/texts';
import type { FRAME_TEXTS } from '../frame.ts';
import type { HELP_TEXTS } from '../help.ts';
import type { KEYBOARD_TEXTS } from '../keyboard.ts';
import type { MANUAL_TEXTS } from '../manual.ts';

export const FRAME: Translation<typeof FRAME_TEXTS> = {
  home: 'PasswordBroker, accueil',
  search: 'Rechercher des entrées',
  doSearch: 'Rechercher',
  searchKeys: 'Ctrl K',
  adminPanel: 'Administration',
  offline: 'Base hors ligne',
  activityLog: 'Activités',
  notices: (unread) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} non lues`),
  lightTheme: 'Thème clair',
  darkTheme: 'Thème sombre',
  logout: 'Se déconnecter',
  groups: 'Groupes',
  openGroups: 'Ouvrir les groupes',
  closeGroups: 'Fermer les groupes',
  menu: 'Menu d’administration',
  openMenu: 'Ouvrir le menu d’administration',
  closeMenu: 'Fermer le menu d’administration',
  more: 'Compte et plus',
  skip: 'Aller directement aux entrées',
  skipMenu: 'Aller directement à la page',
  footer: 'PasswordBroker',
  newBuild: 'Une nouvelle version est disponible.',
  newBuildHint: 'Rechargez la page pour l’utiliser. Le coffre sera alors verrouillé.',
  reloadNow: 'Recharger',
  notFound: 'Il n’y a pas de page à cette adresse',
  notFoundHint: 'Vérifiez l’adresse ou choisissez un groupe.',
};

export const KEYBOARD: Translation<typeof KEYBOARD_TEXTS> = {
  title: 'Raccourcis clavier',
  subtitle: 'Les lettres seules agissent tant que le focus est dans la liste correspondante.',
  or: 'ou',
  sections: [
    {
      title: 'Partout',
      keys: [
        { keys: [['Ctrl', 'K'], ['Cmd', 'K'], ['/']], text: 'Aller au champ de recherche' },
        { keys: [['Échap']], text: 'Fermer la boîte de dialogue ou le menu au premier plan' },
        { keys: [['?']], text: 'Aide' },
      ],
    },
    {
      title: 'Champ de recherche',
      keys: [
        { keys: [['Entrée']], text: 'Rechercher dans toutes les entrées' },
        { keys: [['↓']], text: 'Aller aux suggestions' },
        { keys: [['Ctrl', 'C']], text: 'Copier le mot de passe de l’entrée choisie ou de la première' },
        { keys: [['Ctrl', 'B']], text: 'Copier son identifiant' },
        { keys: [['Ctrl', 'O']], text: 'Ouvrir son lien dans un nouvel onglet' },
        { keys: [['Alt', 'T']], text: 'Copier son code à usage unique' },
        { keys: [['Échap']], text: 'Fermer les suggestions, puis quitter le champ' },
      ],
    },
    {
      title: 'Groupes',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Se déplacer' },
        { keys: [['→']], text: 'Déplier ou entrer' },
        { keys: [['←']], text: 'Replier ou aller au groupe parent' },
        { keys: [['Origine'], ['Fin']], text: 'Premier ou dernier groupe' },
        { keys: [['A … Z']], text: 'Aller au prochain groupe commençant par cette lettre' },
        { keys: [['Entrée']], text: 'Ouvrir le groupe' },
        { keys: [['M']], text: 'Déplacer le groupe, en mode déplacement' },
        { keys: [['Échap']], text: 'Quitter le mode déplacement' },
      ],
    },
    {
      title: 'Entrées',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Se déplacer entre les titres' },
        { keys: [['Entrée']], text: 'Déplier ou replier' },
        { keys: [['C']], text: 'Copier le mot de passe' },
        { keys: [['B']], text: 'Copier l’identifiant' },
        { keys: [['F']], text: 'Ajouter aux favoris ou retirer' },
        { keys: [['Espace']], text: 'Sélectionner' },
        {
          keys: [
            ['Maj', '↑'],
            ['Maj', '↓'],
          ],
          text: 'Étendre la sélection',
        },
        {
          keys: [
            ['Ctrl', 'A'],
            ['Cmd', 'A'],
          ],
          text: 'Tout sélectionner',
        },
        { keys: [['N']], text: 'Nouvelle entrée' },
      ],
    },
    {
      title: 'Champ',
      keys: [
        { keys: [['S']], text: 'Afficher ou masquer la valeur, enregistrer le fichier' },
        { keys: [['C']], text: 'Copier la valeur' },
        { keys: [['L']], text: 'Copier l’identifiant' },
        { keys: [['O']], text: 'Ouvrir le lien' },
        { keys: [['H']], text: 'Historique' },
        { keys: [['E']], text: 'Modifier' },
        { keys: [['Suppr']], text: 'Supprimer' },
      ],
    },
    {
      title: 'Onglets, types et boîtes de dialogue',
      keys: [
        { keys: [['←'], ['→']], text: 'Se déplacer entre onglets ou types' },
        { keys: [['Entrée'], ['Espace']], text: 'Ouvrir l’onglet' },
        { keys: [['Entrée']], text: 'Confirmer la boîte de dialogue' },
        { keys: [['Échap']], text: 'Annuler la boîte de dialogue' },
      ],
    },
  ],
};

export const HELP: Translation<typeof HELP_TEXTS> = {
  title: 'Aide',
  action: 'Aide et raccourcis clavier',
  search: 'Rechercher dans l’aide',
  searchHint: 'Par exemple : partager, verrouiller, annuler',
  contents: 'Guide et raccourcis clavier',
  found: (count) => (count === 1 ? '1 résultat' : `${count} résultats`),
  nothing: 'Rien ne correspond.',
  nothingHint: 'Essayez un mot plus court.',
  clear: 'Effacer la recherche',
};

export const MANUAL: Translation<typeof MANUAL_TEXTS> = [
  {
    title: 'Trouver et copier un mot de passe',
    lines: [
      'Appuyez sur Ctrl+K et saisissez une partie du titre, de l’identifiant ou du groupe.',
      'Ctrl+C copie le mot de passe du premier résultat, Ctrl+B son identifiant. Alt+T copie son code à usage unique.',
      'La page d’accueil montre vos favoris et ce que vous avez utilisé récemment. F sur une entrée en fait un favori.',
      'Dans une liste, appuyez sur une valeur masquée pour la copier, ou sur l’œil pour la voir.',
      'Un secret copié est retiré du presse-papiers. Le pied de page fait le décompte. Les programmes qui gardent un historique du presse-papiers peuvent encore l’avoir.',
    ],
  },
  {
    title: 'Enregistrer un nouvel accès',
    lines: [
      'Ouvrez un groupe et appuyez sur N ou sur le bouton « Nouvelle entrée ».',
      'Seul le titre est nécessaire. Identifiant, mot de passe, lien, code à usage unique, note et fichier sont dans le même formulaire.',
      'Le bouton à côté du mot de passe en génère un au hasard.',
      'Vous devez pour cela être modérateur ou admin du groupe.',
    ],
  },
  {
    title: 'Vos deux mots de passe',
    lines: [
      'Avec le mot de passe du compte, vous vous connectez.',
      'Le mot de passe maître ouvre vos secrets. Il ne quitte jamais ce navigateur.',
      'Personne ne peut récupérer le mot de passe maître. Si vous l’oubliez, un admin du site peut réinitialiser vos clés. Ce que vous seul pouviez ouvrir est alors perdu.',
      'Changez le mot de passe maître dans le menu au cadenas, le mot de passe du compte sur la page de votre compte.',
    ],
  },
  {
    title: 'Verrouiller le coffre',
    lines: [
      'Le coffre se verrouille de lui-même en votre absence. Vous choisissez la durée sur la page de votre compte ; le site fixe la limite.',
      'Pour verrouiller aussitôt, ouvrez le menu au cadenas et choisissez « Verrouiller maintenant ».',
      'Ce que vous étiez en train de saisir dans une nouvelle entrée ou un champ revient dans le même onglet après le déverrouillage.',
    ],
  },
  {
    title: 'Groupes et rôles',
    lines: [
      'Les entrées appartiennent à des groupes, et les groupes peuvent contenir des groupes. Chaque groupe a ses propres membres.',
      'Les membres lisent et copient. Les modérateurs ajoutent, modifient, déplacent et suppriment aussi. Les admins renomment en outre le groupe et décident qui en fait partie.',
      'La couleur d’un groupe est votre rôle : jaune pour admin, bleu pour modérateur, vert pour membre. Vous ne pouvez pas ouvrir un groupe pâle.',
      'Déplacer un groupe ne change l’accès de personne. Chaque boîte de dialogue dit qui obtient ou perd l’accès.',
    ],
  },
  {
    title: 'Partager un groupe',
    lines: [
      'Ouvrez le groupe, choisissez l’onglet « Utilisateurs » et recherchez la personne. Vous devez pour cela être admin du groupe.',
      'Comparez huit mots avec une personne avec qui vous partagez pour la première fois, au téléphone ou dans la même pièce. Des mots identiques veulent dire que c’est la bonne clé. Si le site le permet, vous pouvez partager d’abord et comparer plus tard.',
      'Une personne sans compte a d’abord besoin de l’invitation d’un admin du site.',
      'L’œil en haut d’un groupe et « Qui peut voir ceci » dans le menu d’une entrée montrent qui peut y lire.',
    ],
  },
  {
    title: 'Quand une personne s’en va',
    lines: [
      'Retirez la personne du groupe. Le groupe reçoit alors une nouvelle clé.',
      'La personne se souvient peut-être de ce qu’elle a ouvert. La page « Anciens membres » montre ces secrets : changez-les.',
    ],
  },
  {
    title: 'Qui a vu ou modifié quoi',
    lines: [
      'L’onglet « Historique » d’un groupe montre qui a affiché, copié ou modifié ses champs.',
      'L’horloge à côté d’un champ montre l’historique de ce champ avec ses anciennes valeurs.',
    ],
  },
  {
    title: 'Annuler, et restaurer ce qui a été supprimé',
    lines: [
      'Après une suppression ou un déplacement, appuyez sur « Annuler » dans l’avis.',
      'Plus tard, ouvrez la page « Corbeille ». Elle contient tout ce qui a été supprimé et, sous « Vos modifications », vos déplacements, renommages et importations.',
    ],
  },
  {
    title: 'Importer depuis un autre programme',
    lines: [
      'Exportez-y un fichier, puis appuyez sur « Importer des données » au-dessus des groupes. Vous voyez son contenu avant que quoi que ce soit soit créé.',
      'Le fichier est lu et chiffré dans ce navigateur. Le rapport dit ce qui a changé ou a été omis.',
      'Supprimez ensuite le fichier exporté s’il n’est pas chiffré : il contient vos secrets en clair.',
    ],
  },
  {
    title: 'Travailler sans le serveur',
    lines: [
      'Ouvrez « Base hors ligne » dans l’en-tête et activez le mode hors ligne. Ce navigateur garde alors une copie chiffrée de tout ce que vous pouvez lire.',
      'Si le serveur est injoignable, la page de connexion propose cette copie. Les modifications sont suspendues jusqu’au retour du serveur.',
    ],
  },
];
