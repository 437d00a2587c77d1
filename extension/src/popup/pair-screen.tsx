import { useState } from 'react';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { api } from '../browser-api.ts';
import type { Status } from '../keeper/session.ts';
import { serverOrigin } from '../server-origin.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { keeper } from './parts.ts';

/** All ports of the host: permissions name none. */
const patternOf = (origin: string) => `${new URL(origin).protocol}//${new URL(origin).hostname}/*`;

export function PairScreen({ onStatus }: { readonly onStatus: (status: Status) => void }) {
  const [address, setAddress] = useState('');
  const pair = async () => {
    // No wait before the request: it counts as part of the click.
    const origin = serverOrigin(address);
    const { host } = new URL(origin);
    if (!(await api.permissions.request({ origins: [patternOf(origin)] }))) throw new Error(TEXTS.notAllowed(host));
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
        autoFocus
        isRequired
      />
    </FormScreen>
  );
}
