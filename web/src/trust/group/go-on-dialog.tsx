/**
 * For a list that does not follow from the accepted one. The decision is valid only for the list that was
 * shown when
 * the dialog opened.
 */
import { useState, useEffect, useRef } from 'react';
import type { ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import { KeyCard, WordList } from '../../members/keys/key-words.tsx';
import { useMembersReload } from '../../members/table/use-members.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { ScrolledText } from '@passwordbroker/ui/display/scrolled-text';
import type { KeyWords } from '@passwordbroker/client/vault/groups/people';
import type { GroupTrustDetails } from '@passwordbroker/client/vault/trust/trust';
import { useVault } from '../../vault/use-vault.ts';
import { personName, type ServerNames, useServerNames, useKeyWords } from '../person-texts.ts';
import styles from '../trust.module.css';
import { tellFailure } from '../../activity-log/activity-log.ts';
import { useTrust } from '../../members/keys/use-trust.tsx';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';

interface Props {
  readonly groupId: string;
  readonly onClose: () => void;
}

export function GoOnDialog({ groupId, onClose }: Props) {
  const { write, trust } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useMembersReload();
  const [details] = useState(() => trust?.details(groupId));
  const { names, isLoading } = useServerNames(groupId);
  const newest = details?.newest ?? null;
  const isComparing = details?.mayGoOn === 'comparing';
  const words = useKeyWords(fingerprintsOf(details));
  const signer = newest?.signer ?? null;
  const signerWords = signer === null ? undefined : words.get(signer.fingerprint);
  const goOn = async () => {
    const name = signer === null ? '' : (signer.name ?? names.get(signer.userId) ?? '');
    const compared = signer === null || !isComparing ? undefined : { ...signer, name, how: 'words' as const };
    const operation = async () => write?.trust?.goOn(groupId, newest?.hash ?? null, compared);
    await masterPassword.use(operation, { label: TEXTS.goOn });
    onClose();
    void reload([groupId]);
  };
  return (
    <ConfirmDialog
      title={TEXTS.goOnTitle}
      cancel={TEXTS.cancel}
      confirm={isComparing ? TEXTS.comparedGoOn : TEXTS.goOn}
      confirming={TEXTS.goingOn}
      isIncomplete={isLoading || (isComparing && signerWords === undefined)}
      size="md"
      onConfirm={goOn}
      onClose={onClose}
      problemOf={(failure) => TEXTS.goOnFailed(reasonOf(failure))}
    >
      {newest === null || details === undefined || signer === null ? (
        <p>{TEXTS.goOnWithout}</p>
      ) : (
        <ScrolledText label={TEXTS.goOnTitle} className={styles['parts']}>
          <p>{TEXTS.goOnWhat}</p>
          <Differences details={details} names={names} words={words} />
          <p>{TEXTS.signedBy(described(signer, names))}</p>
          {isComparing && signerWords !== undefined && (
            <KeyCard title={TEXTS.wordsOf(personName(signer, names))} current={signerWords} />
          )}
        </ScrolledText>
      )}
    </ConfirmDialog>
  );
}

interface DifferencesProps {
  readonly details: GroupTrustDetails;
  readonly names: ServerNames;
  readonly words: ReadonlyMap<string, KeyWords>;
}

function Differences({ details: { newest, difference }, names, words }: DifferencesProps) {
  const row = (person: ListedPerson) => ({ person, text: described(person, names) });
  if (difference === null) return <People title={TEXTS.onIt} rows={(newest?.people ?? []).map(row)} words={words} />;
  const { added, missing, changed } = difference;
  if (added.length + missing.length + changed.length === 0) return <p>{TEXTS.goOnSame}</p>;
  const roles = changed.filter(({ role, formerRole }) => role !== formerRole);
  return (
    <>
      <People title={TEXTS.added} rows={added.map(row)} words={words} />
      <People title={TEXTS.missing} rows={missing.map(row)} words={NO_WORDS} />
      <People title={TEXTS.otherKey} rows={changed.filter(({ isOtherKey }) => isOtherKey).map(row)} words={words} />
      <People
        title={TEXTS.otherRole}
        rows={roles.map((person) => ({
          person,
          text: TEXTS.roleBefore(
            described(person, names),
            GROUP_TEXTS.roles[person.role],
            GROUP_TEXTS.roles[person.formerRole],
          ),
        }))}
        words={NO_WORDS}
      />
    </>
  );
}

const NO_WORDS: ReadonlyMap<string, KeyWords> = new Map();

interface PeopleProps {
  readonly title: string;
  readonly rows: readonly { readonly person: ListedPerson; readonly text: string }[];
  readonly words: ReadonlyMap<string, KeyWords>;
}

/** Untrusted keys are shown with their words. */
function People({ title, rows, words }: PeopleProps) {
  if (rows.length === 0) return null;
  return (
    <section className={styles['part']}>
      <h3 className={styles['partTitle']}>{title}</h3>
      <ul className={styles['people']}>
        {rows.map(({ person, text }) => {
          const own = isStrange(person) ? words.get(person.fingerprint) : undefined;
          return (
            <li key={person.userId}>
              {text}
              {own !== undefined && <WordList title={TEXTS.wordsOf(text)} words={own.words} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const isStrange = ({ known }: Pick<ListedPerson, 'known'>) => known === 'unknown' || known === 'other';

/** `Bob (compared)`, or `not known to you; the server says “Bob”`. */
function described(person: Pick<ListedPerson, 'userId' | 'name' | 'known'>, names: ServerNames): string {
  const { userId, name, known } = person;
  if (known === 'own') return TEXTS.you;
  if (name !== null) return TEXTS.knownPerson(name, TEXTS.knownKeys[known]);
  const shown = names.get(userId);
  return shown === undefined ? TEXTS.unnamed(userId) : TEXTS.calledByServer(shown);
}

/** Of the signer and of people with unknown keys, separated by spaces. */
function fingerprintsOf(details: GroupTrustDetails | undefined): string {
  if (details?.newest === undefined || details.newest === null) return '';
  const people = [...details.newest.people.filter(isStrange), details.newest.signer];
  return [...new Set(people.map(({ fingerprint }) => fingerprint))].join(' ');
}

interface CompareSignerProps {
  readonly groupId: string;
  readonly signer: { readonly userId: string; readonly name: string };
  readonly onClose: () => void;
}

/** Compares a signer's key that is not the decided one. */
export function CompareSigner({ groupId, signer, onClose }: CompareSignerProps) {
  const { compared, dialog } = useTrust();
  const reload = useMembersReload();
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    compared(signer)
      .catch((failure: unknown) => {
        if (!(failure instanceof MasterPasswordCancelled)) tellFailure(reasonOf(failure));
      })
      .finally(() => {
        onClose();
        void reload([groupId]);
      });
  }, [compared, signer, groupId, onClose, reload]);
  return dialog;
}
