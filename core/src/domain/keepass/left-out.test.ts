/** Reports unsupported things with kind and reason (docs/spec/decisions.md H7). */
import { describe, expect, test } from 'vitest';
import type { XmlGroup } from '../../testing/keepass/keepass-files.ts';
import { treeOf } from '../../testing/keepass/keepass-tree.ts';

const OF_A_GROUP = 'of a group, which is not supported';
const NO_AUTO_TYPE = 'auto-type is not supported';
const sequence = (text: string) =>
  `<AutoType><Enabled>True</Enabled><DefaultSequence>${text}</DefaultSequence></AutoType>`;
const association = (window: string, keys: string) =>
  `<AutoType><Association><Window>${window}</Window><KeystrokeSequence>${keys}</KeystrokeSequence></Association></AutoType>`;
const custom = (...items: readonly [string, string][]) =>
  `<CustomData>${items.map(([key, value]) => `<Item><Key>${key}</Key><Value>${value}</Value></Item>`).join('')}</CustomData>`;

describe('reports', () => {
  test.each<[string, Partial<XmlGroup>, string, [string, string, number][]]>([
    [
      'sequences of entries',
      { entries: [{ more: sequence('{PASSWORD}{ENTER}') }] },
      '',
      [['auto-type sequence', NO_AUTO_TYPE, 1]],
    ],
    [
      'a sequence of a group',
      { more: '<DefaultAutoTypeSequence>{TAB}</DefaultAutoTypeSequence>' },
      '',
      [['auto-type sequence', NO_AUTO_TYPE, 1]],
    ],
    [
      'associations with windows',
      { entries: [{ more: association('Mail*', '') + association('Shop*', '{TAB}') }] },
      '',
      [['auto-type association', NO_AUTO_TYPE, 2]],
    ],
    [
      'values of plugins, each once for all versions',
      { entries: [{ more: custom(['a', '1'], ['b', '2']), history: [{ more: custom(['a', '1'], ['a', '0']) }] }] },
      '',
      [['plugin value', 'stored by another program', 3]],
    ],
    [
      'values of plugins for a group',
      { more: custom(['a', '1']) },
      '',
      [['plugin value', 'stored by another program', 1]],
    ],
    ['values of plugins for the file', {}, custom(['a', '1']), [['plugin value', 'stored by another program', 1]]],
    ['tags of a group', { more: '<Tags>red;blue</Tags>' }, '', [['tag', OF_A_GROUP, 2]]],
    ['the expiry of a group', { more: '<Times><Expires>True</Expires></Times>' }, '', [['expiry date', OF_A_GROUP, 1]]],
    [
      'colours and chosen icons',
      {
        entries: [{ more: '<IconID>7</IconID><ForegroundColor>#FF0000</ForegroundColor>' }],
        more: '<IconID>3</IconID>',
      },
      '',
      [
        ['icon', 'not supported', 2],
        ['colour', 'not supported', 1],
      ],
    ],
    [
      'metadata of the file',
      {},
      '<DatabaseDescription>Team</DatabaseDescription>',
      [['description', 'of the whole file', 1]],
    ],
    [
      'titles of former versions, each once',
      {
        entries: [
          { title: 'c', history: [{ title: 'a' }, { title: 'b' }, { title: 'a' }, { title: 'c' }, { title: '' }] },
        ],
      },
      '',
      [['title', 'former, only in the history', 2]],
    ],
  ])('%s', async (_, root, meta, lines) => {
    const { skipped } = await treeOf(root, { meta });
    expect(skipped).toEqual(lines.map(([kind, reason, count]) => ({ kind, reason, count })));
  });

  test('also in a group below the maximum depth', async () => {
    let root: XmlGroup = { name: 'deep', notes: 'n', entries: [{ title: 'a' }] };
    for (let level = 32; level >= 1; level -= 1) root = { name: String(level), groups: [root] };
    expect((await treeOf(root)).skipped).toContainEqual({ kind: 'note', reason: OF_A_GROUP, count: 1 });
  });

  test('no values that KeePassXC writes into every file', async () => {
    const own = custom(
      ['_LAST_MODIFIED', 'Sat'],
      ['_CREATED', 'Sat'],
      ['KPXC_RANDOM_SLUG', 'a'],
      ['KPXC_BROWSER_x', 'k'],
      ['empty', ''],
    );
    const more = `${own}${sequence('')}${association('', '')}<OverrideURL/><ForegroundColor/><IconID>0</IconID>`;
    const group = `${own}<DefaultAutoTypeSequence/><Tags/><IconID>48</IconID>`;
    const { skipped, entries } = await treeOf({ entries: [{ more, history: [{ more }] }], more: group }, { meta: own });
    expect([skipped, entries[0]?.fields]).toEqual([[], []]);
  });
});
