/** Known elements of KeePass XML 2.x; others are ignored with their contents. */
import type { Bytes } from '../../crypto/bytes.ts';
import { KeepassError, KEEPASS_LIMITS as LIMITS } from './limits-and-errors.ts';
import {
  type RawUnsupported,
  type RawBinary,
  type RawEntry,
  type RawFile,
  type RawGroup,
  type RawString,
  type RawTimes,
  newBinary,
  newEntry,
  newGroup,
} from './raw.ts';

export type Attributes = Readonly<Record<string, string>>;

export type ElementReader = ContainerElement | TextElement;

export interface ContainerElement {
  child(name: string, attributes: Attributes): ElementReader | null;
}

export interface TextElement {
  readonly most: number;
  take(text: string): void;
  /** Of a protected value that is no text. */
  takeBytes?(bytes: Bytes): void;
}

/** Base64 has four characters for three bytes, and line breaks. */
export const PACKED_MOST = LIMITS.attachment * 1.4;

const isTrue = (text: string | undefined) => /^true$/i.test(text ?? '');
const text = (take: (text: string) => void): TextElement => ({ most: LIMITS.text, take });
const packed = (take: (content: string | Bytes) => void): TextElement => ({
  most: PACKED_MOST,
  take,
  takeBytes: take,
});

type Children<T> = Readonly<Record<string, (target: T, attributes: Attributes) => ElementReader>>;

const elementOf = <T>(children: Children<T>, target: T): ContainerElement => ({
  child: (name, attributes) => (Object.hasOwn(children, name) ? (children[name]?.(target, attributes) ?? null) : null),
});

const TIMES: Children<RawTimes> = {
  CreationTime: (times) => text((value) => (times.created = value.trim())),
  LastModificationTime: (times) => text((value) => (times.modified = value.trim())),
  Expires: (times) => text((value) => (times.expires = value.trim())),
  ExpiryTime: (times) => text((value) => (times.expiry = value.trim())),
};

const STRING: Children<RawString> = {
  Key: (string) => text((value) => (string.key = value)),
  Value(string, attributes) {
    string.isProtected = isTrue(attributes['ProtectInMemory']) || isTrue(attributes['Protected']);
    return text((value) => (string.value = value));
  },
};

const BINARY: Children<RawBinary> = {
  Key: (binary) => text((value) => (binary.name = value)),
  Value(binary, attributes) {
    binary.ref = attributes['Ref'] ?? null;
    binary.packed.isCompressed = isTrue(attributes['Compressed']);
    return packed((content) => (binary.packed.content = content));
  },
};

interface HasUnsupported {
  readonly unsupported: RawUnsupported[];
}

const addUnsupported = ({ unsupported }: HasUnsupported, kind: RawUnsupported['kind']): RawUnsupported => {
  const item: RawUnsupported = { kind, key: '', value: '' };
  unsupported.push(item);
  return item;
};
const unsupportedText = (target: HasUnsupported, kind: RawUnsupported['kind'], usual: readonly string[] = ['']) =>
  text((value) => {
    if (!usual.includes(value.trim())) addUnsupported(target, kind).value = value;
  });

const CUSTOM_ITEM: Children<RawUnsupported> = {
  Key: (item) => text((value) => (item.key = value)),
  Value: (item) => text((value) => (item.value = value)),
};
const ASSOCIATION: Children<RawUnsupported> = {
  Window: (item) => text((value) => (item.key = value)),
  KeystrokeSequence: (item) => text((value) => (item.value = value)),
};
const CUSTOM: Children<HasUnsupported> = { Item: (target) => elementOf(CUSTOM_ITEM, addUnsupported(target, 'custom')) };
const AUTO_TYPE: Children<HasUnsupported> = {
  DefaultSequence: (target) => unsupportedText(target, 'sequence'),
  Association: (target) => elementOf(ASSOCIATION, addUnsupported(target, 'association')),
};

/** Of entries; of groups, the root and the recycle bin. */
const USUAL_ICONS = { entry: ['', '0'], group: ['', '48', '49', '43'] } as const;

const VERSION: Children<RawEntry> = {
  Times: (entry) => elementOf(TIMES, entry.times),
  Tags: (entry) => text((value) => (entry.tags = value)),
  OverrideURL: (entry) => text((value) => (entry.overrideUrl = value)),
  AutoType: (entry) => elementOf(AUTO_TYPE, entry),
  CustomData: (entry) => elementOf(CUSTOM, entry),
  IconID: (entry) => unsupportedText(entry, 'icon', USUAL_ICONS.entry),
  ForegroundColor: (entry) => unsupportedText(entry, 'colour'),
  BackgroundColor: (entry) => unsupportedText(entry, 'colour'),
  String(entry) {
    const string: RawString = { key: '', value: '', isProtected: false };
    entry.strings.push(string);
    return elementOf(STRING, string);
  },
  Binary(entry) {
    const binary = newBinary();
    entry.binaries.push(binary);
    return elementOf(BINARY, binary);
  },
};

const HISTORY: Children<RawEntry> = {
  Entry(entry) {
    const version = newEntry();
    entry.history.push(version);
    return elementOf(VERSION, version);
  },
};

const ENTRY: Children<RawEntry> = {
  ...VERSION,
  UUID: (entry) => text((value) => (entry.uuid = value.trim())),
  History: (entry) => elementOf(HISTORY, entry),
};

export function documentElement(
  file: RawFile,
  limits: { readonly entries: number },
): { readonly element: ContainerElement; hasGroup(): boolean } {
  const seen = { group: false, groups: 0, entries: 0 };

  const countGroup = () => {
    if ((seen.groups += 1) > LIMITS.groups) throw KeepassError.unreadable('it has too many groups');
  };
  const group: Children<RawGroup> = {
    UUID: (target) => text((value) => (target.uuid = value.trim())),
    Name: (target) => text((value) => (target.name = value)),
    Notes: (target) => text((value) => (target.notes = value)),
    Tags: (target) => text((value) => (target.tags = value)),
    IconID: (target) => unsupportedText(target, 'icon', USUAL_ICONS.group),
    DefaultAutoTypeSequence: (target) => unsupportedText(target, 'sequence'),
    CustomData: (target) => elementOf(CUSTOM, target),
    Times: (target) => elementOf(TIMES, target.times),
    Group(target) {
      countGroup();
      const child = newGroup();
      target.groups.push(child);
      return elementOf(group, child);
    },
    Entry(target) {
      if ((seen.entries += 1) > limits.entries) throw KeepassError.unreadable('it has too many entries');
      const entry = newEntry();
      target.entries.push(entry);
      return elementOf(ENTRY, entry);
    },
  };
  const pool: Children<RawFile> = {
    Binary(_, attributes) {
      const isCompressed = isTrue(attributes['Compressed']);
      return packed((content) => file.pool.set(attributes['ID'] ?? '', { content, isCompressed }));
    },
  };
  const icons: Children<RawFile> = {
    Icon() {
      file.icons += 1;
      return elementOf({}, file);
    },
  };
  const meta: Children<RawFile> = {
    HeaderHash: () => text((value) => (file.headerHash = value.trim())),
    RecycleBinUUID: () => text((value) => (file.recycleBin = value.trim())),
    Binaries: () => elementOf(pool, file),
    CustomIcons: () => elementOf(icons, file),
    CustomData: () => elementOf(CUSTOM, file),
    DatabaseDescription: () => text((value) => (file.description = value)),
  };
  const root: Children<RawFile> = {
    Group(_, attributes) {
      // The first group is the root. Further ones become its children.
      if (seen.group) return group['Group']?.(file.root, attributes) ?? elementOf({}, file.root);
      seen.group = true;
      countGroup();
      return elementOf(group, file.root);
    },
  };
  const whole: Children<RawFile> = { Meta: () => elementOf(meta, file), Root: () => elementOf(root, file) };
  const element: ContainerElement = {
    child(name) {
      if (name !== 'KeePassFile') throw KeepassError.notKeepass();
      return elementOf(whole, file);
    },
  };
  return { element, hasGroup: () => seen.group };
}
