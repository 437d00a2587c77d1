/** The fixed sentences of the contract in French. A sentence without its twin does not compile. */
import type { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import type { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import type { PROBLEM_TEXTS } from '@passwordbroker/core/contract/problem';
import type { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import type { INVITE_TEXTS } from '@passwordbroker/core/contract/users/invites';
import type { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';

type SentenceOf<Texts> = Extract<Texts[keyof Texts], string>;
type Sentence =
  | SentenceOf<typeof PROBLEM_TEXTS>
  | SentenceOf<typeof FIELD_TEXTS>
  | SentenceOf<typeof MEMBER_TEXTS>
  | SentenceOf<typeof INVITE_TEXTS>
  | SentenceOf<typeof BACKUP_TEXTS>
  | SentenceOf<typeof SIGN_UP_TEXTS>;

export const CONTRACT_MESSAGES: Readonly<Record<Sentence, string>> = {
  'The server did not understand this. Reload the page and try again.':
    'Le serveur n’a pas compris. Rechargez la page et réessayez.',
  'You are not signed in. Sign in and try again.': 'Vous n’êtes pas connecté. Connectez-vous et réessayez.',
  'Invalid email or password': 'E-mail ou mot de passe incorrect',
  'A second factor is needed': 'Un second facteur est nécessaire',
  'The code is not right': 'Le code est incorrect',
  'Your sign-in has expired. Begin again.': 'Votre connexion a expiré. Recommencez.',
  'Set up a second factor first': 'Configurez d’abord un second facteur',
  'This token was made without a second factor. Make a new one.':
    'Ce jeton a été créé sans second facteur. Créez-en un nouveau.',
  'This account has no second factor': 'Ce compte n’a pas de second facteur',
  'You do not have permission to do that': 'Vous n’avez pas le droit de faire cela',
  'This site does not allow programs to send a master password.':
    'Sur ce site, les programmes ne peuvent pas envoyer de mot de passe maître.',
  'The confirmation was not accepted. Try again.': 'La confirmation n’a pas été acceptée. Réessayez.',
  'The confirmation came too late. Try again.': 'La confirmation est arrivée trop tard. Réessayez.',
  'Confirm your password first': 'Confirmez d’abord votre mot de passe',
  'The setup token is missing or wrong': 'Le jeton d’installation manque ou est incorrect',
  'This was started by another website and was refused. Try again on this page.':
    'Cela venait d’un autre site web et a été refusé. Réessayez sur cette page.',
  'Not found': 'Introuvable',
  'The method is not allowed here': 'Cette méthode n’est pas permise ici',
  'The id is in use: this was probably saved already. Reload the page.':
    'L’identifiant est déjà pris : c’était sans doute déjà enregistré. Rechargez la page.',
  'It was changed in another place in the meantime. Try again.': 'Cela a été modifié ailleurs entre-temps. Réessayez.',
  'Offline mode is switched off in this browser or program.':
    'Le mode hors ligne est désactivé dans ce navigateur ou ce programme.',
  'The list of members of this group has to be checked first. Ask an admin of the group.':
    'La liste des membres de ce groupe doit d’abord être vérifiée. Demandez à un admin du groupe.',
  'The key of a member has changed. Compare the key words with this person first.':
    'La clé d’un membre a changé. Comparez d’abord les mots de la clé avec cette personne.',
  'Compare the key words with this person first.': 'Comparez d’abord les mots de la clé avec cette personne.',
  'Your trust record is missing on the server. Unlock the vault in a browser that you used before.':
    'Votre liste de confiance manque sur le serveur. Déverrouillez le coffre dans un navigateur que vous avez déjà utilisé.',
  'The content type is not supported': 'Ce type de contenu n’est pas pris en charge',
  'This is too large for the server.': 'C’est trop grand pour le serveur.',
  'CSRF token mismatch.': 'La session de cette page est périmée. Rechargez la page.',
  'MasterPassword is invalid': 'Le mot de passe maître est incorrect',
  'The stored value is damaged. Look for an older one in the history.':
    'La valeur enregistrée est endommagée. Cherchez-en une plus ancienne dans l’historique.',
  'Too many attempts. Try again later.': 'Trop d’essais. Réessayez plus tard.',
  'Something went wrong': 'Quelque chose a échoué',
  'The server is busy. Try again.': 'Le serveur est surchargé. Réessayez.',
  'The disk of the server is full. Ask a site admin to make room.':
    'Le disque du serveur est plein. Demandez à un admin du site de faire de la place.',
  'There is no storage left for this. Empty the trash, or ask a site admin for more.':
    'Il n’y a plus assez d’espace pour cela. Videz la corbeille, ou demandez-en plus à un admin du site.',

  'MasterPassword is missing': 'Le mot de passe maître manque',
  'Field Value is missing': 'La valeur du champ manque',
  'Field File is missing': 'Le fichier du champ manque',
  'Field Value is not a valid TOTP secret': 'La valeur du champ n’est pas un secret TOTP valable',

  'This person has no keys yet. They have to sign in and unlock the vault once.':
    'Cette personne n’a pas encore de clés. Elle doit se connecter et déverrouiller le coffre une fois.',
  'The account of this user is disabled': 'Le compte de cet utilisateur est désactivé',
  'The user already has this role': 'L’utilisateur a déjà ce rôle',
  'This is the last admin of the group. Make someone else an admin first.':
    'C’est le dernier admin du groupe. Nommez d’abord quelqu’un d’autre admin.',
  'Another admin has to change your role': 'Un autre admin doit changer votre rôle',
  'You cannot remove yourself': 'Vous ne pouvez pas vous retirer vous-même',
  'An admin cannot be removed': 'Un admin ne peut pas être retiré',

  'Please enter a valid email address.': 'Saisissez une adresse e-mail valide.',
  'The email is fixed by the invitation': 'L’adresse e-mail est fixée par l’invitation',
  'The user name is fixed by the invitation': 'Le nom d’utilisateur est fixé par l’invitation',
  'This invitation is no longer valid': 'Cette invitation n’est plus valable',
  'The invitation is not open any more': 'L’invitation n’est plus ouverte',
  'A group is named twice': 'Un groupe est nommé deux fois',
  'You can name only groups where you are an admin': 'Vous ne pouvez nommer que des groupes où vous êtes admin',

  'Picking time is required': 'Choisissez une heure',
  'Please select a backup file': 'Choisissez un fichier de sauvegarde',
  'The file is not a backup of this product.': 'Le fichier n’est pas une sauvegarde de ce produit.',
  'The backup is damaged.': 'La sauvegarde est endommagée.',
  'The backup was made by a newer version.': 'La sauvegarde vient d’une version plus récente.',
  'The backup needs a password or the password is wrong.':
    'La sauvegarde a besoin d’un mot de passe, ou le mot de passe est incorrect.',
  'The backup has no password. Leave the password empty.':
    'La sauvegarde n’a pas de mot de passe. Laissez le mot de passe vide.',
  'The backup is damaged': 'La sauvegarde est endommagée',
  'The file of this backup is no longer on the server': 'Le fichier de cette sauvegarde n’est plus sur le serveur',
  'This server already has users, so no backup can be restored here':
    'Ce serveur a déjà des utilisateurs, aucune sauvegarde ne peut donc y être restaurée',
  'Another recovery is running. Wait until it has finished.':
    'Une autre restauration est en cours. Attendez qu’elle soit terminée.',
  'No second target is set (BACKUP_COPY).': 'Aucun second emplacement n’est configuré (BACKUP_COPY).',

  'User Name is empty': 'Le nom d’utilisateur manque',
  'This user name is already taken': 'Ce nom d’utilisateur est déjà pris',
  'Incorrect email': 'L’adresse e-mail n’est pas valable',
  'This email is already taken': 'Cette adresse e-mail est déjà prise',
  'Password is empty': 'Le mot de passe manque',
  'Password Confirmation mismatch to Password': 'La répétition ne correspond pas au mot de passe',
  'Master Password is empty': 'Le mot de passe maître manque',
  'Master Password Confirmation mismatch to Master Password': 'La répétition ne correspond pas au mot de passe maître',
  'This password is easy to guess. Choose a longer one.':
    'Ce mot de passe est facile à deviner. Choisissez-en un plus long.',
};
