import { CONTRACT_MESSAGES } from './contract-messages.ts';
import { BACKUP_MESSAGES, SERVER_MESSAGES } from './server-messages.ts';
import { LABELS, REASONS } from './words.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ...CONTRACT_MESSAGES,
  ...SERVER_MESSAGES,
  ...BACKUP_MESSAGES,
  ...REASONS,
  ...LABELS,
};

/** Sentences with placeholders, longest first: 'too long (at most {} characters)' before 'too long (at most {})'. */
const PATTERNS = Object.entries(SENTENCES)
  .filter(([english]) => english.includes('{}'))
  .sort(([a], [b]) => b.length - a.length)
  .map(([english, german]) => {
    const parts = english.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { pattern: new RegExp(`^${parts.join('(.+?)')}$`), german };
  });

/** A sentence of the server in German; one that is not known stays as it is. */
export function germanSentence(text: string): string {
  if (Object.hasOwn(SENTENCES, text)) return SENTENCES[text] ?? text;
  for (const { pattern, german } of PATTERNS) {
    const [, ...found] = pattern.exec(text) ?? [];
    if (found.length > 0) return german.replaceAll('{}', () => germanSentence(found.shift() ?? ''));
  }
  return text;
}
