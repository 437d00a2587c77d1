import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import { TEMPLATE_PROBLEMS } from '@passwordbroker/core/contract/groups/templates';
import { PROBLEM_TEXTS } from '@passwordbroker/core/contract/problem';
import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import { INVITE_TEXTS } from '@passwordbroker/core/contract/users/invites';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { DAY_TEXT, TAG_TEXTS } from '@passwordbroker/core/domain/entry-marks';
import { ENTRY_SIZE_TEXTS } from '@passwordbroker/core/domain/limits';
import { signUpErrors, signUpWarnings } from '@passwordbroker/core/domain/sign-up-rules';
import { SERVER_TEXTS } from '../../../server/src/platform/texts.ts';
import { exchangeSentences as inGerman } from '@passwordbroker/client/texts/de/messages/exchange-messages';
import { exchangeSentences as inSpanish } from '@passwordbroker/client/texts/es/messages/exchange-messages';
import { exchangeSentences as inFrench } from '@passwordbroker/client/texts/fr/messages/exchange-messages';
import { sentence as french } from './french.ts';
import { sentence as german } from './german.ts';
import { sentence as spanish } from './spanish.ts';

const ROOT = join(import.meta.dirname, '../../..');
const EMPTY = { name: '', email: '', password: '', passwordConfirmation: 'a', masterPassword: '' };

/** Each sentence of a list of texts; those with numbers for one and for several. */
const sentencesOf = (texts: Readonly<Record<string, unknown>>): string[] =>
  Object.values(texts).flatMap((text) => {
    if (typeof text === 'string') return [text];
    const say = text as (...given: readonly unknown[]) => string | ((label: string) => string);
    return [1, 3].map((count) => {
      const said = say(count, count, count);
      return typeof said === 'string' ? said : said('title');
    });
  });

/** Literals that source files pass to an error: `refuse('name', '…')`, `new AppError('conflict', { message: '…' })`. */
function literalMessages(): string[] {
  const found: string[] = [];
  for (const folder of ['core/src/contract', 'server/src']) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /\.test\.ts$|^(commands|seed|testing)[/\\]/.test(file)) continue;
      const source = readFileSync(join(ROOT, folder, file), 'utf8');
      const messages =
        /(?:refuse\([^()]*?, |AppError\('\w+', \{ message: |missing: |new CopyFailed\(\s*)(?:'([^']+)'|"([^"]+)")/g;
      for (const [, single, double] of source.matchAll(messages)) found.push(single ?? double ?? '');
    }
  }
  return found;
}

const SENTENCES = { German: german, French: french, Spanish: spanish };

test.each(Object.entries(SENTENCES))(
  'every sentence of the server that a person can see is there in %s',
  (_, sentence) => {
    const lists = [
      PROBLEM_TEXTS,
      FIELD_TEXTS,
      MEMBER_TEXTS,
      TEMPLATE_PROBLEMS,
      BACKUP_TEXTS,
      INVITE_TEXTS,
      SIGN_UP_TEXTS,
    ];
    const sentences = [
      ...[...lists, TAG_TEXTS, ENTRY_SIZE_TEXTS, SERVER_TEXTS].flatMap(sentencesOf),
      ...sentencesOf({ ...TEXTS, choice: TEXTS.choice(['admin', 'member'])('role') }),
      ...signUpErrors({ ...EMPTY, masterPasswordConfirmation: 'a' }).map(({ text }) => text),
      ...signUpErrors({ ...EMPTY, masterPassword: 'a'.repeat(100_000), masterPasswordConfirmation: '' }).map(
        ({ text }) => text,
      ),
      ...signUpWarnings({ ...EMPTY, masterPasswordConfirmation: '' }, { password: 0, masterPassword: 0 }).map(
        ({ text }) => text,
      ),
      DAY_TEXT,
      ...literalMessages(),
    ];
    expect(sentences.length).toBeGreaterThan(120);
    expect(sentences.filter((text) => sentence(text) === text || sentence(text).includes('{'))).toEqual([]);
  },
);

test.each(['fr', 'es'])('the lists of sentences in %s have those of the German ones', (language) => {
  const sentencesIn = (folder: string, list: string) => {
    const source = readFileSync(join(ROOT, 'client/src/texts', folder, 'messages', `${list}-messages.ts`), 'utf8');
    return new Set([...source.matchAll(/^ {2}('(?:[^'\\]|\\.)+'|\w+):/gm)].map(([, sentence]) => sentence));
  };
  for (const list of ['contract', 'server', 'exchange']) {
    const german = sentencesIn('de', list);
    expect(german.size).toBeGreaterThan(70);
    expect(sentencesIn(language, list)).toEqual(german);
  }
});

test('numbers and names keep their places, labels are translated, anything else stays as it is', () => {
  expect(german('The totp timeout must be between 1 and 300.')).toBe('Dauer eines Einmalcodes: Möglich ist 1 bis 300.');
  expect(german('The new thing is too long (at most 3).')).toBe('new thing: Das sind zu viele (höchstens 3).');
  expect(inGerman(german)('The file could not be read: line 7 is not well-formed XML.')).toBe(
    'Die Datei konnte nicht gelesen werden: Zeile 7 ist kein gültiges XML.',
  );
  expect(french('The totp timeout must be between 1 and 300.')).toBe(
    'Durée d’un code à usage unique\u00a0: valeur possible de 1 à 300.',
  );
  expect(inFrench(french)('The file could not be read: line 7 is not well-formed XML.')).toBe(
    'Impossible de lire le fichier\u00a0: la ligne 7 n’est pas du XML valable.',
  );
  expect(spanish('The totp timeout must be between 1 and 300.')).toBe(
    'Duración de un código de un solo uso: debe estar entre 1 y 300.',
  );
  expect(inSpanish(spanish)('The file could not be read: line 7 is not well-formed XML.')).toBe(
    'No se pudo leer el archivo: la línea 7 no es XML válido.',
  );
  expect(german('A sentence of a newer server')).toBe('A sentence of a newer server');
  expect(german('constructor')).toBe('constructor');
});
