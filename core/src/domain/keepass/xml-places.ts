/** What each known element of a KeePass XML 2.x file means in each place. Unknown ones are passed over with everything in them. */
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import {
  type RawAside,
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

/** The children that an element may have, or what becomes of its text. */
export type Meaning = Place | TextPlace;

export interface Place {
  /** Null: the child is passed over. */
  child(name: string, attributes: Attributes): Meaning | null;
}

export interface TextPlace {
  readonly most: number;
  take(text: string): void;
}

/** Base64 takes four characters for three bytes, and perhaps line breaks. */
const PACKED_MOST = LIMITS.attachment * 1.4;

const isTrue = (text: string | undefined) => /^true$/i.test(text ?? '');
const text = (take: (text: string) => void): TextPlace => ({ most: LIMITS.text, take });
const packed = (take: (text: string) => void): TextPlace => ({ most: PACKED_MOST, take });

type Children<T> = Readonly<Record<string, (target: T, attributes: Attributes) => Meaning>>;

/** A place by a table of its children. */
const placeOf = <T>(children: Children<T>, target: T): Place => ({
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
    return packed((value) => (binary.packed.text = value));
  },
};

/** What is only counted, in whatever has such things. */
interface Asides {
  readonly asides: RawAside[];
}

const asideOf = ({ asides }: Asides, kind: RawAside['kind']): RawAside => {
  const aside: RawAside = { kind, key: '', value: '' };
  asides.push(aside);
  return aside;
};
const asideText = (target: Asides, kind: RawAside['kind'], usual: readonly string[] = ['']) =>
  text((value) => {
    if (!usual.includes(value.trim())) asideOf(target, kind).value = value;
  });

const CUSTOM_ITEM: Children<RawAside> = {
  Key: (aside) => text((value) => (aside.key = value)),
  Value: (aside) => text((value) => (aside.value = value)),
};
const ASSOCIATION: Children<RawAside> = {
  Window: (aside) => text((value) => (aside.key = value)),
  KeystrokeSequence: (aside) => text((value) => (aside.value = value)),
};
const CUSTOM: Children<Asides> = { Item: (target) => placeOf(CUSTOM_ITEM, asideOf(target, 'custom')) };
const AUTO_TYPE: Children<Asides> = {
  DefaultSequence: (target) => asideText(target, 'sequence'),
  Association: (target) => placeOf(ASSOCIATION, asideOf(target, 'association')),
};

/** Icons that KeePass and KeePassXC give by themselves: of entries; of groups, the root, and the recycle bin. */
const USUAL_ICONS = { entry: ['', '0'], group: ['', '48', '49', '43'] } as const;

/** What an entry and each of its former versions have alike. */
const VERSION: Children<RawEntry> = {
  Times: (entry) => placeOf(TIMES, entry.times),
  Tags: (entry) => text((value) => (entry.tags = value)),
  OverrideURL: (entry) => text((value) => (entry.overrideUrl = value)),
  AutoType: (entry) => placeOf(AUTO_TYPE, entry),
  CustomData: (entry) => placeOf(CUSTOM, entry),
  IconID: (entry) => asideText(entry, 'icon', USUAL_ICONS.entry),
  ForegroundColor: (entry) => asideText(entry, 'colour'),
  BackgroundColor: (entry) => asideText(entry, 'colour'),
  String(entry) {
    const string: RawString = { key: '', value: '', isProtected: false };
    entry.strings.push(string);
    return placeOf(STRING, string);
  },
  Binary(entry) {
    const binary = newBinary();
    entry.binaries.push(binary);
    return placeOf(BINARY, binary);
  },
};

const HISTORY: Children<RawEntry> = {
  Entry(entry) {
    const version = newEntry();
    entry.history.push(version);
    return placeOf(VERSION, version);
  },
};

const ENTRY: Children<RawEntry> = { ...VERSION, History: (entry) => placeOf(HISTORY, entry) };

/** Where reading starts: outside of the only element that may stand there. */
export function documentPlace(file: RawFile): { readonly place: Place; hasGroup(): boolean } {
  const seen = { group: false, groups: 0, entries: 0 };

  const countGroup = () => {
    if ((seen.groups += 1) > LIMITS.groups) throw KeepassError.unreadable('it has too many groups');
  };
  const group: Children<RawGroup> = {
    UUID: (target) => text((value) => (target.uuid = value.trim())),
    Name: (target) => text((value) => (target.name = value)),
    Notes: (target) => text((value) => (target.notes = value)),
    Tags: (target) => text((value) => (target.tags = value)),
    IconID: (target) => asideText(target, 'icon', USUAL_ICONS.group),
    DefaultAutoTypeSequence: (target) => asideText(target, 'sequence'),
    CustomData: (target) => placeOf(CUSTOM, target),
    Times: (target) => placeOf(TIMES, target.times),
    Group(target) {
      countGroup();
      const child = newGroup();
      target.groups.push(child);
      return placeOf(group, child);
    },
    Entry(target) {
      if ((seen.entries += 1) > LIMITS.entries) throw KeepassError.unreadable('it has too many entries');
      const entry = newEntry();
      target.entries.push(entry);
      return placeOf(ENTRY, entry);
    },
  };
  const pool: Children<RawFile> = {
    Binary(_, attributes) {
      const isCompressed = isTrue(attributes['Compressed']);
      return packed((value) => file.pool.set(attributes['ID'] ?? '', { text: value, isCompressed }));
    },
  };
  const icons: Children<RawFile> = {
    Icon() {
      file.icons += 1;
      return placeOf({}, file);
    },
  };
  const meta: Children<RawFile> = {
    RecycleBinUUID: () => text((value) => (file.recycleBin = value.trim())),
    Binaries: () => placeOf(pool, file),
    CustomIcons: () => placeOf(icons, file),
    CustomData: () => placeOf(CUSTOM, file),
    DatabaseDescription: () => text((value) => (file.description = value)),
  };
  const root: Children<RawFile> = {
    Group(_, attributes) {
      // One group is the root. Were there more, they would be groups in it.
      if (seen.group) return group['Group']?.(file.root, attributes) ?? placeOf({}, file.root);
      seen.group = true;
      countGroup();
      return placeOf(group, file.root);
    },
  };
  const whole: Children<RawFile> = { Meta: () => placeOf(meta, file), Root: () => placeOf(root, file) };
  const place: Place = {
    child(name) {
      if (name !== 'KeePassFile') throw KeepassError.notKeepass();
      return placeOf(whole, file);
    },
  };
  return { place, hasGroup: () => seen.group };
}
