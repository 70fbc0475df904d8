import { plural } from '@/lib/base/locale'
import type { JsonValue } from '@/lib/base/json'
import type { SentencePart } from '@/lib/base/sentence-part'
import { strategyModules } from '../facts-of'
import { aCallOf, brokenSentences, problemWords } from '../call-words'
import { reasoningMarksOf } from '../reasoning-marks'
import { repairWords } from '../repair-words'
import type { BrokenSegment, CallSegment, RepairCode } from '../segment'
import { more, why } from './explanation'
import type { Explanation, ExplainLine } from './explanation'
import { writtenFormOf, openerOf } from './forms'
import type { Surrounding } from './surroundings'

const SHOWN_ARGUMENTS = 3
const VALUE_CHARACTERS = 60
const GREY = 'In a chat this is a grey card.'

export interface SegmentContext {
  readonly text: string
  readonly strategy: string
  readonly surrounding: Surrounding
}

/** What a part of a reply is and why it is, or is not, a call; `segment` is one of the reader's. */
export function explainSegment(
  segment: CallSegment | BrokenSegment | { readonly kind: 'reasoning'; readonly start: number; readonly end: number },
  context: SegmentContext,
): Explanation {
  switch (segment.kind) {
    case 'reasoning':
      return explainReasoning(context.text.slice(segment.start, segment.end))
    case 'broken':
      return explainBroken(segment, context)
    case 'call':
      return explainCall(segment, context)
  }
}

function explainReasoning(raw: string): Explanation {
  const { open, close } = reasoningMarksOf(raw)
  const line =
    open !== null && close !== null
      ? more('Between ', { code: open }, ' and ', { code: close }, '. Never read for calls.')
      : close !== null
        ? more('All before a lone ', { code: close }, ' is reasoning. Never read for calls.')
        : open !== null && !open.startsWith('<|channel|>')
          ? more({ code: open }, ' is not closed, so all that follows is reasoning. Never read for calls.')
          : open !== null
            ? more('The channel that ', { code: open }, ' opens. Never read for calls.')
            : more('A part of the model’s thoughts. Never read for calls.')
  return { title: 'Reasoning', tone: 'reasoning', name: null, lines: [line] }
}

function explainCall(call: CallSegment, context: SegmentContext): Explanation {
  const { name } = call
  const mended = repairsLine(call.repairs)
  switch (call.standing) {
    case 'quoted': {
      const inThought = context.surrounding.kind === 'reasoning'
      return {
        title: inThought ? 'Only a thought, not a call' : 'Example, not a call',
        tone: 'quote',
        name,
        lines: quotedLines(call, context),
      }
    }
    case 'foreign':
      return { title: 'Another format', tone: 'foreign', name, lines: foreignLines(call, context) }
    case 'live': {
      if (call.problem) {
        return {
          title: 'Call, but it can’t run',
          tone: 'problem',
          name,
          lines: [
            why(...problemWords(call, call.problem).sentence, ...(mended === '' ? [] : [` ${mended}`])),
            more('In a chat this is a card without Run. The model can be told.'),
            ...argumentLines(call, false),
          ],
        }
      }
      const guess = call.repairs.includes('bare-quote') ? ' That is a guess: compare before you run it.' : ''
      return {
        title: 'Call',
        tone: 'call',
        name,
        lines: [
          why(`Would wait for you as a card.${mended === '' ? '' : ` ${mended}${guess}`}`),
          ...argumentLines(call, true),
        ],
      }
    }
  }
}

function repairsLine(repairs: readonly RepairCode[]): string {
  if (repairs.length === 0) return ''
  const words = repairs.map((code) => repairWords[code]).join('; ')
  return plural(repairs.length, { one: `One repair: ${words}.`, other: `${repairs.length} repairs: ${words}.` })
}

function argumentLines(call: CallSegment, fits: boolean): readonly ExplainLine[] {
  const entries = Object.entries(call.arguments)
  const shown = entries
    .slice(0, SHOWN_ARGUMENTS)
    .flatMap(([key, value], index): SentencePart[] => [
      ...(index === 0 ? [] : [', ']),
      { code: key },
      ' is ',
      { code: shortValue(value) },
    ])
  const rest = entries.length - SHOWN_ARGUMENTS
  const end = `${rest > 0 ? `, and ${rest} more` : ''}.${fits ? ' Fits the tool’s schema.' : ''}`
  const values =
    entries.length === 0 ? more(`It has no arguments.${fits ? ' That fits the tool.' : ''}`) : more(...shown, end)
  return [values, ...call.coercions.slice(0, 5).map(({ note }) => more(...asSentence(note)))]
}

function shortValue(value: JsonValue): string {
  if (typeof value === 'string' && value.length > VALUE_CHARACTERS) {
    return `${JSON.stringify(value.slice(0, VALUE_CHARACTERS)).slice(0, -1)}…"`
  }
  const text = JSON.stringify(value)
  return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text
}

function asSentence(note: readonly SentencePart[]): readonly SentencePart[] {
  const [first, ...rest] = note
  return [typeof first === 'string' ? `${first.charAt(0).toUpperCase()}${first.slice(1)}` : (first ?? ''), ...rest, '.']
}

function quotedLines(call: CallSegment, { strategy, surrounding }: SegmentContext): readonly ExplainLine[] {
  const foreign = call.dialect === strategy ? [] : [more(`Besides, it is ${aCallOf(call.dialect)}, not ${strategy}.`)]
  switch (surrounding.kind) {
    case 'reasoning':
      return [why('It stands in the model’s thoughts.'), more(`A thought is no request. ${GREY}`), ...foreign]
    case 'fence':
      return [
        why(`It stands in a code block ${markOf(surrounding.fence.language)}.`),
        more(...fenceRule(strategy), ` ${GREY}`),
        ...foreign,
      ]
    case 'blockquote':
      return [
        why('It stands in a quotation, in lines that begin with >.'),
        more(`A quotation is no request. ${GREY}`),
        ...foreign,
      ]
    case 'inline-code':
      return [
        why('It stands in backticks, inside a line.'),
        more(`Code in a sentence is an example. ${GREY}`),
        ...foreign,
      ]
    case 'markup':
      return [
        why('It stands in HTML, after ', { code: surrounding.mark }, '.'),
        more(`What a comment or a code element holds is an example. ${GREY}`),
        ...foreign,
      ]
    case 'diff':
      return [
        why('It stands in a line of a diff, which shows a change to a file.'),
        more(`A change to a file is no request. ${GREY}`),
        ...foreign,
      ]
    case 'turn-over':
      return [
        why('It stands after the model ended its turn, or began to speak as somebody else.'),
        more(`Only what the model itself asks for is a request. ${GREY}`),
        ...foreign,
      ]
    case 'none':
      return [
        why('It stands in a tool’s result, or after a result that the model made up.'),
        more(`What answers to an invented result is not to be run. ${GREY}`),
        ...foreign,
      ]
  }
}

export const markOf = (language: string): string => (language === '' ? 'without a language' : `marked ${language}`)

/** "In XML_Tag only a block marked tool_code may hold a call." */
export function fenceRule(strategy: string): readonly SentencePart[] {
  const { fences } = writtenFormOf(strategy)
  const [first, ...others] = fences
  if (first === undefined) return [`In ${strategy} no code block may hold a call.`]
  if (others.length === 0) return [`In ${strategy} only a block marked `, { code: first }, ' may hold a call.']
  if (fences.includes('')) {
    const named = fences.find((language) => language !== '') ?? ''
    return [`In ${strategy} only a block marked `, { code: named }, ', or with no language, may hold a call.']
  }
  const choices = others.flatMap((language): SentencePart[] => [' or ', { code: language }])
  return [`In ${strategy} only a block marked `, { code: first }, ...choices, ' may hold a call.']
}

function foreignLines(call: CallSegment, { strategy }: SegmentContext): readonly ExplainLine[] {
  const opener = openerOf(call.dialect)
  const difference: readonly SentencePart[] = opener === null ? [] : ['; this is ', { code: opener }]
  return [
    why(`This looks like ${aCallOf(call.dialect)}.`),
    more(`${strategy} reads `, ...writtenFormOf(strategy).reads, ...difference, `. ${GREY}`),
    ...(call.problem ? [more(...problemWords(call, call.problem).sentence)] : []),
  ]
}

function explainBroken(broken: BrokenSegment, { text }: SegmentContext): Explanation {
  const field = broken.reason === 'truncated' ? openField(text.slice(broken.start, broken.at ?? broken.end)) : null
  const told = /^[\s\S]*?(?= Near: | Nothing ran\.)/.exec(broken.message)?.[0] ?? broken.message
  return {
    title: 'Can’t be read',
    tone: 'broken',
    name: broken.name ?? null,
    lines: [
      field === null
        ? why(brokenSentences[broken.reason])
        : why('The reply ends in the middle of ', { code: field }, '. A value that was cut off is never filled in.'),
      more(`The model would be told: “${told}”`),
    ],
  }
}

/** Where a text opens in a call of any strategy. */
const TEXT_OPENERS = new RegExp(
  [...new Set(strategyModules.flatMap(({ opensText }) => opensText?.source ?? []))].join('|'),
  'gi',
)
/** What opens there and is no argument: the call's own keys and tags. */
const OWN_FIELDS = new Set([
  'name',
  'tool',
  'tool_name',
  'action',
  'arguments',
  ...strategyModules.flatMap(({ lookalikes }) => lookalikes.flatMap((one) => (one.kind === 'element' ? one.tag : []))),
])

/** The field whose text is still open at the end, by the last opener of a text before it. */
function openField(raw: string): string | null {
  let last: string | null = null
  for (const [, ...keys] of raw.slice(-20_000).matchAll(TEXT_OPENERS)) last = keys.find((key) => key) ?? last
  return last !== null && OWN_FIELDS.has(last) ? null : last
}
