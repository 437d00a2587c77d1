/** Tables of no known program: the person says what the columns mean. Guesses know the words of eight languages. */
import { foldText } from '../../search-text.ts';
import { ExchangeError } from '../exchange-error.ts';
import type { Column, Dialect } from './found.ts';
import { type ColumnChoice, type Meaning, PATH_SEPARATORS, type TableLook } from './meanings.ts';

const SHOWN_ROWS = 6;

export function lookAtTable(rows: readonly (readonly string[])[]): TableLook {
  const [first = [], ...others] = rows;
  const hasNames = first.every((cell) => !isAddress(cell));
  const sample = hasNames ? others : rows;
  const meanings: Meaning[] = [];
  for (const [at, name] of first.entries()) {
    const byName = hasNames ? meaningOfName(name) : null;
    const guess = byName ?? meaningOfCells(sample.map((cells) => cells[at] ?? '')) ?? 'text';
    meanings.push(ONCE.has(guess) && meanings.includes(guess) ? (guess === 'password' ? 'secret' : 'text') : guess);
  }
  const paths = sample.map((cells) => cells[meanings.indexOf('group')] ?? '');
  const separator = PATH_SEPARATORS.find((one) => paths.some((path) => path.includes(one))) ?? null;
  return { rows: rows.slice(0, SHOWN_ROWS), proposed: { meanings, separator, hasNames } };
}

const ONCE: ReadonlySet<Meaning> = new Set(['title', 'group', 'login', 'password', 'created', 'modified']);

const isAddress = (cell: string): boolean => /^\s*(?:[a-z][\w+.-]*:\/\/\S|www\.\S)/i.test(cell) || isMail(cell.trim());

/** Longest e-mail address. */
const MAIL = 254;
const isMail = (cell: string): boolean => cell.length <= MAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);

function meaningOfCells(cells: readonly string[]): Meaning | null {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length === 0) return null;
  const all = (pattern: RegExp) => filled.every((cell) => pattern.test(cell.trim()));
  if (all(/^otpauth:\/\//i)) return 'totp';
  if (all(/^(?:https?:\/\/|www\.)\S+$/i)) return 'url';
  return filled.every((cell) => isMail(cell.trim())) ? 'login' : null;
}

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish; without accents. */
const WORDS: Readonly<Partial<Record<Meaning, string>>> = {
  title:
    'title|name|entry|account|account name|item|item name|label|titel|bezeichnung|eintrag|konto|titre|nom|intitule|titulo|nombre|cuenta|titolo|voce|nome|conta|naam|tytul|nazwa',
  group:
    'group|groups|folder|category|path|vault|collection|grouping|gruppe|ordner|kategorie|pfad|tresor|groupe|dossier|categorie|chemin|grupo|carpeta|categoria|ruta|gruppo|cartella|percorso|pasta|caminho|groep|map|pad|grupa|folder nadrzedny|kategoria|sciezka',
  login:
    'user|user name|username|login|login name|user id|userid|e-mail|email|email address|mail|benutzer|benutzername|anmeldename|kennung|nutzername|utilisateur|nom d utilisateur|nom utilisateur|identifiant|courriel|usuario|nombre de usuario|correo|correo electronico|utente|nome utente|utilizador|nome de usuario|nome de utilizador|gebruiker|gebruikersnaam|uzytkownik|nazwa uzytkownika|login uzytkownika',
  password:
    'password|pass|passwd|pwd|pw|passphrase|login password|passwort|kennwort|mot de passe|contrasena|clave|senha|palavra passe|palavra chave|parola d ordine|wachtwoord|haslo',
  url: 'url|urls|uri|website|web site|site|web|address|link|host|hostname|server|login uri|login url|adresse|webseite|internetadresse|webadresse|site web|lien|sitio|sitio web|pagina web|direccion|enlace|sito|sito web|indirizzo|endereco|pagina|adres|webadres|adres url|strona|strona www|witryna',
  notes:
    'notes|note|comment|comments|description|remark|remarks|extra|memo|notiz|notizen|bemerkung|bemerkungen|kommentar|anmerkung|anmerkungen|beschreibung|remarque|remarques|commentaire|commentaires|nota|notas|comentario|comentarios|descripcion|commento|commenti|descrizione|observacoes|descricao|notitie|notities|opmerking|opmerkingen|omschrijving|notatka|notatki|uwagi|opis',
  totp: 'totp|otp|otpauth|otp auth|2fa|mfa|one time password|one time code|authenticator|otp secret|otp url|totp secret|login totp|einmalpasswort|einmalkennwort|einmalcode|code a usage unique|codigo de un solo uso',
  created:
    'created|created at|creation date|creation time|date created|create time|erstellt|erstellt am|angelegt|cree|cree le|date de creation|creado|fecha de creacion|creato|data di creazione|criado|data de criacao|aangemaakt|aangemaakt op|utworzono|data utworzenia',
  modified:
    'modified|modified at|last modified|changed|updated|updated at|modify time|date modified|geandert|geandert am|zuletzt geandert|modifie|modifie le|date de modification|modificado|fecha de modificacion|modificato|data di modifica|data de modificacao|gewijzigd|gewijzigd op|zmieniono|data modyfikacji',
  tags: 'tag|tags|labels|keywords|schlagwort|schlagworter|stichworte|etiquette|etiquettes|mots cles|etiqueta|etiquetas|etichetta|etichette|trefwoorden|etykieta|etykiety|tagi',
  secret:
    'pin|cvc|cvv|code|secret|key|license key|serial|security code|lizenzschlussel|schlussel|sicherheitscode|cle|cle de licence|llave|chiave|chave|sleutel|klucz|pin code|secret key|api key|token',
};

const MEANING_OF_WORD = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) => words.split('|').map((word) => [word, meaning as Meaning])),
);

const meaningOfName = (name: string): Meaning | null =>
  MEANING_OF_WORD.get(
    foldText(name)
      .replaceAll('ł', 'l')
      .replaceAll(/[^\p{L}\d]+/gu, ' ')
      .trim(),
  ) ??
  MEANING_OF_WORD.get(foldText(name).trim()) ??
  null;

/** @throws ExchangeError unless something names the entries */
export function columnsOf(
  { meanings, separator, hasNames }: ColumnChoice,
  first: readonly string[],
): { columns: Column[]; dialect: Dialect } {
  if (!['title', 'url', 'login', 'password'].some((meaning) => meanings.includes(meaning as Meaning)))
    throw new ExchangeError('unreadable', 'Choose a column for the title, the address, the user name or the password.');
  const columns = first.map((cell, at) => ({
    name: (hasNames ? cell.trim() : '') || `Column ${at + 1}`,
    part: meanings[at] ?? 'text',
  }));
  const pattern = separator === null ? null : new RegExp(separator === '\\' ? '\\\\' : separator);
  return { columns, dialect: { separator: pattern } };
}
