import { describe, expect, test } from 'vitest';
import { createExpandedGroups } from './expanded-groups.ts';

const A = '01890a5d-ac96-774b-bcce-b302099a8057';
const B = '01890a5d-ac96-774b-bcce-b302099a8058';

function memory(initial?: string) {
  let stored: string | null = initial ?? null;
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => {
      stored = value;
    },
    stored: () => stored,
  };
}

describe('expanded groups', () => {
  test('are stored as ids and nothing else', () => {
    const store = memory();
    createExpandedGroups(store).set([A, B]);
    expect(store.stored()).toBe(JSON.stringify([A, B]));
    expect([...createExpandedGroups(store).list()]).toEqual([A, B]);
  });

  test.each([['not json'], ['{"a":1}'], ['[1,null,"../x"]'], ['']])(
    'an invalid store %j gives an empty set',
    (stored) => {
      expect(createExpandedGroups(memory(stored)).list().size).toBe(0);
    },
  );

  test('without storage, the set lasts as long as the page', () => {
    const groups = createExpandedGroups({
      getItem: () => {
        throw new Error('forbidden');
      },
      setItem: () => {
        throw new Error('full');
      },
    });
    groups.open([A]);
    expect([...groups.list()]).toEqual([A]);
  });

  test('opening open groups calls no listener', () => {
    const groups = createExpandedGroups(null);
    let calls = 0;
    groups.subscribe(() => {
      calls += 1;
    });
    groups.open([A]);
    groups.open([A]);
    expect(calls).toBe(1);
  });
});
