import { ExternalLink } from 'lucide-react';
import { openableLink, readableLink } from '@passwordbroker/core/domain/fields/link';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { ScrolledText } from '@passwordbroker/ui/display/scrolled-text';
import { CopyButton } from './copy-button.tsx';
import styles from './field-value.module.css';
import { Mask } from './secret-text.tsx';
import { ShowButton } from './show-button.tsx';
import { ValueLine } from './value-line.tsx';
import { copiesOf, type ValueProps } from './value-props.ts';

/** A link or a note. A shown link replaces the Show button; an unsafe address stays text. */
export function TextValue({ field, verbs }: ValueProps<'link' | 'note'>) {
  const { shown } = verbs.secret;
  const address = shown === null || field.type === 'note' ? null : openableLink(shown.text);
  return (
    <ValueLine
      verbs={
        <>
          <ShowButton verbs={verbs} labels={TEXTS} {...(address === null ? {} : { instead: opening(address) })} />
          <CopyButton
            label={TEXTS.copyValue[field.type]}
            onCopy={() => void verbs.copyValue()}
            count={copiesOf(verbs, 'value')}
          />
        </>
      }
    >
      {shown === null && <Mask label={TEXTS.hidden(field.title)} />}
      {shown !== null && field.type === 'note' && (
        <ScrolledText label={TEXTS.longValue(field.title)} className={styles['note']} isSecret>
          {shown.text}
        </ScrolledText>
      )}
      {shown !== null && field.type === 'link' && <LinkText text={shown.text} address={address} />}
    </ValueLine>
  );
}

/** Shows the host as the browser reads it if it is spelled differently (M28). */
function LinkText({ text, address }: { readonly text: string; readonly address: URL | null }) {
  if (address === null) {
    return (
      <span className={styles['value']} data-secret title={TEXTS.notALink}>
        {text}
      </span>
    );
  }
  return (
    <span className={styles['value']} data-secret>
      <a href={address.href} target="_blank" rel="noopener noreferrer">
        {readableLink(text, address)}
      </a>
    </span>
  );
}

const opening = (address: URL) => ({
  label: TEXTS.openLink,
  icon: <ExternalLink size={16} />,
  onPress: () => void window.open(address.href, '_blank', 'noopener,noreferrer'),
});
