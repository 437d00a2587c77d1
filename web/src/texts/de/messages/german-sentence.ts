import { CONTRACT_MESSAGES } from './contract-messages.ts';
import { BACKUP_MESSAGES, SERVER_MESSAGES } from './server-messages.ts';
import { sentencesIn } from './sentences-in.ts';
import { LABELS } from './words.ts';

/** A sentence of the server in German; one that is not known stays as it is. */
export const germanSentence = sentencesIn(
  { ...CONTRACT_MESSAGES, ...SERVER_MESSAGES, ...BACKUP_MESSAGES, ...LABELS },
  (text) => text,
);
