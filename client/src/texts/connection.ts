import { catalogue } from '@passwordbroker/core/texts';

export const CONNECTION_TEXTS = catalogue('connection', {
  badAnswer: 'The server sent an invalid answer',
  offline: 'Not available offline',
  silent: (seconds: number) => `The server did not answer within ${seconds} seconds`,
});

export const SESSION_TEXTS = catalogue('session', {
  copyLeft: 'The local copy could not be removed',
});
