import { useEffect, useState } from 'react';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { api } from '../browser-api.ts';
import type { Status } from '../keeper/session.ts';
import { serverOrigin, sitePattern } from '../server-origin.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { keeper } from './parts.ts';

/** By an administrator of computers. Rejects in Firefox without a policy. */
async function prescribed(): Promise<{ readonly server: string; readonly isFixed: boolean }> {
  const { server_url, server_url_locked } = await api.storage.managed.get(['server_url', 'server_url_locked']);
  const server = typeof server_url === 'string' ? server_url : '';
  return { server, isFixed: server !== '' && server_url_locked === true };
}

export function PairScreen({ onStatus }: { readonly onStatus: (status: Status) => void }) {
  const [address, setAddress] = useState('');
  const [isLocked, setLocked] = useState(false);
  useEffect(() => {
    prescribed().then(
      ({ server, isFixed }) => {
        setAddress((typed) => (typed === '' ? server : typed));
        setLocked(isFixed);
      },
      // No policy.
      () => undefined,
    );
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
