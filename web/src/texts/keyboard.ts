import { catalogue } from '@passwordbroker/core/texts';

/** 'Ctrl' is Cmd on a Mac. */
export const KEYBOARD_TEXTS = catalogue('keyboard', {
  title: 'Keyboard shortcuts',
  subtitle: 'Single letters work while the focus is in that list.',
  or: 'or',
  sections: [
    {
      title: 'Anywhere',
      keys: [
        {
          keys: [['Ctrl', 'K'], ['Cmd', 'K'], ['/']],
          text: 'Go to the search box',
        },
        { keys: [['Esc']], text: 'Close the topmost dialog or menu' },
        { keys: [['?']], text: 'Help' },
      ],
    },
    {
      title: 'Search box',
      keys: [
        { keys: [['Enter']], text: 'Search all entries' },
        { keys: [['↓']], text: 'Go to the suggestions' },
        { keys: [['Ctrl', 'C']], text: 'Copy the password of the chosen or first entry' },
        { keys: [['Ctrl', 'B']], text: 'Copy its login' },
        { keys: [['Ctrl', 'O']], text: 'Open its link in a new tab' },
        { keys: [['Alt', 'T']], text: 'Copy its one-time code' },
        { keys: [['Esc']], text: 'Close the suggestions, then leave the box' },
      ],
    },
    {
      title: 'Groups',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Move' },
        { keys: [['→']], text: 'Expand, or go in' },
        { keys: [['←']], text: 'Collapse, or go to the parent' },
        { keys: [['Home'], ['End']], text: 'First or last group' },
        { keys: [['A … Z']], text: 'Go to the next group that starts with this letter' },
        { keys: [['Enter']], text: 'Open the group' },
        { keys: [['M']], text: 'Move the group, in move mode' },
        { keys: [['Esc']], text: 'Leave move mode' },
      ],
    },
    {
      title: 'Entries',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Move between titles' },
        { keys: [['Enter']], text: 'Expand or collapse' },
        { keys: [['C']], text: 'Copy the password' },
        { keys: [['B']], text: 'Copy the login' },
        { keys: [['F']], text: 'Add to favourites, or remove' },
        { keys: [['Space']], text: 'Select' },
        {
          keys: [
            ['Shift', '↑'],
            ['Shift', '↓'],
          ],
          text: 'Extend the selection',
        },
        {
          keys: [
            ['Ctrl', 'A'],
            ['Cmd', 'A'],
          ],
          text: 'Select all',
        },
        { keys: [['N']], text: 'New entry' },
      ],
    },
    {
      title: 'Field',
      keys: [
        { keys: [['S']], text: 'Show or hide the value, save a file' },
        { keys: [['C']], text: 'Copy the value' },
        { keys: [['L']], text: 'Copy the login' },
        { keys: [['O']], text: 'Open the link' },
        { keys: [['H']], text: 'History' },
        { keys: [['E']], text: 'Edit' },
        { keys: [['Delete']], text: 'Delete' },
      ],
    },
    {
      title: 'Tabs, types and dialogs',
      keys: [
        { keys: [['←'], ['→']], text: 'Move between tabs or types' },
        { keys: [['Enter'], ['Space']], text: 'Open the tab' },
        { keys: [['Enter']], text: 'Submit the dialog' },
        { keys: [['Esc']], text: 'Cancel the dialog' },
      ],
    },
  ],
});
