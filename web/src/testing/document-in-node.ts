/** A document for React in Node's own environment, whose files and blobs travel to a worker and to a server; those of a page in happy-dom do not. */
import { Window } from 'happy-dom';

const window = new Window();
Object.assign(globalThis, { window, document: window.document, navigator: window.navigator });
