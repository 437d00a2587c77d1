/** Leaving this page for an identity provider. */
import { useEffect, useState } from 'react';
import { beginSso, type Departure } from '@passwordbroker/client/session/single-sign-on';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { http, session } from '../page/page.ts';

const KEPT = 'passwordbroker.sso-departure';

/** Why this tab went to which provider, for the page that it comes back to. Without the token of an invitation. */
export const lastDeparture = {
  keep({ purpose, providerId }: Departure): void {
    try {
      sessionStorage.setItem(KEPT, `${purpose} ${providerId}`);
    } catch {
      // The person chooses it again on the sign-in page.
    }
  },
  read(): { readonly purpose: string; readonly providerId: string } | null {
    try {
      const [purpose = '', providerId] = (sessionStorage.getItem(KEPT) ?? '').split(' ');
      return providerId === undefined ? null : { purpose, providerId };
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
    const { providerId } = departure;
    const go = async () => {
      const url = await beginSso({ http, session }, departure);
      lastDeparture.keep(departure);
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
