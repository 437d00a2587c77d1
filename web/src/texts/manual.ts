import { catalogue } from '@passwordbroker/core/texts';

/** The manual, in the order in which a person needs it. Each line is one step or one fact. */
export const MANUAL_TEXTS = catalogue('manual', [
  {
    title: 'Find and copy a password',
    lines: [
      'Press Ctrl+K and type a part of the title, the login or the group.',
      'Ctrl+C copies the password of the first result, Ctrl+B its login. Alt+T copies its one-time code.',
      'Home lists your favourites and what you used last. Press F on an entry to make it a favourite.',
      'In a list, press a masked value to copy it, or the eye to see it.',
      'A copied secret is removed from the clipboard again. The footer counts down. Programs that keep a clipboard history may still have it.',
    ],
  },
  {
    title: 'Save a new login',
    lines: [
      'Open a group and press N, or the button “add new Entry”.',
      'Only the title is required. Login, password, link, one-time code, note and file are in the same form.',
      'The button beside the password makes a random one.',
      'You need to be a moderator or an admin of the group.',
    ],
  },
  {
    title: 'Your two passwords',
    lines: [
      'The account password is for signing in.',
      'The master password opens your secrets. It never leaves this browser.',
      'Nobody can recover the master password. If you forget it, a site admin can reset your keys. Anything that only you could open is then lost.',
      'Change the master password in the menu of the lock, and the account password on your account page.',
    ],
  },
  {
    title: 'Lock the vault',
    lines: [
      'The vault locks by itself when you are away. You choose the time on your account page; the site sets the upper limit.',
      'To lock at once, open the menu of the lock and choose “Lock now”.',
      'What you were typing into a new entry or a field comes back in the same tab when you unlock.',
    ],
  },
  {
    title: 'Groups and roles',
    lines: [
      'Entries belong to groups, and groups can contain groups. Each group has its own members.',
      'Members read and copy. Moderators also add, change, move and delete. Admins also rename the group and decide who is in it.',
      'The colour of a group is your role: yellow is admin, blue is moderator, green is member. You cannot open a pale group.',
      'Moving a group changes nobody’s access. Each dialog says who gains or loses access.',
    ],
  },
  {
    title: 'Share a group',
    lines: [
      'Open the group, choose the tab “Users” and search for the person. You need to be an admin of the group.',
      'Compare eight words with a person whom you share with for the first time, on the phone or face to face. The same words mean that it is the right key. Where the site allows it, you can share first and compare later.',
      'A person without an account needs an invitation by a site admin first.',
      'The eye in the head of a group, and “Who can see this” in the menu of an entry, list who can read it.',
    ],
  },
  {
    title: 'When a person leaves',
    lines: [
      'Remove the person from the group. The group then gets a new key.',
      'The person may remember what was opened before. The page “Former members” lists these secrets: change them.',
    ],
  },
  {
    title: 'Who saw or changed what',
    lines: [
      'The tab “History” of a group lists who showed, copied or changed its fields.',
      'The clock beside a field shows the history of this field, with its older values.',
    ],
  },
  {
    title: 'Undo, and restore deleted things',
    lines: [
      'After a deletion or a move, press “Undo” in the notice.',
      'Later, open the page “Trash”. It has everything that was deleted, and under “Your changes” your moves, renames and imports.',
    ],
  },
  {
    title: 'Import from another program',
    lines: [
      'Export a file there, then press “import data” above the groups.',
      'The file is read and encrypted in this browser. The report names what changed or was left out.',
      'Delete the exported file afterwards: it contains your secrets in plain text.',
    ],
  },
  {
    title: 'Work without the server',
    lines: [
      'Open “Offline database” in the header and switch on offline mode. This browser then keeps an encrypted copy of all that you can read.',
      'If the server cannot be reached, the sign-in page offers this copy. Changes are paused until the server is back.',
    ],
  },
]);
