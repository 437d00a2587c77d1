export const ACTIVITY_LOG_TEXTS = {
  title: 'Activity log',
  count: (shown: number, kept: number) => `${shown} of ${kept}`,
  close: 'Close',
  empty: 'Nothing has happened yet',
} as const;
