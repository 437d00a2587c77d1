/** Shows and hides a value; while it is fetched and opened it turns. */
import { Eye, EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import type { FieldVerbs } from './use-field-verbs.ts';

interface Props {
  readonly verbs: FieldVerbs;
  readonly labels: { readonly show: string; readonly hide: string };
  /** What the same button does once the value is shown: it stays in place, so it keeps the focus. */
  readonly instead?: { readonly label: string; readonly icon: ReactNode; readonly onPress: () => void };
}

export function ShowButton({ verbs, labels, instead }: Props) {
  const { shown, isOpening } = verbs.secret;
  const toggling = {
    label: shown === null ? labels.show : labels.hide,
    icon: shown === null ? <Eye size={16} /> : <EyeOff size={16} />,
    onPress: verbs.toggle,
  };
  return <IconButton {...(shown === null ? toggling : (instead ?? toggling))} busy={isOpening} />;
}
