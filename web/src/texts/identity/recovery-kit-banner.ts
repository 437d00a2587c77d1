import { catalogue } from '@passwordbroker/core/texts';

/** Apart from the dialog's texts, because every page loads these. */
export const KIT_BANNER_TEXTS = catalogue('recoveryKitBanner', {
  title: 'Nobody can restore your master password.',
  why: 'A recovery kit opens your vault if you forget it.',
  make: 'Make a recovery kit',
  later: 'Later',
  menu: 'Recovery kit',
  forgot: 'I forgot my master password',
  key: 'Recovery key',
  typo: 'There is a typing error in it',
  remembered: 'Use the master password',
});
