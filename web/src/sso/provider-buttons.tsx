import type { SsoPurpose } from '@passwordbroker/core/contract/account/sso';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';
import { useLeaving } from './leaving.ts';

interface Props {
  readonly providers: readonly { readonly provider_id: string; readonly name: string }[];
  readonly purpose: SsoPurpose;
  /** For `invite`. */
  readonly inviteToken?: string;
  readonly isFirst?: boolean;
  /** Of the first button, in a dialog. */
  readonly firstRef?: (button: HTMLButtonElement | null) => void;
  readonly around?: Parameters<typeof useLeaving>[0];
  /** Stores what the page needs after the way back. */
  readonly onLeave?: () => void;
}

/** One button for each provider, in the order of the operator. */
export function ProviderButtons({
  providers,
  purpose,
  inviteToken,
  isFirst = false,
  firstRef,
  around,
  onLeave,
}: Props) {
  const { leavingFor, problem, leave } = useLeaving(around);
  const invited = inviteToken === undefined ? {} : { inviteToken };
  return (
    <>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {providers.map(({ provider_id, name }, at) => (
        <Button
          key={provider_id}
          ref={at === 0 && firstRef !== undefined ? firstRef : null}
          variant={isFirst && at === 0 ? 'primary' : 'secondary'}
          size="lg"
          isBlock
          autoFocus={isFirst && at === 0}
          busy={leavingFor === provider_id}
          busyLabel={TEXTS.leaving(name)}
          isDisabled={leavingFor !== null}
          onPress={() => {
            onLeave?.();
            void leave({ providerId: provider_id, purpose, ...invited });
          }}
        >
          {TEXTS.continueWith(name)}
        </Button>
      ))}
    </>
  );
}
