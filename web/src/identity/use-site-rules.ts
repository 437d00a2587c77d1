/** What the server demands of a sign-up; null until it has said so. */
import { setup } from '@passwordbroker/core/contract/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { useEffect, useState } from 'react';
import { http } from '../lib/http.ts';

export function useSiteRules(): AnswerOf<typeof setup> | null {
  const [rules, setRules] = useState<AnswerOf<typeof setup> | null>(null);
  useEffect(() => {
    // Without an answer the form goes by its own rules; the server judges in the end.
    http.call(setup).then(setRules, () => undefined);
  }, []);
  return rules;
}
