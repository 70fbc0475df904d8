import { sentencesOf } from '@/lib/base/catalogue'

/** What stands in and around code, values, tables and pictures, wherever they are shown. */
export const viewSentence = sentencesOf({
  'view.whole-line': 'show the whole line, {characters, number} more characters',
  'view.all-lines': 'show all {lines, number} lines',
  'view.unchanged': '{lines, plural, one {# line} other {# lines}} unchanged',
  'view.too-long': 'Too long for colours: {characters, number} characters.',
  'view.line-end': '{end}: ends the line here',
  'view.whole-text': 'Download the whole text',

  /** Of what is folded away; `parts`: how many of each. */
  'view.hidden': '{parts, list} not shown',
  'view.hidden.line': '{count, plural, one {# line} other {# lines}}',
  'view.hidden.file': '{count, plural, one {# file} other {# files}}',
  'view.hidden.member': '{count, plural, one {# member} other {# members}}',

  'view.left-out.marks': '⟨{count, number} combining characters left out⟩',
  'view.left-out.line': '⟨{count, number} characters of this line left out⟩',
  'view.left-out.more': '⟨{count, number} more characters left out⟩',

  'view.console': 'Console',
  'view.earlier-lines': '{count, plural, one {# earlier line is} other {# earlier lines are}} not shown.',
  /** Before what was printed. */
  'view.warning': 'warning: ',
  'view.error': 'error: ',

  'view.list': '{outermost, select, true {list, } other {}}{count, plural, one {# item} other {# items}}',
  'view.object': '{outermost, select, true {object, } other {}}{count, plural, one {# key} other {# keys}}',
  'view.more': '{count, number} more',

  'view.rows':
    '{label}: {total, plural, one {# row} other {# rows}}{kept, select, null {} other {, the first {kept, number} kept}}',
  'view.more-rows': '{count, plural, one {# more row} other {# more rows}}',
  'view.more-columns': '{count, plural, one {# more column} other {# more columns}}',

  'view.display': 'Display {number, number}',
  'view.part-table': 'The table',
  'view.part-page': 'The page',
  'view.part-picture': 'The picture',
  'view.part-saving': 'Saving the picture',
  'view.loading-picture': 'Loading the picture …',
  'view.how': '{label}, view',
  'view.page': 'Page',
  'view.source': 'Source',
  'view.download': 'Download {format}',
  'view.no-png': 'It could not be drawn as PNG. It has to be shown for that.',

  /** `why` is one of those below it. */
  'view.heavy': '{label}: {format}, {size, bytes}. It is not drawn yet: {why}, so this may take a while.',
  'view.heavy.long': 'it is long',
  'view.heavy.most': 'it comes to over a billion parts when it is drawn',
  'view.heavy.parts': 'it comes to about {parts, about} parts when it is drawn',
  'view.heavy.inside': 'it holds another picture inside',
  'view.heavy.entities': 'it defines entities',
  'view.heavy.filter': 'its filter is dear',
  'view.heavy.deep': 'it is nested very deep',
  'view.heavy.large': 'it is very large',
  'view.draw': 'Draw it',
  'view.waits': '{label} is not shown yet: others are.',
  'view.show': 'Show it',
  'view.stopped': 'Drawing {label} took too long and was stopped.',
  'view.again': 'Try again',
  'view.broken': 'This picture can’t be shown: its data is damaged, or of a kind that this browser does not know.',
})
