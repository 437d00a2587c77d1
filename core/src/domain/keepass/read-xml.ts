/** Reads a KeePass XML 2.x file as a stream into raw groups and entries. Nothing is ever fetched, and everything is bounded. */
import { SaxesParser } from 'saxes';
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import { type RawFile, newFile } from './raw.ts';
import { type Meaning, documentPlace } from './xml-places.ts';

export interface XmlReader {
  /** @throws KeepassError */
  write(text: string): void;
  /** @throws KeepassError when the file is cut off or no KeePass file */
  end(): RawFile;
}

/** An open element: what it means, and its text so far. */
interface Open {
  readonly meaning: Meaning;
  text: string;
}

export function createXmlReader(): XmlReader {
  const file = newFile();
  const document = documentPlace(file);
  const stack: Open[] = [{ meaning: document.place, text: '' }];
  const seen = { elements: 0, attributes: 0 };
  /** Open elements from the first that is passed over. */
  let skipping = 0;
  const parser = new SaxesParser({ xmlns: false, position: true });
  // No more than six listeners: with the seventh the engine stores the parser as a dictionary, and reading takes three times as long.

  // Refused by the decoder already; a parser that saw one all the same must not go on.
  parser.on('doctype', () => {
    throw KeepassError.unreadable('it contains a document type or an entity');
  });
  parser.on('attribute', () => {
    if ((seen.attributes += 1) > LIMITS.attributes) throw KeepassError.unreadable('an element has too many attributes');
  });
  parser.on('opentag', ({ name, attributes }) => {
    seen.attributes = 0;
    if ((seen.elements += 1) > LIMITS.elements) throw KeepassError.unreadable('it has too many elements');
    if (stack.length + skipping > LIMITS.depth) throw KeepassError.unreadable('it is nested too deeply');
    const above = stack.at(-1)?.meaning;
    const meaning =
      skipping > 0 || above === undefined || 'take' in above
        ? null
        : above.child(name, attributes as Record<string, string>);
    if (meaning === null) skipping += 1;
    else stack.push({ meaning, text: '' });
  });
  const addText = (text: string) => {
    const open = stack.at(-1);
    if (skipping > 0 || open === undefined || !('take' in open.meaning)) return;
    open.text += text;
    if (open.text.length > open.meaning.most) throw KeepassError.unreadable('a text is too long');
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (skipping > 0) {
      skipping -= 1;
      return;
    }
    const open = stack.pop();
    if (open !== undefined && 'take' in open.meaning) open.meaning.take(open.text);
  });

  /** Whatever the parser finds wrong ends the reading. */
  const parsing = (step: () => void) => {
    try {
      step();
    } catch (error) {
      if (error instanceof KeepassError) throw error;
      if (seen.elements === 0) throw KeepassError.notKeepass();
      const isCut = error instanceof Error && /unclosed|unexpected end/i.test(error.message);
      throw KeepassError.unreadable(isCut ? 'it is cut off' : `line ${parser.line} is not well-formed XML`);
    }
  };

  return {
    write: (text) => parsing(() => parser.write(text)),
    end() {
      parsing(() => parser.close());
      if (!document.hasGroup()) throw KeepassError.notKeepass();
      return file;
    },
  };
}
