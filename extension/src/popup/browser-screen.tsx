/** Sign-in by the web page of the server (docs/adr/0044-sign-in-of-programs.md): its button, and the code of the page. */
import { useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { api } from '../browser-api.ts';
import type { Status } from '../keeper/session.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { keeper } from './parts.ts';

interface Props {
  readonly status: Status;
  readonly onStatus: (status: Status) => void;
}

/** The browser closes the popup when the page is opened. */
async function openPage({ browser }: Status): Promise<void> {
  if (browser !== null) await api.tabs.create({ url: browser.link });
}

export function BrowserButton({ onStatus }: Pick<Props, 'onStatus'>) {
  const begin = async () => {
    const status = await keeper('beginBrowserSignIn');
    onStatus(status);
    await openPage(status);
  };
  return (
    <Button isBlock onPress={() => void begin()}>
      {TEXTS.browserSignIn}
    </Button>
  );
}

export function BrowserScreen({ status, onStatus }: Props) {
  const [code, setCode] = useState('');
  return (
    <FormScreen
      key="browser"
      title={TEXTS.browserSignIn}
      text={TEXTS.browserText(status.browser?.shown ?? '')}
      verb={TEXTS.signIn}
      onSubmit={async () => onStatus(await keeper('finishBrowserSignIn', { code: code.trim() }))}
      more={
        <>
          <Button isBlock onPress={() => void openPage(status)}>
            {TEXTS.browserAgain}
          </Button>
          <Button variant="ghost" isBlock onPress={() => void keeper('cancelBrowserSignIn').then(onStatus)}>
            {TEXTS.back}
          </Button>
        </>
      }
    >
      <TextField label={TEXTS.browserCode} value={code} onChange={setCode} mono autoFocus isRequired />
    </FormScreen>
  );
}
