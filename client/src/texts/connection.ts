export const CONNECTION_TEXTS = {
  badAnswer: 'The answer of the server is not valid',
  offline: 'Not available offline',
  silent: (seconds: number) => `The server did not answer within ${seconds} seconds`,
  notCopied:
    'Nothing was copied: the browser did not let this page write to the clipboard. Allow it for this page, or show the text, select it and copy it by hand.',
} as const;
