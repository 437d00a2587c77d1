import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './field-value.module.css';
import { Mask, SecretText } from './secret-text.tsx';
import { ShowButton } from './show-button.tsx';
import { ValueLine } from './value-line.tsx';
import { copiesOf, type ValueProps } from './value-props.ts';

export function PasswordValue({ field, verbs }: ValueProps<'password'>) {
  const { shown } = verbs.secret;
  const login = shown?.login ?? field.login;
  return (
    <>
      <ValueLine
        name={TEXTS.login}
        verbs={
          <CopyButton label={TEXTS.copyLogin} onCopy={() => void verbs.copyLogin()} count={copiesOf(verbs, 'login')} />
        }
      >
        <span className={styles['value']}>{login === '' ? TEXTS.noLogin : login}</span>
      </ValueLine>
      <ValueLine
        name={TEXTS.password}
        verbs={
          <>
            <ShowButton verbs={verbs} labels={TEXTS} />
            <CopyButton
              label={TEXTS.copyValue.password}
              onCopy={() => void verbs.copyValue()}
              count={copiesOf(verbs, 'value')}
            />
          </>
        }
      >
        {shown === null ? (
          <Mask label={TEXTS.hidden(field.title)} />
        ) : (
          <span className={styles['value']} data-secret>
            <SecretText secret={shown.text} />
          </span>
        )}
      </ValueLine>
    </>
  );
}
