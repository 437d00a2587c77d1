/** 'Signing in' on the account page: the second factors, and the browsers that are not asked for one. */
import { useState } from 'react';
import { type Factors, removeTotp } from '@passwordbroker/core/contract/account/factors';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Listed, Part, Section } from '../account/section.tsx';
import { tellDone } from '../activity-log/activity-log.ts';
import { formatTime } from '../lib/format.ts';
import { http } from '../page/page.ts';
import { useSession } from '../session/use-session.ts';
import { FACTORS_TEXTS as TEXTS } from '../texts/identity/factors.ts';
import { CheckCodeDialog, MakeCodesDialog, RecoveryCodesDialog } from './code-dialogs.tsx';
import { isLastFactor, Row } from './factor-row.tsx';
import styles from './factors.module.css';
import { AddKeyRow, KeyRow } from './key-rows.tsx';
import { RememberedBrowsers } from './remembered-browsers.tsx';
import { RemoveFactorDialog } from './remove-factor-dialog.tsx';
import { TotpDialog } from './totp-form.tsx';
import { useChangedFactors, useFactors } from './use-factors.ts';
import { useTotpSetup } from './use-totp-setup.ts';

export function FactorsSection() {
  const { server } = useSession();
  return (
    <Section id="signing-in" title={TEXTS.title}>
      {server === null ? <OwnFactors /> : <p>{TEXTS.elsewhere(new URL(server).host)}</p>}
    </Section>
  );
}

function OwnFactors() {
  const { data, error, isPending, refetch } = useFactors();
  return (
    <>
      <Part title={TEXTS.secondFactor} hint={TEXTS.hint}>
        {data?.is_required === true && <p className={styles['note']}>{TEXTS.required}</p>}
        {data !== undefined && !data.can_enrol && <p className={styles['note']}>{TEXTS.off}</p>}
        {(data?.recovery_codes?.restored_at ?? null) !== null && (
          <div className={styles['note']}>
            <MessageBox tone="warning" lines={[TEXTS.codes.restored]} />
          </div>
        )}
        <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
          {data !== undefined && (
            <>
              <AppRow factors={data} />
              <AddKeyRow factors={data} />
              {data.passkeys.map((passkey) => (
                <KeyRow key={passkey.passkey_id} passkey={passkey} factors={data} />
              ))}
              {data.recovery_codes !== null && <CodesRow codes={data.recovery_codes} />}
            </>
          )}
        </Listed>
      </Part>
      {data !== undefined && data.factor_state === 'set' && <RememberedBrowsers browsers={data.remembered} />}
    </>
  );
}

/** The authenticator app, and after the first factor the recovery codes. */
function AppRow({ factors }: { readonly factors: Factors }) {
  const changed = useChangedFactors();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const setup = useTotpSetup(async ({ factors: present, recovery_codes }) => {
    if (recovery_codes === null) tellDone(TEXTS.totp.done);
    else setCodes(recovery_codes.codes);
    await changed(present);
  });
  const keep = () => {
    setCodes(null);
    tellDone(TEXTS.totp.done);
  };
  const { totp } = factors;
  const isLast = isLastFactor(factors, 'totp');
  return (
    <Row
      title={TEXTS.app}
      facts={totp === null ? [TEXTS.appNone] : factsOf(totp)}
      problem={setup.begun === null ? setup.problem : null}
    >
      {factors.can_enrol && (
        <Button
          size="sm"
          label={`${totp === null ? TEXTS.setUp : TEXTS.replace}: ${TEXTS.app}`}
          busy={setup.isBusy && setup.begun === null}
          busyLabel={TEXTS.totp.starting}
          onPress={() => void setup.begin()}
        >
          {totp === null ? TEXTS.setUp : TEXTS.replace}
        </Button>
      )}
      {totp !== null && (
        <Button
          size="sm"
          variant="danger-quiet"
          label={`${TEXTS.remove}: ${TEXTS.app}`}
          whyNot={factors.is_required && isLast ? TEXTS.required : null}
          onPress={() => setRemoving(true)}
        >
          {TEXTS.remove}
        </Button>
      )}
      {setup.begun !== null && (
        <TotpDialog
          setup={setup}
          tokens={factors.factor_state === 'set' ? 0 : factors.tokens}
          isReplacing={totp !== null}
        />
      )}
      {codes !== null && <RecoveryCodesDialog codes={codes} onKept={keep} />}
      {totp !== null && isRemoving && (
        <RemoveFactorDialog
          title={TEXTS.removal.title}
          done={TEXTS.removal.done}
          isLast={isLast}
          onRemove={() => http.call(removeTotp, { params: { totpId: totp.totp_id } })}
          onDone={changed}
          onClose={() => setRemoving(false)}
        />
      )}
    </Row>
  );
}

const factsOf = ({ created_at, last_used_at }: NonNullable<Factors['totp']>) => [
  TEXTS.added(formatTime(created_at)),
  last_used_at === null ? TEXTS.neverUsed : TEXTS.lastUsed(formatTime(last_used_at)),
];

function CodesRow({ codes }: { readonly codes: NonNullable<Factors['recovery_codes']> }) {
  const changed = useChangedFactors();
  const [dialog, setDialog] = useState<'check' | 'make' | { readonly made: readonly string[] } | null>(null);
  const close = () => setDialog(null);
  return (
    <Row
      title={TEXTS.codes.title}
      facts={[TEXTS.codes.left(codes.left), TEXTS.codes.made(formatTime(codes.created_at))]}
    >
      <Button size="sm" onPress={() => setDialog('check')}>
        {TEXTS.codes.check}
      </Button>
      <Button size="sm" onPress={() => setDialog('make')}>
        {TEXTS.codes.makeNew}
      </Button>
      {dialog === 'check' && <CheckCodeDialog onClose={close} />}
      {dialog === 'make' && (
        <MakeCodesDialog
          onClose={close}
          onMade={(made) => {
            setDialog({ made });
            void changed();
          }}
        />
      )}
      {dialog !== null && typeof dialog === 'object' && <RecoveryCodesDialog codes={dialog.made} onKept={close} />}
    </Row>
  );
}
