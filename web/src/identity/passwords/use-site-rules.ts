/** Password rules and sign-up requirements of the server. */
import { setup } from '@passwordbroker/core/contract/site/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { useCallback, useEffect, useState } from 'react';
import { http } from '../../page/page.ts';

export type SiteRules = AnswerOf<typeof setup>;

interface KnownSiteRules {
  /** The last loaded rules; null until the server has answered. */
  readonly rules: SiteRules | null;
  /**
   * Reloads the rules, which may have changed. Await it before sending a new password.
   * @throws NetworkError, AppError
   */
  readonly ask: () => Promise<SiteRules>;
}

export function useSiteRules(): KnownSiteRules {
  const [rules, setRules] = useState<SiteRules | null>(null);
  const ask = useCallback(async () => {
    const answer = await http.call(setup);
    setRules(answer);
    return answer;
  }, []);
  useEffect(() => {
    // Only for display. An error is ignored, because `ask` runs again before sending.
    http.call(setup).then(setRules, () => undefined);
  }, []);
  return { rules, ask };
}
