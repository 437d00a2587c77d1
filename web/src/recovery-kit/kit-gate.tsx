/** Shows the dialog of the recovery kit wherever one is asked for, and the banner after sign-up. */
import { LifeBuoy } from 'lucide-react';
import { Suspense, useSyncExternalStore } from 'react';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { Button } from '@passwordbroker/ui/actions/button';
import { lazyPart } from '../lib/chunk.ts';
import { kitOffer } from '../page/vault.ts';
import { KIT_BANNER_TEXTS as TEXTS } from '../texts/identity/recovery-kit-banner.ts';

const KitDialog = lazyPart('KitDialog', () => import('./kit-dialog.tsx'));

const useKitOffer = () => useSyncExternalStore(kitOffer.subscribe, kitOffer.view);

export function RecoveryKitGate() {
  const offer = useKitOffer();
  if (offer === null || offer.kind === 'signed up') return null;
  return (
    <Suspense fallback={null}>
      <KitDialog offer={offer} onClose={() => kitOffer.put(null)} />
    </Suspense>
  );
}

export function RecoveryKitBanner() {
  if (useKitOffer()?.kind !== 'signed up') return null;
  return (
    <Banner
      icon={<LifeBuoy size={16} />}
      action={
        <>
          <Button size="sm" onPress={() => kitOffer.put({ kind: 'chosen' })}>
            {TEXTS.make}
          </Button>
          <Button size="sm" variant="ghost" onPress={() => kitOffer.put(null)}>
            {TEXTS.later}
          </Button>
        </>
      }
    >
      <b>{TEXTS.title}</b> {TEXTS.why}
    </Banner>
  );
}
