/** Leaving this page for an identity provider. */
import { useEffect, useState } from 'react';
import { beginSso, type Departure } from '@passwordbroker/client/session/single-sign-on';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { http, session } from '../page/page.ts';

const KEPT = 'passwordbroker.sso-provider';

/** The provider of the last sign-in in this tab, for 'Try again'. */
export const lastProvider = {
  keep(providerId: string): void {
    try {
      sessionStorage.setItem(KEPT, providerId);
    } catch {
      // The person chooses it again on the sign-in page.
    }
  },
  read(): string | null {
    try {
      return sessionStorage.getItem(KEPT);
    } catch {
      return null;
    }
  },
};

type Act = () => Promise<{ readonly url: string }>;

const atOnce = (act: Act) => act();

/** @param around runs the request; null: the person gave up. For example `freshSignIn.tryRun` */
export function useLeaving(around: (act: Act) => Promise<object | null> = atOnce) {
  const [leavingFor, setLeavingFor] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    // The Back button of the browser can show this page as it was left.
    const comeBack = () => setLeavingFor(null);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);

  const leave = async (departure: Departure) => {
    const { providerId, purpose } = departure;
    const go = async () => {
      const url = await beginSso({ http, session }, departure);
      if (purpose === 'login') lastProvider.keep(providerId);
      location.assign(url);
      return { url };
    };
    setLeavingFor(providerId);
    setProblem(null);
    try {
      if ((await around(go)) === null) setLeavingFor(null);
    } catch (failure) {
      setProblem(reasonOf(failure));
      setLeavingFor(null);
    }
  };
  return { leavingFor, problem, leave };
}
