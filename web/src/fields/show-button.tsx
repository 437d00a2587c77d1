/** Shows and hides a value; while it is fetched and opened it turns. */
import { Eye, EyeOff } from 'lucide-react';
import { IconButton } from '../ui/icon-button.tsx';
import type { FieldVerbs } from './use-field-verbs.ts';

interface Props {
  readonly verbs: FieldVerbs;
  readonly labels: { readonly show: string; readonly hide: string };
}

export function ShowButton({ verbs, labels }: Props) {
  const { shown, isOpening } = verbs.secret;
  return (
    <IconButton
      label={shown === null ? labels.show : labels.hide}
      icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
      busy={isOpening}
      onPress={verbs.toggle}
    />
  );
}
