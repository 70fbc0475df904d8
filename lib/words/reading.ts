import { sentencesOf } from '@/lib/base/catalogue'

/** What stands around the words of a reply: its formulas, diagrams, tables, blocks of code and footnotes. */
export const readingSentence = sentencesOf({
  'reading.too-much': 'Shown as it was written: formatted, it would be too much to draw.',
  'reading.image': 'image: {name}',
  'reading.more-rows': 'show {more, number} more of {total, number} rows',
  'reading.more-items': 'show {more, number} more of {total, number} items',
  'reading.more-paragraphs': 'show {more, number} more of {total, number} paragraphs',

  'reading.formula': 'Formula',
  'reading.formula.too-much': 'Shown as it was written: drawing this formula would be too much for a page.',
  /** `why`: as the reader of LaTeX says it. */
  'reading.formula.unreadable': 'Shown as it was written: {why}',

  'reading.task.done': 'Done',
  'reading.task.open': 'Not done',

  'reading.table':
    'Table, {rows, plural, one {# row} other {# rows}}, {columns, plural, one {# column} other {# columns}}',

  'reading.footnotes': 'Footnotes',
  'reading.footnote': 'Footnote {number, number}',
  'reading.footnote.back': 'Back to footnote {number, number} in the text',
  /** `use`: from 2. */
  'reading.footnote.back-again': 'Back to footnote {number, number} in the text, use {use, number}',

  'reading.code': 'Code',
  'reading.code.of': 'Code, {language}',
  'reading.code.text': 'text',
  'reading.code.wrap': 'wrap',
  'reading.code.wrap-lines': 'Wrap long lines',
  'reading.code.download': 'download',
  'reading.code.download-as': 'Download as {name}',
  'reading.code.save': 'save',
  'reading.code.save-as': 'Save to the workspace',
  'reading.code.run': 'run',
  'reading.code.run-page': 'Run this page',
  'reading.code.all-lines': 'show all {lines, number} lines',
  'reading.code.all-characters': 'show all {chars, number} characters',
  'reading.code.more-lines': 'show more of {lines, number} lines',
  'reading.code.more-characters': 'show more of {chars, number} characters',
  /** Behind the sentence before, while the block still grows. */
  'reading.code.so-far': '{more} so far',
  'reading.code.fewer': 'show fewer lines',

  'reading.save.path': 'Where in the workspace',
  'reading.save.do': 'Save',
  'reading.save.cancel': 'Cancel',
  'reading.save.replaces':
    '{path} is there already. Press Save once more to replace what it holds; the list of changes takes that back.',
  'reading.save.done': 'Saved as {path}.',
  'reading.save.open': 'open in workspace',
  'reading.save.failed': 'It was not saved. {why}',
  'reading.save.no-path': 'Say where: a file’s name, or a path such as notes/plan.md.',

  'reading.diagram.waits': 'Drawing the diagram…',
  'reading.diagram.named': 'Diagram, {kind}',
  'reading.diagram.titled': 'Diagram, {kind}: {title}',
  'reading.diagram.source': 'source',
  'reading.diagram.failed': 'This diagram can’t be drawn: {why}',
  'reading.diagram.unreadable': 'This diagram can’t be drawn. Its source stands below.',
  'reading.diagram.late':
    'Drawing this diagram took longer than {seconds, plural, one {# second} other {# seconds}} and was stopped. Its source stands below.',
  'reading.diagram.not-loaded': 'What draws diagrams could not be loaded. The source stands below.',
  'reading.diagram.large': 'This diagram is too large to show as a picture. Its source stands below.',
  'reading.diagram.too-long': 'This diagram is not drawn: its source has {chars, number} characters. It stands below.',
  'reading.diagram.again': 'Try again',
  'reading.diagram.svg': 'Download SVG',
  'reading.diagram.png': 'Download PNG',
  'reading.diagram.no-png': 'This browser draws this kind as SVG only.',

  /** How long it took, where that is known. */
  'reading.thought': 'Thought for {seconds, number} s',
  'reading.thought.minutes': 'Thought for {minutes, number} min {seconds, number} s',
  'reading.thought.moment': 'Thought for less than a second, {words, plural, one {# word} other {# words}}',
  'reading.thought.words': 'Thought, {words, plural, one {# word} other {# words}}',
  'reading.thinking': 'Thinking…',
} as const)

/** How a folded thought is called: by the time it took, where somebody looked at a clock, else by its length. */
export function thoughtWords(text: string, ms: number | null): string {
  const words = text.match(/\S+/g)?.length ?? 0
  if (ms === null) return readingSentence('reading.thought.words', { words })
  const seconds = Math.round(ms / 1_000)
  if (seconds < 1) return readingSentence('reading.thought.moment', { words })
  return seconds < 60
    ? readingSentence('reading.thought', { seconds })
    : readingSentence('reading.thought.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
}
