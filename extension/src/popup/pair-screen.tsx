import { useEffect, useState } from 'react';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { api } from '../browser-api.ts';
import type { Status } from '../keeper/session.ts';
import { prescribed } from '../policy.ts';
import { serverOrigin } from '../server-origin.ts';
import { sitePattern } from '../site-pattern.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { keeper } from './parts.ts';

export function PairScreen({ onStatus }: { readonly onStatus: (status: Status) => void }) {
  const [address, setAddress] = useState('');
  const [isLocked, setLocked] = useState(false);
  useEffect(() => {
    void prescribed().then(({ server, isFixed }) => {
      setAddress((typed) => (typed === '' ? server : typed));
      setLocked(isFixed);
    });
  }, []);
  const pair = async () => {
    // No wait before the request: it counts as part of the click.
    const origin = serverOrigin(address);
    const { host } = new URL(origin);
    if (!(await api.permissions.request({ origins: [sitePattern(origin)] }))) throw new Error(TEXTS.notAllowed(host));
    onStatus(await keeper('pair', { address: origin }));
  };
  return (
    <FormScreen title={TEXTS.welcome} verb={TEXTS.connect} onSubmit={pair}>
      <TextField
        label={TEXTS.address}
        hint={TEXTS.addressHint}
        value={address}
        onChange={setAddress}
        inputMode="url"
        isLocked={isLocked}
        autoFocus
        isRequired
      />
    </FormScreen>
  );
}
