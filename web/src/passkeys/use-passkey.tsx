/** The button that opens the vault with a passkey, where one may. */
import { useEffect, useState } from 'react';
import type { AskPasskey } from '@passwordbroker/client/keyring/passkey-answer';
import { canUsePasskey } from '@passwordbroker/client/master-password/unlock-passkeys';
import { MASTER_PASSWORD_TEXTS as TEXTS } from '@passwordbroker/client/texts/master-password';
import { Button } from '@passwordbroker/ui/actions/button';
import { loadChunk } from '../lib/chunk.ts';
import { http } from '../page/page.ts';
import { keyring } from '../page/vault.ts';
import type { answerWithPasskey as Answer } from './webauthn.ts';

const loadWebAuthn = () => loadChunk('webauthn', () => import('./webauthn.ts'));

/** Loads WebAuthn at the first use. */
export const askPasskey: AskPasskey = async (passkeys) => (await loadWebAuthn()).askPasskey(passkeys);

/** Loads WebAuthn at the first use. @throws PasskeyError */
export const answerWithPasskey: typeof Answer = async (asked) => (await loadWebAuthn()).answerWithPasskey(asked);

/** Whether this browser can use passkeys here. */
export const mayUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

export function useCanUsePasskey(): boolean {
  const [can, setCan] = useState(false);
  useEffect(() => {
    if (!mayUsePasskeys()) return undefined;
    let isShown = true;
    void canUsePasskey({ http, keyring }, location.hostname).then((may) => {
      if (!may || !isShown) return;
      setCan(true);
      // Some browsers show their dialog only right after the press.
      loadWebAuthn().catch(() => undefined);
    });
    return () => {
      isShown = false;
    };
  }, []);
  return can;
}

interface Props {
  readonly isBusy: boolean;
  readonly onPress: () => void;
  readonly ref?: (button: HTMLButtonElement | null) => void;
}

export function PasskeyButton({ isBusy, onPress, ref }: Props) {
  return (
    <Button ref={ref ?? null} size="lg" busy={isBusy} busyLabel={TEXTS.waitingForPasskey} onPress={onPress}>
      {TEXTS.usePasskey}
    </Button>
  );
}
