import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What a run did to files, as its card and the playground list it. */
export const cardFilesSentence = sentencesOf({
  'card-files.list': 'Changed files',
  'card-files.more': 'and {count, number} more',
  'card-files.change.created': 'created',
  'card-files.change.changed': 'changed',
  'card-files.change.deleted': 'deleted',
  'card-files.loading': 'Loading the file …',
  'card-files.no-text': 'It is no text, or too large to be compared here.',
  'card-files.diff': 'Change to {path}',
  'card-files.paths': '{count, plural, one {# path} other {# paths}}',
  'card-files.count':
    '{files, plural, =0 {} one {# file} other {# files}}{both, select, true { and } other {}}{folders, plural, =0 {} one {# folder} other {# folders}}',
  'card-files.kept': 'It changed {what}.',
  'card-files.not-kept': 'What it changed ({what}) was not kept: the files are as they were before.',
} as const satisfies Catalogue)
