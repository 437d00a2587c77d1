import type { ReactNode } from 'react';
import { FolderInput, Link2, Pencil, Trash2 } from 'lucide-react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { activityLog } from '../../activity-log/activity-log.ts';
import { clipboard } from '../../lib/clipboard.ts';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { entryAddress } from '../entry-address.ts';

export interface EntryVerb {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onPress: (entry: Entry) => void;
  /** Why it is disabled, or null. */
  readonly whyNot?: string | null;
}

interface Writes {
  readonly onRename: (entry: Entry) => void;
  readonly onMove: (entry: Entry) => void;
  readonly onRemove: (entry: Entry) => void;
}

/**
 * The menu at the end of an entry's row.
 * @param writes null if the person may only read
 */
export function entryVerbs(
  writes: Writes | null,
  whyNot: string | null,
  whyNotMove: string | null,
): readonly EntryVerb[] {
  const read = { label: TEXTS.copyLink, icon: <Link2 size={16} />, onPress: (entry: Entry) => void copyLink(entry) };
  if (writes === null) return [read];
  return [
    { label: TEXTS.rename, icon: <Pencil size={16} />, onPress: writes.onRename, whyNot },
    { label: TEXTS.move, icon: <FolderInput size={16} />, onPress: writes.onMove, whyNot: whyNotMove },
    read,
    { label: TEXTS.remove, icon: <Trash2 size={16} />, onPress: writes.onRemove, whyNot },
  ];
}

async function copyLink(entry: Entry): Promise<void> {
  try {
    await clipboard.copyPlain(new URL(entryAddress(entry), globalThis.location.origin).href);
    activityLog.add(TEXTS.linkCopied(entry.title));
    toast(TEXTS.linkCopied(entry.title), { tone: 'success' });
  } catch (failure) {
    toast(failure instanceof Error ? failure.message : String(failure), { tone: 'danger' });
  }
}
