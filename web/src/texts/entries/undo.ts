export const UNDO_TEXTS = {
  undo: 'Undo',
  failed: (reason: string) => `It could not be taken back: ${reason}`,
} as const;
