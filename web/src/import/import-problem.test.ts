import { expect, test } from 'vitest';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { problemLines } from './import-problem.ts';

test.each([
  [
    'one field: its text once',
    refuse('file', 'The file is not a KeePass XML 2.x file.'),
    { message: 'The file is not a KeePass XML 2.x file.', lines: [] },
  ],
  [
    'several fields: message, then the list by field',
    new AppError('validation', {
      message: 'The given data was invalid.',
      errors: { file: ['Too big.', 'Not XML.'], name: ['Taken.'] },
    }),
    { message: 'The given data was invalid.', lines: ['file: Too big.', 'file: Not XML.', 'name: Taken.'] },
  ],
  ['no fields', new AppError('internal'), { message: 'Something went wrong', lines: [] }],
  [
    'refused in the browser',
    new KeyringError({ code: 'import_file', message: 'The file could not be read: it is cut off.' }),
    { message: 'The file could not be imported.', lines: ['The file could not be read: it is cut off.'] },
  ],
  ['no connection', new Error('Network Error'), { message: 'Network Error', lines: [] }],
  ['unknown error', null, { message: 'The file could not be imported.', lines: [] }],
])('%s', (_, failure, problem) => {
  expect(problemLines(failure)).toEqual(problem);
});
