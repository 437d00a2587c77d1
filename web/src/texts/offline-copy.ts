/** What the local copy does not have. */
export const OFFLINE_COPY_TEXTS = {
  noHistory: 'The local copy holds the present values only. The history can be seen again online.',
  notInCopy: 'This is not part of the local copy. It can be seen again online.',
  noBody: 'This file is not in the local copy: it is larger than the files that are kept, or was not downloaded yet.',
} as const;
