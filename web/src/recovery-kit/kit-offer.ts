/** Whether and why the page asks for a recovery kit now. Knows no key. */
import { loadChunk } from '../lib/chunk.ts';
import type { Keyring } from '@passwordbroker/client/keyring/keyring';
import type { Session } from '@passwordbroker/client/session/session';
import type { Http } from '@passwordbroker/client/transport/http';

export type KitOffer =
  /** A banner after sign-up. */
  | { readonly kind: 'signed up' }
  /** The person asked for the dialog. */
  | { readonly kind: 'chosen' }
  /** The site asks for a kit. */
  | { readonly kind: 'required'; readonly canPutOff: boolean }
  /** The former kit was used. */
  | { readonly kind: 'used'; readonly canPutOff: boolean };

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'call' | 'tellDocuments' | 'onOpened' | 'onLocked'>;
  readonly session: Pick<Session, 'subscribe' | 'view'>;
}

const loadPolicy = () => loadChunk('kit-policy', () => import('@passwordbroker/client/recovery-kit/kit-policy'));

export function createKitOffer({ http, keyring, session }: Means) {
  let offer: KitOffer | null = null;
  const listeners = new Set<() => void>();

  const put = (next: KitOffer | null) => {
    if (next === offer) return;
    offer = next;
    for (const listener of listeners) listener();
  };

  keyring.onOpened((bundle) => {
    // A copy is opened without the server, and changes nothing there.
    if (bundle === null || bundle.slots.some(({ slot_type }) => slot_type === 'recovery')) return;
    const ask = async () => (await loadPolicy()).kitDemand({ http, keyring }, bundle);
    ask().then(
      (demand) => {
        if (demand !== null) put({ kind: 'required', ...demand });
      },
      // The next unlock asks again.
      () => undefined,
    );
  });
  // The dialog of a kit in the making has the key on the screen.
  keyring.onLocked(() => put(null));
  session.subscribe(() => {
    if (session.view().user === null) put(null);
  });

  return {
    view: () => offer,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    put,
    /** Asks for the kit that takes the place of the used one. */
    async used(): Promise<void> {
      const isRequired = await loadPolicy().then(
        ({ isKitRequired }) => isKitRequired(http),
        () => false,
      );
      put({ kind: 'used', canPutOff: !isRequired });
    },
  };
}
