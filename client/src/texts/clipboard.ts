import { catalogue } from '@passwordbroker/core/texts';

export const COPY_TEXTS = catalogue('copy', {
  notCopied:
    'Nothing was copied: the browser did not let this page write to the clipboard. Allow it for this page, or show the text, select it and copy it by hand.',
});
