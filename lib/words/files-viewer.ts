import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What stands around one open file: as a text, a table, a picture, bytes; and what is asked before it is saved or left. */
export const viewerSentence = quotingSentencesOf({
  /** How a sentence about what did not load begins. */
  'files-viewer.part-editor': 'The editor',
  'files-viewer.part-picture': 'The picture',
  'files-viewer.part-bytes': 'The view of bytes',
  'files-viewer.part-table': 'The table',
  'files-viewer.part-tree': 'The tree',
  'files-viewer.part-page': 'The page',

  'files-viewer.opening': 'Opening the file',
  'files-viewer.back': 'Back to files',
  'files-viewer.download': 'Download',
  'files-viewer.copy': 'Copy',
  'files-viewer.facts': '{size, bytes} · {kind}{in, select, utf8 {} other { · {encoding}}}',
  'files-viewer.saved-utf8': 'Saved as UTF-8: {encoding}, which this file was written in, can’t hold all of the text.',
  'files-viewer.unsaved': 'unsaved',
  'files-viewer.gone': 'This file is not there any more. This is how it was last.',
  'files-viewer.unpack-into': 'Its files can be unpacked into {folder}.',
  'files-viewer.unpack': 'Unpack …',

  'files-viewer.view-or-edit': 'View or edit',
  'files-viewer.view': 'View',
  'files-viewer.edit': 'Edit',
  'files-viewer.save': 'Save',
  'files-viewer.keys': 'Tab indents. Esc, then Tab leaves the editor. Ctrl/⌘ F searches.',
  'files-viewer.part-of':
    'This file is {size, bytes}. Its first {shown, bytes} are shown, and can’t be changed here; download it to see all.',

  'files-viewer.leave': 'Unsaved changes',
  'files-viewer.leave-ask': 'Save your changes to {name}?',
  'files-viewer.leave-unsaved': 'What you typed is not saved yet.',
  'files-viewer.leave-conflict': 'What you typed is not saved yet, and the file changed meanwhile.',
  'files-viewer.stay': 'Go on editing',
  'files-viewer.discard': 'Discard',

  'files-viewer.deleted':
    'This file is not there any more: it was deleted, moved or renamed. Its last text is still here.',
  'files-viewer.save-again': 'Save it again',
  'files-viewer.conflict':
    'This file changed while you were editing it. Your text is still here; saving it would replace the other one.',
  'files-viewer.conflict-show': 'Show what changed',
  'files-viewer.conflict-hide': 'Hide what changed',
  'files-viewer.keep-mine': 'Keep mine',
  'files-viewer.take-theirs': 'Take theirs',
  'files-viewer.too-different': 'The two are too different to be compared line by line.',
  'files-viewer.sides': '− theirs, as it is stored now · + yours',
  'files-viewer.conflict-label': 'Yours against theirs: {path}',

  'files-viewer.kind': 'Kind',
  'files-viewer.size': 'Size',
  'files-viewer.size-bytes': '{size, bytes} ({count, number} bytes)',
  'files-viewer.changed': 'Changed',
  'files-viewer.not-shown': 'This kind of file can’t be shown here. Download it to open it. Its bytes:',
  'files-viewer.bytes-of': 'Bytes of {path}',
  'files-viewer.bytes-from': 'Bytes {from, number} to {to, number}',
  'files-viewer.bytes-from-first': 'Bytes {from, number} to {to, number} of the first {most, number}',
  'files-viewer.previous': 'Previous',
  'files-viewer.next': 'Next',

  'files-viewer.pixels': '{width} × {height} pixels',
  'files-viewer.picture': 'Picture: {path}',
  'files-viewer.picture-damaged':
    'This picture can’t be shown: its data is damaged, or of a kind that this browser does not know.',
  'files-viewer.picture-size': 'Size of the picture',
  'files-viewer.fit': 'Fit',
  'files-viewer.full-size': '100 %',

  'files-viewer.markdown': 'Markdown: {path}',
  'files-viewer.page': 'Page: {path}',
  'files-viewer.json': 'JSON: {path}',
  'files-viewer.no-json':
    'This is not JSON: it can’t be read further than line {line, number}, column {column, number}.',
  'files-viewer.here': 'here',

  'files-viewer.table': 'Table: {path}',
  'files-viewer.table-size':
    '{cut, select, true {first } other {}}{rows, plural, one {# row} other {# rows}}, {columns, plural, one {# column} other {# columns}}{ragged, plural, =0 {} one {; # row has more or fewer cells} other {; # rows have more or fewer cells}}',
  'files-viewer.table-columns': '{size}; the first {most, number} columns are shown',
  'files-viewer.table-row': 'Row',
  'files-viewer.table-reading': 'Reading the table',
  'files-viewer.table-failed': 'The table reader could not be loaded. Check your connection, and open the file again.',
} as const satisfies Catalogue)
