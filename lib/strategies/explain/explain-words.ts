import { sentencesOf } from '@/lib/base/catalogue'

/** What each part of a reply is and why it is, or is not, a call. */
export const explainSentence = sentencesOf({
  'explain.all': '{all, sentences}',

  'explain.line': 'line {line}',
  'explain.lines': 'lines {first} to {last}',
  'explain.column': 'line {line}, column {column}',

  'explain.nothing': 'no call, nothing like one',
  'explain.calls':
    '{calls, plural, =0 {no call} one {# call} other {# calls}}{stopped, plural, =0 {} other {{calls, plural, one {, which can’t run} other {, {stopped} of them can’t run}}}}{others, plural, =0 {} one {, # that is not} other {, # that are not}}',

  'explain.title.reasoning': 'Reasoning',
  'explain.title.thought': 'Only a thought, not a call',
  'explain.title.example': 'Example, not a call',
  'explain.title.foreign': 'Another format',
  'explain.title.problem': 'Call, but it can’t run',
  'explain.title.call': 'Call',
  'explain.title.broken': 'Can’t be read',
  'explain.title.mention': 'A mention, not a call',
  'explain.title.text': 'Text, not a call',

  'explain.reasoning.between': 'Between {open} and {close}. Never read for calls.',
  'explain.reasoning.closed': 'All before a lone {close} is reasoning. Never read for calls.',
  'explain.reasoning.open': '{open} is not closed, so all that follows is reasoning. Never read for calls.',
  'explain.reasoning.channel': 'The channel that {open} opens. Never read for calls.',
  'explain.reasoning.part': 'A part of the model’s thoughts. Never read for calls.',

  'explain.can-be-told': 'In a chat this is a card without Run. The model can be told.',
  'explain.guess': 'That is a guess: compare before you run it.',
  'explain.waits': 'Would wait for you as a card.',
  'explain.repairs': '{count, plural, one {One repair: {repairs, clauses}} other {# repairs: {repairs, clauses}}}.',
  'explain.no-arguments': 'It has no arguments.',
  'explain.no-arguments-fits': 'That fits the tool.',
  'explain.argument': '{name} is {value}',
  'explain.arguments': '{all, list}{more, plural, =0 {} other {, and # more}}.',
  'explain.fits': 'Fits the tool’s schema.',
  'explain.changed': '{what}.',

  'explain.grey': 'In a chat this is a grey card.',
  'explain.besides': 'Besides, it is {call}, not {strategy}.',
  'explain.in.reasoning': 'It stands in the model’s thoughts.',
  'explain.in.reasoning-rule': 'A thought is no request.',
  'explain.in.fence':
    'It stands in a code block {language, select, empty {without a language} other {marked {language}}}.',
  'explain.in.blockquote': 'It stands in a quotation, in lines that begin with >.',
  'explain.in.blockquote-rule': 'A quotation is no request.',
  'explain.in.inline-code': 'It stands in backticks, inside a line.',
  'explain.in.inline-code-rule': 'Code in a sentence is an example.',
  'explain.in.markup': 'It stands in HTML, after {mark}.',
  'explain.in.markup-rule': 'What a comment or a code element holds is an example.',
  'explain.in.diff': 'It stands in a line of a diff, which shows a change to a file.',
  'explain.in.diff-rule': 'A change to a file is no request.',
  'explain.in.turn-over': 'It stands after the model ended its turn, or began to speak as somebody else.',
  'explain.in.turn-over-rule': 'Only what the model itself asks for is a request.',
  'explain.in.none': 'It stands in a tool’s result, or after a result that the model made up.',
  'explain.in.none-rule': 'What answers to an invented result is not to be run.',

  'explain.fence.none': 'In {strategy} no code block may hold a call.',
  'explain.fence.one': 'In {strategy} only a block marked {language} may hold a call.',
  'explain.fence.bare': 'In {strategy} only a block marked {language}, or with no language, may hold a call.',
  'explain.fence.two': 'In {strategy} only a block marked {language} or {other} may hold a call.',

  'explain.looks': 'This looks like {call}.',
  'explain.reads': '{strategy} reads {reads}.',
  'explain.reads-this': '{strategy} reads {reads}; this is {opener}.',
  'explain.own-form': 'a form of its own',

  'explain.cut': 'The reply ends in the middle of {field}. A value that was cut off is never filled in.',
  'explain.told': 'The model would be told: “{words}”',

  'explain.plain': 'In a chat this is plain text.',
  'explain.miss.no-envelope': 'It names a tool and gives values, but the form around a call is missing.',
  'explain.miss.no-name': 'It gives arguments, but no tool is named.',
  'explain.miss.empty-envelope': 'The list of calls is empty: the model says that it needs no tool.',
  'explain.miss.unknown-action': 'Its {key} is {name}, which is neither a call nor a tool.',
  'explain.miss.quoted-broken':
    'It begins like a call, but it stands in a quotation or is not whole; there nothing is mended.',
  'explain.miss.mention': 'A call’s mark is only mentioned: no call follows it.',
  'explain.miss.other-brackets': 'It resembles {call}, but its marks are of another kind of bracket.',
  'explain.miss.foreign-incomplete':
    'Another model’s format, and it is not whole. Only whole calls of other formats are recognised.',
  'explain.miss.python-call': 'It is written as Python. A function call in the text is not a tool call.',
})
