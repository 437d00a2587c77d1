/** Security keys in the list of second factors. */
import { Suspense, useRef, useState } from 'react';
import type { Factors } from '@passwordbroker/core/contract/account/factors';
import { remove } from '@passwordbroker/core/contract/account/passkeys';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { Button } from '@passwordbroker/ui/actions/button';
import { browserName } from '../account/browser-name.ts';
import { tellDone } from '../activity-log/activity-log.ts';
import { lazyPart } from '../lib/chunk.ts';
import { formatTime } from '../lib/format.ts';
import { http } from '../page/page.ts';
import { RenamePasskey } from '../passkeys/rename-passkey.tsx';
import { mayUsePasskeys } from '../passkeys/use-passkey.tsx';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';
import { PASSKEY_TEXTS } from '../texts/identity/passkeys.ts';
import { RecoveryCodesDialog } from './code-dialogs.tsx';
import { isLastFactor, Row } from './factor-row.tsx';
import { RemoveFactorDialog } from './remove-factor-dialog.tsx';
import { useChangedFactors } from './use-factors.ts';

const TEXTS = FACTORS_TEXTS.keys;

const AddPlainPasskeyDialog = lazyPart(
  'AddPlainPasskeyDialog',
  () => import('../passkeys/add-plain-passkey-dialog.tsx'),
);

/** Adds the first one, and more. */
export function AddKeyRow({ factors }: { readonly factors: Factors }) {
  const changed = useChangedFactors();
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { passkeys, can_enrol, can_add_passkey, factor_state, tokens } = factors;
  const mayAdd = can_enrol && can_add_passkey && mayUsePasskeys();
  const count = passkeys.length;
  const whyNot = !can_add_passkey ? TEXTS.needsHost : mayUsePasskeys() ? null : PASSKEY_TEXTS.browserOff;
  const hint = whyNot ?? (count === 0 ? TEXTS.kinds : null);
  const verb = count === 0 ? FACTORS_TEXTS.setUp : TEXTS.addAnother;
  return (
    <Row
      title={TEXTS.title}
      facts={[count === 0 ? FACTORS_TEXTS.appNone : TEXTS.count(count), ...(hint === null ? [] : [hint])]}
    >
      {mayAdd && (
        <Button size="sm" label={`${verb}: ${TEXTS.title}`} onPress={() => setAdding(true)}>
          {verb}
        </Button>
      )}
      {isAdding && (
        <Suspense fallback={null}>
          <AddPlainPasskeyDialog
            use="factor"
            words={TEXTS.dialog}
            tokens={factor_state === 'set' ? 0 : tokens}
            onClose={() => setAdding(false)}
            onAdded={async ({ recovery_codes }) => {
              setAdding(false);
              if (recovery_codes === null) tellDone(TEXTS.added);
              else setCodes(recovery_codes.codes);
              await changed();
            }}
          />
        </Suspense>
      )}
      {codes !== null && (
        <RecoveryCodesDialog
          codes={codes}
          onKept={() => {
            setCodes(null);
            tellDone(TEXTS.added);
          }}
        />
      )}
    </Row>
  );
}

export function KeyRow({ passkey, factors }: { readonly passkey: Passkey; readonly factors: Factors }) {
  const changed = useChangedFactors();
  const [isRemoving, setRemoving] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const isLast = isLastFactor(factors, passkey.passkey_id);
  return (
    <Row ref={row} title={passkey.name} facts={factsOf(passkey)}>
      <RenamePasskey passkey={passkey} />
      <Button
        size="sm"
        variant="danger-quiet"
        label={`${FACTORS_TEXTS.remove}: ${passkey.name}`}
        whyNot={factors.is_required && isLast ? FACTORS_TEXTS.required : null}
        onPress={() => setRemoving(true)}
      >
        {FACTORS_TEXTS.remove}
      </Button>
      {isRemoving && (
        <RemoveFactorDialog
          title={TEXTS.removeTitle(passkey.name)}
          done={TEXTS.removed}
          isLast={isLast}
          onRemove={() => http.call(remove, { params: { passkeyId: passkey.passkey_id } })}
          onDone={async () => {
            const list = row.current?.parentElement;
            await changed();
            // The row takes the focus with it; after the last factor the row of the codes goes, too.
            const { activeElement, body } = document;
            const isLost = activeElement === body || row.current?.contains(activeElement) === true;
            if (isLost) list?.querySelector('button')?.focus();
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Row>
  );
}

function factsOf({ is_here, rp_id, synced, created_at, user_agent, address, last_used_at }: Passkey): string[] {
  const browser = browserName(user_agent) ?? PASSKEY_TEXTS.unknownBrowser;
  return [
    is_here ? TEXTS.one : PASSKEY_TEXTS.elsewhere(rp_id),
    PASSKEY_TEXTS.addedFrom(formatTime(created_at), browser, address),
    last_used_at === null ? FACTORS_TEXTS.neverUsed : FACTORS_TEXTS.lastUsed(formatTime(last_used_at)),
    ...(synced ? [PASSKEY_TEXTS.synced] : []),
  ];
}
