import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** The list of what changed in the files, and one change in it. */
export const changesSentence = quotingSentencesOf({
  'files-changes.title': 'Changes',
  'files-changes.newest-first': 'newest first',
  'files-changes.not-listed': 'The changes can’t be listed. {why}',
  'files-changes.loading': 'Loading the changes …',
  'files-changes.none-left': 'Nothing that could be taken back.',
  'files-changes.none': 'Nothing was changed yet. What calls and you change is listed here, each with an Undo.',
  'files-changes.earlier': 'show earlier changes, {count, number} more',
  'files-changes.let-go': 'Older changes were let go to save room; they can’t be taken back.',
  'files-changes.elsewhere': 'On other branches ({count, number})',
  'files-changes.elsewhere-about': 'These come back by themselves when you go back to their branch of the chat.',
  'files-changes.elsewhere-label': 'Changes on other branches',

  'files-changes.one': 'Change: {title}',
  'files-changes.undone': 'undone by you',
  'files-changes.partly': 'partly undone',
  'files-changes.undo': 'Undo',
  'files-changes.redo': 'Redo',
  'files-changes.undo-later': 'Undo the later changes to it too',
  'files-changes.go-there': 'Go there',
  'files-changes.nothing-changed': 'Nothing was changed. {why}',
  'files-changes.browser-failed': 'This browser could not change the files.',

  /** Of a path in a list. */
  'files-changes.fate.created': 'new',
  'files-changes.fate.changed': 'changed',
  'files-changes.fate.deleted': 'deleted',
  'files-changes.and-more': 'and {count, number} more',
  'files-changes.open-file': 'open the file',
  'files-changes.of-file': 'Change to {path}',
  'files-changes.more-places': '{count, plural, one {# more place} other {# more places}}',
  'files-changes.more-lines': '{count, plural, one {# more line} other {# more lines}}',
  'files-changes.show-less': 'show less',
  'files-changes.show-whole': 'show the whole change',
  'files-changes.contents-gone': 'Its contents were let go to save room.',
  'files-changes.too-different': 'The two versions are too different to be compared.',
  'files-changes.no-text': 'No text to compare: {size, bytes}.',

  'files-changes.call-loading': 'Loading the change …',
  'files-changes.call-unknown':
    'This browser does not know what it changed: the call ran elsewhere, or the change was let go.',

  /** A title: what many changes have in common. */
  'files-changes.files-in': '{count, plural, one {# file} other {# files}} in {folder}',
  'files-changes.folders-in': '{count, plural, one {# folder} other {# folders}} in {folder}',
  'files-changes.you': 'you',
  /** `action`: as the history of the files keeps it. */
  'files-changes.you-did': 'you {action}',
  'files-changes.you-copied': 'you kept files from another branch',
  'files-changes.moved-to': 'moved to {path}',
  'files-changes.new': 'new',
  'files-changes.new-folder': 'new folder',
  'files-changes.changed': 'changed',
  'files-changes.deleted': 'deleted',
  'files-changes.deleted-files': 'deleted, {files, plural, one {# file} other {# files}}',
  /** `lines`: as `files-changes.lines` says them. */
  'files-changes.new-lines': 'new, {lines}',
  'files-changes.deleted-lines': 'deleted, {lines}',
  /** `sides`: “+3 −2”. */
  'files-changes.lines': '{sides} {count, plural, one {line} other {lines}}',
  'files-changes.no-lines': 'no lines',
  'files-changes.mixed-new': '{count} new',
  'files-changes.mixed-changed': '{count} changed',
  'files-changes.mixed-deleted': '{count} deleted',
  'files-changes.mixed': '{parts, list}',
} as const satisfies Catalogue)
