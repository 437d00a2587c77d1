import { useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Select } from '@passwordbroker/ui/inputs/select';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { DEFAULT_SETTINGS } from '@passwordbroker/core/domain/fields/generator-settings';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { PageValues } from '../background/operations.ts';
import type { Item } from '../keeper/entries.ts';
import type { Shelf } from '../keeper/saving.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { FormScreen } from './form-screen.tsx';
import { GeneratorSettings } from './generator-settings.tsx';
import { background, keeper } from './parts.ts';
import { useAction } from './use-action.ts';
import styles from './popup.module.css';

interface Props {
  readonly tabId: number;
  readonly values: PageValues;
  /** Entries that match the page: their password can be replaced. */
  readonly matches: readonly Item[];
  readonly onDone: (text: string | null) => void;
}

const PROBLEMS = { filled: null, changed: TEXTS.changed, plain_action: TEXTS.plainAction } as const;

/** What the form of the page holds, to be saved as a new entry or as the next password of one. */
export function SaveScreen({ tabId, values, matches, onDone }: Props) {
  const [title, setTitle] = useState(values.title);
  const [userName, setUserName] = useState(values.userName);
  const [password, setPassword] = useState(values.password);
  const [shelves, setShelves] = useState<readonly Shelf[] | null>(null);
  const [groupId, setGroupId] = useState('');
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const [saveId] = useState(() => crypto.randomUUID());
  const [problem, setProblem] = useState<string | null>(null);
  const failed = (failure: unknown) => setProblem(reasonOf(failure));
  const [running, run] = useAction(failed);
  useEffect(() => {
    keeper('shelves').then((found) => {
      setShelves(found);
      setGroupId(found[0]?.id ?? '');
    }, failed);
  }, []);

  const save = async () => {
    await keeper('save', { saveId, groupId, title, userName, password, address: values.address });
    onDone(TEXTS.saved(title));
  };
  const update = async (item: Item) => {
    setProblem(null);
    await keeper('update', { entry: item, password });
    onDone(TEXTS.updated(item.title));
  };
  const generate = (chosen = settings) => {
    setSettings(chosen);
    setPassword(generatePassword(chosen));
  };
  const fillNew = async () => {
    setProblem(PROBLEMS[await background('fillNew', { tabId, address: values.address, password })]);
  };

  // Without the groups it could not be saved.
  if (shelves === null && problem === null) return <main className={styles['page']} aria-busy />;
  if (shelves?.length === 0)
    return (
      <main className={styles['page']}>
        <h1 className={styles['title']}>{TEXTS.saveTitle}</h1>
        <MessageBox tone="info" lines={[TEXTS.noGroups]} />
        <Button isBlock onPress={() => onDone(null)} autoFocus>
          {TEXTS.back}
        </Button>
      </main>
    );
  return (
    <FormScreen
      title={TEXTS.saveTitle}
      text={new URL(values.address).host}
      verb={TEXTS.save}
      onSubmit={save}
      more={
        <>
          {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
          {matches.map((item) => (
            <Button
              key={item.entryId}
              isBlock
              busy={running === item.entryId}
              onPress={() => run(item.entryId, () => update(item))}
            >
              {TEXTS.update(item.title)}
            </Button>
          ))}
          <Button variant="ghost" isBlock onPress={() => onDone(null)}>
            {TEXTS.cancel}
          </Button>
        </>
      }
    >
      <TextField label={TEXTS.title} value={title} onChange={setTitle} isRequired autoFocus />
      <Select
        label={TEXTS.group}
        value={groupId}
        onChange={setGroupId}
        options={(shelves ?? []).map(({ id, path }) => ({ value: id, title: path }))}
      />
      <TextField label={TEXTS.userName} value={userName} onChange={setUserName} />
      <PasswordField label={TEXTS.password} value={password} onChange={setPassword} isRequired />
      <div className={styles['verbs']}>
        <Button onPress={() => generate()}>{TEXTS.generate}</Button>
        {values.newPasswords > 0 && (
          <Button busy={running === 'fillNew'} onPress={() => run('fillNew', fillNew)}>
            {TEXTS.fillNew}
          </Button>
        )}
      </div>
      <GeneratorSettings settings={settings} onChange={generate} />
    </FormScreen>
  );
}
