/**
 * Reads a KeePass XML 2.x file as a stream. A table says what each known element means in each place; unknown ones are passed over with everything
 * in them. Nothing is ever fetched, and every list is bounded.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import {
  type RawBinary,
  type RawEntry,
  type RawFile,
  type RawGroup,
  type RawString,
  type RawTimes,
  newEntry,
  newGroup,
} from './raw.ts';

/** Where the reader stands: what the open element fills, and what to do with its text. */
interface Open {
  readonly name: string;
  readonly target: Target | null;
  readonly onText: ((text: string) => void) | null;
  text: string[];
  length: number;
}

type Target =
  | { readonly kind: 'document' | 'file' | 'meta' | 'pool' | 'rootPlace' }
  | { readonly kind: 'group'; readonly group: RawGroup }
  | { readonly kind: 'entry'; readonly entry: RawEntry; readonly isHistory: boolean }
  | { readonly kind: 'history'; readonly entry: RawEntry }
  | { readonly kind: 'times'; readonly times: RawTimes }
  | { readonly kind: 'string'; readonly string: RawString }
  | { readonly kind: 'binary'; readonly binary: RawBinary };

/** What an element opens: a place of its own, or a text. */
type Meaning = { readonly into: Target } | { readonly text: (text: string) => void } | null;
type Attributes = Readonly<Record<string, string>>;

const isTrue = (text: string | undefined) => /^true$/i.test(text ?? '');

export interface XmlReader {
  write(text: string): void;
  /** @throws KeepassError when the file is cut off or no KeePass file */
  end(): RawFile;
}

export function createXmlReader(): XmlReader {
  const file: RawFile = { root: newGroup(), recycleBin: { isOn: true, uuid: '' }, pool: new Map() };
  const stack: Open[] = [{ name: '', target: { kind: 'document' }, onText: null, text: [], length: 0 }];
  const seen = { root: false, group: false, elements: 0, entries: 0, groups: 0 };
  /** Elements inside one that is passed over. */
  let skipping = 0;
  const parser = new SaxesParser({ xmlns: false, position: true });

  const meaningOf = (name: string, attributes: Attributes): Meaning => {
    const above = stack.at(-1)?.target ?? null;
    if (above === null) return null;
    switch (above.kind) {
      case 'document':
        if (name !== 'KeePassFile') throw KeepassError.notKeepass();
        return { into: { kind: 'file' } };
      case 'file':
        if (name === 'Meta') return { into: { kind: 'meta' } };
        if (name !== 'Root') return null;
        seen.root = true;
        return { into: { kind: 'rootPlace' } };
      case 'meta':
        if (name === 'RecycleBinUUID') return { text: (text) => (file.recycleBin.uuid = text.trim()) };
        if (name === 'RecycleBinEnabled') return { text: (text) => (file.recycleBin.isOn = isTrue(text.trim())) };
        return name === 'Binaries' ? { into: { kind: 'pool' } } : null;
      case 'pool': {
        if (name !== 'Binary') return null;
        const id = attributes['ID'] ?? '';
        const isCompressed = isTrue(attributes['Compressed']);
        return { text: (text) => void file.pool.set(id, { text, isCompressed }) };
      }
      case 'rootPlace':
        if (name !== 'Group' || seen.group) return null;
        seen.group = true;
        return { into: { kind: 'group', group: file.root } };
      case 'group':
        return inGroup(above.group, name);
      case 'entry':
        return inEntry(above.entry, above.isHistory, name);
      case 'history': {
        if (name !== 'Entry' || above.entry.history.length >= LIMITS.history) return null;
        const entry = newEntry();
        above.entry.history.push(entry);
        return { into: { kind: 'entry', entry, isHistory: true } };
      }
      case 'times':
        return inTimes(above.times, name);
      case 'string':
        if (name === 'Key') return { text: (text) => (above.string.key = text) };
        if (name !== 'Value') return null;
        above.string.isProtected = isTrue(attributes['ProtectInMemory']) || isTrue(attributes['Protected']);
        return { text: (text) => (above.string.value = text) };
      case 'binary':
        return inBinary(above.binary, name, attributes);
    }
  };

  const inGroup = (group: RawGroup, name: string): Meaning => {
    switch (name) {
      case 'UUID':
        return { text: (text) => (group.uuid = text.trim()) };
      case 'Name':
        return { text: (text) => (group.name = text) };
      case 'Notes':
        return { text: (text) => (group.notes = text) };
      case 'Times':
        return { into: { kind: 'times', times: group.times } };
      case 'Group': {
        if ((seen.groups += 1) > LIMITS.groups) throw KeepassError.unreadable('it has too many groups');
        const child = newGroup();
        group.groups.push(child);
        return { into: { kind: 'group', group: child } };
      }
      case 'Entry': {
        if ((seen.entries += 1) > LIMITS.entries) throw KeepassError.unreadable('it has too many entries');
        const entry = newEntry();
        group.entries.push(entry);
        return { into: { kind: 'entry', entry, isHistory: false } };
      }
      default:
        return null;
    }
  };

  const inEntry = (entry: RawEntry, isHistory: boolean, name: string): Meaning => {
    switch (name) {
      case 'Times':
        return { into: { kind: 'times', times: entry.times } };
      case 'Tags':
        return { text: (text) => (entry.tags = text) };
      case 'String': {
        const string: RawString = { key: '', value: '', isProtected: false };
        entry.strings.push(string);
        return { into: { kind: 'string', string } };
      }
      case 'Binary': {
        const binary: RawBinary = { name: '', ref: null, text: '', isCompressed: false };
        entry.binaries.push(binary);
        return { into: { kind: 'binary', binary } };
      }
      case 'History':
        return isHistory ? null : { into: { kind: 'history', entry } };
      default:
        return null;
    }
  };

  parser.on('error', (error) => {
    const isCut = /unclosed|unexpected end|document must contain a root/i.test(error.message);
    if (seen.elements === 0) throw KeepassError.notKeepass();
    throw KeepassError.unreadable(isCut ? 'it is cut off' : `line ${parser.line} is not well-formed XML`);
  });
  // Refused by the decoder already; a parser that saw one all the same must not go on.
  parser.on('doctype', () => {
    throw KeepassError.unreadable('it contains a document type or an entity');
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    if ((seen.elements += 1) > LIMITS.elements) throw KeepassError.unreadable('it has too many elements');
    if (stack.length + skipping > LIMITS.depth) throw KeepassError.unreadable('it is nested too deeply');
    const meaning = skipping > 0 ? null : meaningOf(tag.name, tag.attributes);
    if (meaning === null) {
      skipping += 1;
      return;
    }
    const target = 'into' in meaning ? meaning.into : null;
    stack.push({ name: tag.name, target, onText: 'text' in meaning ? meaning.text : null, text: [], length: 0 });
  });
  parser.on('text', (text) => {
    const open = stack.at(-1);
    if (skipping > 0 || open === undefined || open.onText === null) return;
    open.length += text.length;
    const isAttachment = open.name === 'Binary' || stack.at(-2)?.target?.kind === 'binary';
    if (open.length > (isAttachment ? LIMITS.attachment * 1.4 : LIMITS.text)) {
      throw KeepassError.unreadable(isAttachment ? 'an attachment is too large' : 'a text is too long');
    }
    open.text.push(text);
  });
  parser.on('closetag', () => {
    if (skipping > 0) {
      skipping -= 1;
      return;
    }
    const open = stack.pop();
    open?.onText?.(open.text.join(''));
  });

  return {
    write: (text) => void parser.write(text),
    end() {
      parser.close();
      if (!seen.root || !seen.group) throw KeepassError.notKeepass();
      return file;
    },
  };
}

function inTimes(times: RawTimes, name: string): Meaning {
  switch (name) {
    case 'CreationTime':
      return { text: (text) => (times.created = text.trim()) };
    case 'LastModificationTime':
      return { text: (text) => (times.modified = text.trim()) };
    case 'Expires':
      return { text: (text) => (times.expires = text.trim()) };
    case 'ExpiryTime':
      return { text: (text) => (times.expiry = text.trim()) };
    default:
      return null;
  }
}

function inBinary(binary: RawBinary, name: string, attributes: Attributes): Meaning {
  if (name === 'Key') return { text: (text) => (binary.name = text) };
  if (name !== 'Value') return null;
  binary.ref = attributes['Ref'] ?? null;
  binary.isCompressed = isTrue(attributes['Compressed']);
  return { text: (text) => (binary.text = text) };
}
