/** What is said where the browser lets nothing into the clipboard. */
export const CLIPBOARD_TEXTS = {
  refused:
    'Nothing was copied: the browser did not let this page write to the clipboard. Allow it for this page, or show the text, select it and copy it by hand.',
} as const;
