import { useEffect, useState } from 'react';
import { wordsOf } from '@passwordbroker/client/keyring/words-of';
import type { KeyWords } from '@passwordbroker/client/vault/groups/people';

/**
 * The eight words of each fingerprint; empty until their large list is loaded.
 * @param fingerprints 64 lower-case hex characters each, separated by spaces
 */
export function useKeyWords(fingerprints: string): ReadonlyMap<string, KeyWords> {
  const [known, setKnown] = useState<ReadonlyMap<string, KeyWords>>(new Map());
  useEffect(() => {
    let isWanted = true;
    const all = fingerprints.split(' ').filter((text) => text !== '');
    void Promise.all(all.map(async (one) => [one, await wordsOf(one)] as const)).then((rows) => {
      if (isWanted) setKnown(new Map(rows));
    });
    return () => {
      isWanted = false;
    };
  }, [fingerprints]);
  return known;
}
