/**
 * Gives React Aria the language of this client, whose texts are English. It would ask the browser which languages that one can write dates in, as soon as its file is
 * loaded: a tenth of a second on a phone, for an answer that nothing here uses.
 */
import type { Plugin } from 'vite';

const OURS = `
const ours = { locale: 'en-US', direction: 'ltr' };
export const getDefaultLocale = () => ours;
export const useDefaultLocale = () => ours;
`;

/** @throws Error when the package is another one than this was written for */
export function fixedLocale(): Plugin {
  return {
    name: 'fixed-locale',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /react-aria\/dist\/private\/i18n\/useDefaultLocale\.(?:mjs|js)$/ },
      handler(code) {
        const names = /export \{\S+ as getDefaultLocale, \S+ as useDefaultLocale\};/;
        if (!names.test(code)) throw new Error('React Aria exports something else now');
        return { code: OURS, map: null };
      },
    },
  };
}
