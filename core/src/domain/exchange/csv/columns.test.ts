/** Tables of no known program (exchange by columns). */
import { describe, expect, test } from 'vitest';
import { fileArgon2 } from '../file-argon2.ts';
import { detectFormat } from '../formats.ts';
import type { ColumnChoice, Meaning } from './meanings.ts';

async function look(text: string) {
  const { format, needs, table } = await detectFormat(new Blob([text]));
  if (table === null) throw new Error('no table');
  return { id: format.id, needs, ...table };
}

async function read(text: string, columns: ColumnChoice) {
  const file = new Blob([text]);
  const { format } = await detectFormat(file);
  const tree = await (await format.load())(file, { columns }, { now: Date.UTC(2026, 10, 1), argon2: fileArgon2 });
  return {
    ...tree,
    entries: tree.entries.map(({ title, group, tags, created, modified, fields }) => ({
      title,
      group: tree.groups[group]?.name,
      tags,
      created,
      modified,
      fields: fields.map(({ revisions }) => revisions[0]?.content),
    })),
  };
}

test.each<readonly [string, string, readonly Meaning[]]>([
  [
    'English',
    'Site name,Group,Title,User ID,Password,Web address,Comments',
    ['text', 'group', 'title', 'login', 'password', 'text', 'notes'],
  ],
  [
    'German',
    'Bezeichnung;Ordner;Benutzername;Kennwort;Webseite;Bemerkung;Geändert am',
    ['title', 'group', 'login', 'password', 'url', 'notes', 'modified'],
  ],
  [
    'French',
    'Intitulé;Dossier;Identifiant;Mot de passe;Adresse;Remarques;Mots-clés',
    ['title', 'group', 'login', 'password', 'url', 'notes', 'tags'],
  ],
  [
    'Spanish',
    'Título,Carpeta,Usuario,Contraseña,Sitio web,Notas,Fecha de creación',
    ['title', 'group', 'login', 'password', 'url', 'notes', 'created'],
  ],
  [
    'Italian',
    "Titolo;Cartella;Nome utente;Parola d'ordine;Indirizzo;Commenti;PIN",
    ['title', 'group', 'login', 'password', 'url', 'notes', 'secret'],
  ],
  [
    'Portuguese',
    'Título;Pasta;Utilizador;Palavra-passe;Endereço;Observações;2FA',
    ['title', 'group', 'login', 'password', 'url', 'notes', 'totp'],
  ],
  [
    'Dutch',
    'Titel;Map;Gebruikersnaam;Wachtwoord;Webadres;Opmerkingen;Labels',
    ['title', 'group', 'login', 'password', 'url', 'notes', 'tags'],
  ],
  [
    'Polish',
    'Tytuł;Kategoria;Nazwa użytkownika;Hasło;Strona WWW;Uwagi;Klucz',
    ['title', 'group', 'login', 'password', 'url', 'notes', 'secret'],
  ],
])('guesses from a header in %s', async (_language, header, meanings) => {
  const row = header.replaceAll(/[^,;]+/g, 'x');
  const { id, needs, proposed } = await look(`${header}\n${row}\n`);
  expect([id, needs]).toEqual(['csv', 'columns']);
  expect(proposed).toEqual({ meanings, separator: null, hasNames: true });
});

test('guesses from cells, when the first row has an address', async () => {
  const { rows, proposed } = await look(
    [
      'https://a.example.org\tanna@example.org\tpw\totpauth://totp/a?secret=JBSWY3DPEHPK3PXP',
      'https://b.example.org\tbert@example.org\tpw\t',
    ].join('\n'),
  );
  expect(proposed).toEqual({ meanings: ['url', 'login', 'text', 'totp'], separator: null, hasNames: false });
  expect(rows).toHaveLength(2);
});

test('shows six rows; a second column of a kind becomes a text or a secret', async () => {
  const row = 'Work/Mail,a,b,c,d,e';
  const { rows, proposed } = await look(
    ['Path,Title,User,Email,Password,PW', ...Array<string>(9).fill(row)].join('\n'),
  );
  expect(rows).toHaveLength(6);
  expect(proposed).toEqual({
    meanings: ['group', 'title', 'login', 'text', 'password', 'secret'],
    separator: '/',
    hasNames: true,
  });
});

describe('reading', () => {
  const TABLE = 'Path;Name;Who;Secret word;Where;Remark;Code;Made;Changed;Words;Phone;Door;Junk\n';
  const MEANINGS: readonly Meaning[] = [
    'group',
    'title',
    'login',
    'password',
    'url',
    'notes',
    'totp',
    'created',
    'modified',
    'tags',
    'text',
    'secret',
    'none',
  ];
  const ROW =
    'Work>Mail;Mail;anna;pw;https://a.example.org;hello;JBSWY3DPEHPK3PXP;2024-01-02 03:04;1700000000;x,y;+43 1;4711;junk\n';

  test('all meanings', async () => {
    const { groups, entries } = await read(`${TABLE}${ROW}`, { meanings: MEANINGS, separator: '>', hasNames: true });
    expect(groups.map(({ name }) => name)).toEqual(['', 'Work', 'Mail']);
    expect(entries).toEqual([
      {
        title: 'Mail',
        group: 'Mail',
        tags: ['x', 'y'],
        created: Date.UTC(2024, 0, 2, 3, 4),
        modified: 1_700_000_000_000,
        fields: [
          { type: 'password', title: 'Password', login: 'anna', value: 'pw' },
          { type: 'link', title: 'URL', value: 'https://a.example.org' },
          { type: 'TOTP', title: 'One-time password', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha1', period: 30 },
          { type: 'note', title: 'Phone', value: '+43 1' },
          { type: 'password', title: 'Door', login: '', value: '4711' },
          { type: 'note', title: 'Notes', value: 'hello' },
        ],
      },
    ]);
  });

  test('without names, groups in one piece, times that are no times', async () => {
    const meanings = MEANINGS.map((meaning) => (meaning === 'title' ? 'none' : meaning));
    const row = ROW.replace('2024-01-02 03:04', 'in spring');
    const { groups, entries } = await read(`${TABLE}${row}`, { meanings, separator: null, hasNames: false });
    expect(groups.map(({ name }) => name)).toEqual(['', 'Path', 'Work>Mail']);
    expect(entries.map(({ title, created }) => [title, created])).toEqual([
      ['Where', null],
      ['a.example.org', null],
    ]);
    expect(entries[1]?.fields).toContainEqual({ type: 'note', title: 'Column 8', value: 'in spring' });
  });

  test('several columns of a kind', async () => {
    const { entries } = await read('a,b,c,d,e,f\n1,2,3,4,5,6\n', {
      meanings: ['title', 'title', 'login', 'login', 'url', 'url'],
      separator: null,
      hasNames: true,
    });
    expect(entries[0]?.fields).toEqual([
      { type: 'password', title: 'Password', login: '3', value: '' },
      { type: 'link', title: 'URL', value: '5' },
      { type: 'link', title: 'URL 2', value: '6' },
      { type: 'note', title: 'b', value: '2' },
      { type: 'note', title: 'd', value: '4' },
    ]);
  });

  test('something has to name the entries', async () => {
    await expect(
      read('name,b\n1,2\n', { meanings: ['notes', 'none'], separator: null, hasNames: true }),
    ).rejects.toThrow('Choose a column for the title, the address, the user name or the password.');
  });

  test('a choice for another number of columns', async () => {
    await expect(read('name,b\n1,2\n', { meanings: ['title'], separator: null, hasNames: true })).rejects.toThrow(
      'Line 1 does not fit the header.',
    );
  });

  test('a file of a known program can be read as any table', async () => {
    const file = new Blob(['name,url,username,password\na,b,c,d\n']);
    const { format, table } = await detectFormat(file);
    expect(format.id).toBe('chrome-csv');
    expect(table?.proposed.meanings).toEqual(['title', 'url', 'login', 'password']);
  });
});
