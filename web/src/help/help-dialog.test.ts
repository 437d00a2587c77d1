import { expect, test } from 'vitest';
import { searchHelp } from './help-dialog.tsx';

const found = (query: string) => {
  const { topics, sections } = searchHelp(query);
  return [
    topics.map(({ title }) => title),
    sections.map(({ title, keys }) => [title, ...keys.map(({ text }) => text)]),
  ];
};

test('blank text finds all', () => {
  const { topics, sections, count } = searchHelp(' ');
  expect(topics.length).toBeGreaterThan(8);
  expect(sections.length).toBeGreaterThan(4);
  expect(count).toBe(topics.length + sections.flatMap(({ keys }) => keys).length);
});

test('a topic is found by words of its text, in any order and case', () => {
  expect(found('WORDS eight')).toEqual([['Share a group'], []]);
});

test('a shortcut is found by its text, its keys, and the name of its section', () => {
  expect(found('ctrl+o')).toEqual([[], [['Search box', 'Open its link in a new tab']]]);
  expect(found('new entry')[1]).toEqual([['Entries', 'New entry']]);
  expect(searchHelp('keyboard shortcuts').sections).toEqual(searchHelp('').sections);
});

test('nothing is found for a word that the help does not have', () => {
  expect(searchHelp('zebra')).toEqual({ topics: [], sections: [], count: 0 });
});
