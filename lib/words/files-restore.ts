import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** Going back to a message: files, chat, or both. */
export const restoreSentence = quotingSentencesOf({
  'files-restore.to-message': 'Restore to a message',
  'files-restore.title': 'Restore to this message',
  'files-restore.message': 'Message',
  /** A place to go back to; `inList`: one of a list. `words`: the beginning of the message. */
  'files-restore.after-reply': '{inList, select, true {after} other {After}} the reply “{words}”',
  'files-restore.before-sent': '{inList, select, true {before} other {Before}} you sent {words}',
  'files-restore.before-wrote': '{inList, select, true {before} other {Before}} you wrote “{words}”',
  'files-restore.reply-without-words': 'a reply without words',
  'files-restore.list-older': 'List older messages',
  'files-restore.listing': 'Listing older messages…',

  'files-restore.files': 'Files',
  'files-restore.files-hint': '{files} The chat stays as it is, and the model is not told.',
  'files-restore.chat': 'Chat',
  'files-restore.chat-hint': '{chat} The files stay as they are.',
  'files-restore.both': 'Both',
  'files-restore.both-hint': '{files} {chat}',
  'files-restore.no-file': 'No file differs.',
  'files-restore.files-go': '{count, plural, one {# file goes back.} other {# files go back.}}',
  'files-restore.messages-go':
    '{count, plural, one {# message from there on is no longer shown, and kept.} other {# messages from there on are no longer shown, and kept.}}',

  'files-restore.way-files': 'The way back: Redo, in the list of changes.',
  'files-restore.way-chat':
    'The way back: “Go forward again” above the message field, or the arrows at the place where the branches part.{draft, select, true { The text of the message is put into the field.} other {}}',
  'files-restore.way-both':
    'The way back: “Go forward again” above the message field, or the arrows at the place where the branches part; the files come with it, and your own changes by Redo.{draft, select, true { The text of the message is put into the field.} other {}}',
  'files-restore.running': 'A call runs. Wait until it ended, or stop it.',
  'files-restore.do': 'Restore',
} as const satisfies Catalogue)
