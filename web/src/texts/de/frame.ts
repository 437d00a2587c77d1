import type { Translation } from '@passwordbroker/core/texts';
import type { FRAME_TEXTS } from '../frame.ts';
import type { HELP_TEXTS } from '../help.ts';
import type { KEYBOARD_TEXTS } from '../keyboard.ts';
import type { MANUAL_TEXTS } from '../manual.ts';

export const FRAME: Translation<typeof FRAME_TEXTS> = {
  home: 'PasswordBroker, Startseite',
  search: 'Einträge suchen',
  doSearch: 'Suchen',
  searchKeys: 'Strg K',
  adminPanel: 'Verwaltung',
  offline: 'Offline-Datenbank',
  activityLog: 'Aktivitäten',
  notices: (unread) => (unread === 0 ? 'Mitteilungen' : `Mitteilungen, ${unread} ungelesen`),
  lightTheme: 'Helles Design',
  darkTheme: 'Dunkles Design',
  logout: 'Abmelden',
  groups: 'Gruppen',
  openGroups: 'Gruppen öffnen',
  closeGroups: 'Gruppen schließen',
  menu: 'Menü der Verwaltung',
  openMenu: 'Menü der Verwaltung öffnen',
  closeMenu: 'Menü der Verwaltung schließen',
  more: 'Konto und mehr',
  skip: 'Direkt zu den Einträgen',
  skipMenu: 'Direkt zur Seite',
  footer: 'PasswordBroker',
  newBuild: 'Eine neue Version ist da.',
  newBuildHint: 'Laden Sie die Seite neu, um sie zu nutzen. Der Tresor wird dabei gesperrt.',
  reloadNow: 'Neu laden',
  notFound: 'Unter dieser Adresse gibt es keine Seite',
  notFoundHint: 'Prüfen Sie die Adresse oder wählen Sie eine Gruppe.',
};

export const KEYBOARD: Translation<typeof KEYBOARD_TEXTS> = {
  title: 'Tastenkürzel',
  subtitle: 'Einzelne Buchstaben wirken, solange der Fokus in der jeweiligen Liste ist.',
  or: 'oder',
  sections: [
    {
      title: 'Überall',
      keys: [
        { keys: [['Strg', 'K'], ['Cmd', 'K'], ['/']], text: 'Zum Suchfeld' },
        { keys: [['Esc']], text: 'Obersten Dialog oder oberstes Menü schließen' },
        { keys: [['?']], text: 'Hilfe' },
      ],
    },
    {
      title: 'Suchfeld',
      keys: [
        { keys: [['Enter']], text: 'Alle Einträge durchsuchen' },
        { keys: [['↓']], text: 'Zu den Vorschlägen' },
        { keys: [['Strg', 'C']], text: 'Passwort des gewählten oder ersten Eintrags kopieren' },
        { keys: [['Strg', 'B']], text: 'Seinen Anmeldenamen kopieren' },
        { keys: [['Strg', 'O']], text: 'Seinen Link in einem neuen Tab öffnen' },
        { keys: [['Alt', 'T']], text: 'Seinen Einmalcode kopieren' },
        { keys: [['Esc']], text: 'Vorschläge schließen, dann das Feld verlassen' },
      ],
    },
    {
      title: 'Gruppen',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Bewegen' },
        { keys: [['→']], text: 'Aufklappen oder hineingehen' },
        { keys: [['←']], text: 'Zuklappen oder zur übergeordneten Gruppe' },
        { keys: [['Pos1'], ['Ende']], text: 'Erste oder letzte Gruppe' },
        { keys: [['A … Z']], text: 'Zur nächsten Gruppe mit diesem Anfangsbuchstaben' },
        { keys: [['Enter']], text: 'Gruppe öffnen' },
        { keys: [['M']], text: 'Gruppe verschieben, im Verschiebemodus' },
        { keys: [['Esc']], text: 'Verschiebemodus beenden' },
      ],
    },
    {
      title: 'Einträge',
      keys: [
        { keys: [['↑'], ['↓']], text: 'Zwischen Titeln bewegen' },
        { keys: [['Enter']], text: 'Auf- oder zuklappen' },
        { keys: [['C']], text: 'Passwort kopieren' },
        { keys: [['B']], text: 'Anmeldenamen kopieren' },
        { keys: [['F']], text: 'Zu den Favoriten hinzufügen oder entfernen' },
        { keys: [['Leertaste']], text: 'Auswählen' },
        {
          keys: [
            ['Umschalt', '↑'],
            ['Umschalt', '↓'],
          ],
          text: 'Auswahl erweitern',
        },
        {
          keys: [
            ['Strg', 'A'],
            ['Cmd', 'A'],
          ],
          text: 'Alle auswählen',
        },
        { keys: [['N']], text: 'Neuer Eintrag' },
      ],
    },
    {
      title: 'Feld',
      keys: [
        { keys: [['S']], text: 'Wert anzeigen oder verbergen, Datei speichern' },
        { keys: [['C']], text: 'Wert kopieren' },
        { keys: [['L']], text: 'Anmeldenamen kopieren' },
        { keys: [['O']], text: 'Link öffnen' },
        { keys: [['H']], text: 'Verlauf' },
        { keys: [['E']], text: 'Bearbeiten' },
        { keys: [['Entf']], text: 'Löschen' },
      ],
    },
    {
      title: 'Reiter, Arten und Dialoge',
      keys: [
        { keys: [['←'], ['→']], text: 'Zwischen Reitern oder Arten bewegen' },
        { keys: [['Enter'], ['Leertaste']], text: 'Reiter öffnen' },
        { keys: [['Enter']], text: 'Dialog bestätigen' },
        { keys: [['Esc']], text: 'Dialog abbrechen' },
      ],
    },
  ],
};

export const HELP: Translation<typeof HELP_TEXTS> = {
  title: 'Hilfe',
  action: 'Hilfe und Tastenkürzel',
  search: 'Hilfe durchsuchen',
  searchHint: 'Zum Beispiel: teilen, sperren, rückgängig',
  contents: 'Anleitung und Tastenkürzel',
  found: (count) => (count === 1 ? '1 Ergebnis' : `${count} Ergebnisse`),
  nothing: 'Nichts passt.',
  nothingHint: 'Versuchen Sie ein kürzeres Wort.',
  clear: 'Suche löschen',
};

export const MANUAL: Translation<typeof MANUAL_TEXTS> = [
  {
    title: 'Ein Passwort finden und kopieren',
    lines: [
      'Drücken Sie Strg+K und geben Sie einen Teil des Titels, des Anmeldenamens oder der Gruppe ein.',
      'Strg+C kopiert das Passwort des ersten Ergebnisses, Strg+B seinen Anmeldenamen. Alt+T kopiert seinen Einmalcode.',
      'Die Startseite zeigt Ihre Favoriten und was Sie zuletzt verwendet haben. F auf einem Eintrag macht ihn zum Favoriten.',
      'Drücken Sie in einer Liste auf einen verborgenen Wert, um ihn zu kopieren, oder auf das Auge, um ihn zu sehen.',
      'Ein kopiertes Geheimnis wird wieder aus der Zwischenablage entfernt. Die Fußzeile zählt herunter. Programme, die einen Verlauf der Zwischenablage führen, können es noch haben.',
    ],
  },
  {
    title: 'Einen neuen Zugang speichern',
    lines: [
      'Öffnen Sie eine Gruppe und drücken Sie N oder die Schaltfläche „Neuer Eintrag“.',
      'Nur der Titel wird gebraucht. Anmeldename, Passwort, Link, Einmalcode, Notiz und Datei stehen im selben Formular.',
      'Die Schaltfläche neben dem Passwort erzeugt ein zufälliges.',
      'Dazu müssen Sie Moderator oder Admin der Gruppe sein.',
    ],
  },
  {
    title: 'Ihre zwei Passwörter',
    lines: [
      'Mit dem Kontopasswort melden Sie sich an.',
      'Das Masterpasswort öffnet Ihre Geheimnisse. Es verlässt diesen Browser nie.',
      'Niemand kann das Masterpasswort wiederherstellen. Vergessen Sie es, kann ein Site-Admin Ihre Schlüssel zurücksetzen. Was nur Sie öffnen konnten, ist dann verloren.',
      'Das Masterpasswort ändern Sie im Menü mit dem Schloss, das Kontopasswort auf der Seite Ihres Kontos.',
    ],
  },
  {
    title: 'Den Tresor sperren',
    lines: [
      'Der Tresor sperrt sich von selbst, wenn Sie weg sind. Die Zeit wählen Sie auf der Seite Ihres Kontos; die Site setzt die Obergrenze.',
      'Um sofort zu sperren, öffnen Sie das Menü mit dem Schloss und wählen „Jetzt sperren“.',
      'Was Sie gerade in einen neuen Eintrag oder ein Feld eingaben, ist im selben Tab nach dem Entsperren wieder da.',
    ],
  },
  {
    title: 'Gruppen und Rollen',
    lines: [
      'Einträge gehören zu Gruppen, und Gruppen können Gruppen enthalten. Jede Gruppe hat eigene Mitglieder.',
      'Mitglieder lesen und kopieren. Moderatoren fügen auch hinzu, ändern, verschieben und löschen. Admins benennen außerdem die Gruppe um und entscheiden, wer darin ist.',
      'Die Farbe einer Gruppe ist Ihre Rolle: Gelb ist Admin, Blau ist Moderator, Grün ist Mitglied. Eine blasse Gruppe können Sie nicht öffnen.',
      'Eine Gruppe zu verschieben ändert für niemanden den Zugang. Jeder Dialog sagt, wer Zugang erhält oder verliert.',
    ],
  },
  {
    title: 'Eine Gruppe teilen',
    lines: [
      'Öffnen Sie die Gruppe, wählen Sie den Reiter „Benutzer“ und suchen Sie die Person. Dazu müssen Sie Admin der Gruppe sein.',
      'Vergleichen Sie acht Wörter mit einer Person, mit der Sie zum ersten Mal teilen, am Telefon oder im selben Raum. Gleiche Wörter heißen: Es ist der richtige Schlüssel. Wo die Site es erlaubt, können Sie zuerst teilen und später vergleichen.',
      'Eine Person ohne Konto braucht zuerst die Einladung eines Site-Admins.',
      'Das Auge im Kopf einer Gruppe und „Wer dies sehen kann“ im Menü eines Eintrags zeigen, wer darin lesen kann.',
    ],
  },
  {
    title: 'Wenn eine Person ausscheidet',
    lines: [
      'Entfernen Sie die Person aus der Gruppe. Die Gruppe erhält dann einen neuen Schlüssel.',
      'Die Person erinnert sich vielleicht an Geöffnetes. Die Seite „Ausgeschiedene“ zeigt diese Geheimnisse: Ändern Sie sie.',
    ],
  },
  {
    title: 'Wer was gesehen oder geändert hat',
    lines: [
      'Der Reiter „Verlauf“ einer Gruppe zeigt, wer ihre Felder angezeigt, kopiert oder geändert hat.',
      'Die Uhr neben einem Feld zeigt den Verlauf dieses Feldes mit seinen älteren Werten.',
    ],
  },
  {
    title: 'Rückgängig machen und Gelöschtes wiederherstellen',
    lines: [
      'Drücken Sie nach dem Löschen oder Verschieben im Hinweis auf „Rückgängig“.',
      'Später öffnen Sie die Seite „Papierkorb“. Sie enthält alles Gelöschte und unter „Ihre Änderungen“ Ihre Verschiebungen, Umbenennungen und Importe.',
    ],
  },
  {
    title: 'Aus einem anderen Programm importieren',
    lines: [
      'Exportieren Sie dort eine Datei und drücken Sie dann „Daten importieren“ über den Gruppen. Sie sehen, was sie enthält, bevor etwas angelegt wird.',
      'Die Datei wird in diesem Browser gelesen und verschlüsselt. Der Bericht nennt, was sich geändert hat oder ausgelassen wurde.',
      'Löschen Sie danach die exportierte Datei, wenn sie nicht verschlüsselt ist: Sie enthält Ihre Geheimnisse im Klartext.',
    ],
  },
  {
    title: 'Ohne den Server arbeiten',
    lines: [
      'Öffnen Sie „Offline-Datenbank“ in der Kopfzeile und schalten Sie den Offline-Modus ein. Dieser Browser bewahrt dann eine verschlüsselte Kopie von allem auf, was Sie lesen dürfen.',
      'Ist der Server nicht erreichbar, bietet die Anmeldeseite diese Kopie an. Änderungen sind ausgesetzt, bis der Server zurück ist.',
    ],
  },
];
