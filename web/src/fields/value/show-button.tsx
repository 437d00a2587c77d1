import { Eye, EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '@passwordbroker/ui/actions/icon-button';
import type { FieldVerbs } from './use-field-verbs.ts';

interface Props {
  readonly verbs: FieldVerbs;
  readonly labels: { readonly show: string; readonly hide: string };
  /** Action of the same button once the value is shown. One button, so that it keeps the focus. */
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
