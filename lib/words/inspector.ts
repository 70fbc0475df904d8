import { labelsOf, refusalsOf, sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** Where a reply is read part by part: in the playground, and in a trial of the lab. */
export const inspectorSentence = sentencesOf({
  'inspector.pasted': 'Pasted reply',
  'inspector.characters': '{count, plural, one {# character} other {# characters}}',
  'inspector.clear': 'Clear',
  'inspector.reply': 'Reply',
  'inspector.paste-here': 'Paste a model’s reply here.',
  'inspector.too-long':
    'This reply is too long to be coloured in place. It is read whole; a click in the list selects the part here.',
  'inspector.colours-end': 'Colours and line numbers end after {lines, number} lines; the list beside it goes on.',
  'inspector.about':
    'Every character belongs to exactly one part. Nothing runs by being read, and nothing reaches a model.',
  'inspector.kept-before': 'The text before is kept.',
  'inspector.bring-back': 'bring back the text before',

  'inspector.reading': 'Reading',
  'inspector.how': 'How it is read',
  'inspector.reads': 'reading …',
  'inspector.copy': 'Copy as JSON',
  'inspector.copied': 'Copied',
  'inspector.not-copied': 'Not allowed',
  'inspector.share': 'Share by link',
  'inspector.nothing':
    'Paste a reply on the other side, or load an example. Each part that could be a call is listed here, with the reason why it is one or not.',
  'inspector.all-plain': 'All of it is plain text. {strategy} finds no call in it, and nothing that resembles one.',
  'inspector.hidden': '{count, number} more are counted and not listed. “Copy as JSON” has all of them.',
  'inspector.run-here': 'run it here by hand',
  'inspector.example': 'Load an example',
  'inspector.example-of': '{strategy} · {label}',
})

const notes = {
  'inspector.link-opened': 'This reply came with the link.',
  'inspector.link-unknown': 'The link asks for the call format {name}, which is not known here.',
  'inspector.link-copied': 'The link is copied. The reply is in the link itself, and is sent to no server.',
  'inspector.link-shown': 'The link is in the address bar, to be copied from there. The reply is in the link itself.',
  'inspector.link-too-long':
    'This reply is too long for a link: it takes {size, number} characters, and a link holds {most, number}. “Copy as JSON” has no such limit.',
  'inspector.link-damaged':
    'This link is damaged or was cut off, so nothing was loaded from it. What is here was not changed.',
  'inspector.link-unpacks': 'This link unpacks to more than 4 MB, so nothing was loaded from it.',
} as const satisfies Catalogue

/** What is said of a link to a reading, as data: it stays on the screen, whatever language it is read in then. */
export const linkNote = refusalsOf(notes)

/** What an example shows. Its text is one that a model would write, and stays as it is. */
export const exampleWords = labelsOf('inspector.shows', {
  tour: 'A bit of everything',
  plain: 'A plain call',
  mended: 'Damaged, and mended',
  'cut-off': 'Cut off in a value',
  quoted: 'An example in a code block',
  thought: 'Only in its thoughts',
  foreign: 'Another model’s format',
  bare: 'JSON without the form around it',
  function: 'A function in a sentence',
  unknown: 'A tool that does not exist',
  invented: 'An invented result',
} as const)
