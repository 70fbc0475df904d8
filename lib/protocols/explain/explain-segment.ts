import type { JsonValue } from '@/lib/base/json'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { strategyModules } from '../registry'
import { t } from '@/lib/i18n/t'
import { aCallOf, problemText } from '../types/strategy-facts'
import { reasoningMarksOf } from '../reasoning/reasoning-marks'
import { coercionText } from '../arguments/validate'
import type { BrokenSegment, CallSegment, RepairCode } from '../types/segment'
import { more, together, why, writtenFormOf, openerOf, type Explanation, type ExplainLine } from './explanation'
import type { Surrounding } from './surroundings'

const SHOWN_ARGUMENTS = 3
const VALUE_CHARACTERS = 60

export interface SegmentContext {
  readonly text: string
  readonly strategy: string
  readonly surrounding: Surrounding
}

/** Explains what a part of a reply is and why it is, or is not, a call. `segment` comes from the reader. */
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
  const line = withParts((part) => {
    const [opens, closes] = [part({ code: open ?? '' }), part({ code: close ?? '' })]
    if (open !== null && close !== null) return t('explain.reasoning.between', { open: opens, close: closes })
    if (close !== null) return t('explain.reasoning.closed', { close: closes })
    if (open === null) return t('explain.reasoning.part')
    return t(open.startsWith('<|channel|>') ? 'explain.reasoning.channel' : 'explain.reasoning.open', { open: opens })
  })
  return { title: t('explain.title.reasoning'), tone: 'reasoning', name: null, lines: [more(line)] }
}

function explainCall(call: CallSegment, context: SegmentContext): Explanation {
  const { name } = call
  const mended = repairsOf(call.repairs)
  switch (call.standing) {
    case 'quoted': {
      const inThought = context.surrounding.kind === 'reasoning'
      return {
        title: t(inThought ? 'explain.title.thought' : 'explain.title.example'),
        tone: 'quote',
        name,
        lines: quotedLines(call, context),
      }
    }
    case 'foreign':
      return { title: t('explain.title.foreign'), tone: 'foreign', name, lines: foreignLines(call, context) }
    case 'live': {
      if (call.problem) {
        return {
          title: t('explain.title.problem'),
          tone: 'problem',
          name,
          lines: [
            why(together([problemText(call, call.problem).sentence, ...mended])),
            more(t('explain.can-be-told')),
            ...argumentLines(call, false),
          ],
        }
      }
      const guess = call.repairs.includes('bare-quote') ? [t('explain.guess')] : []
      return {
        title: t('explain.title.call'),
        tone: 'call',
        name,
        lines: [why(together([t('explain.waits'), ...mended, ...guess])), ...argumentLines(call, true)],
      }
    }
  }
}

const repairsOf = (repairs: readonly RepairCode[]): readonly string[] =>
  repairs.length === 0
    ? []
    : [t('explain.repairs', { count: repairs.length, repairs: repairs.map((code) => t(`repair.${code}`)) })]

function argumentLines(call: CallSegment, fits: boolean): readonly ExplainLine[] {
  const entries = Object.entries(call.arguments)
  const values =
    entries.length === 0
      ? [t('explain.no-arguments'), ...(fits ? [t('explain.no-arguments-fits')] : [])]
      : [
          withParts((part) =>
            t('explain.arguments', {
              all: entries
                .slice(0, SHOWN_ARGUMENTS)
                .map(([key, value]) =>
                  t('explain.argument', { name: part({ code: key }), value: part({ code: shortValue(value) }) }),
                ),
              more: Math.max(0, entries.length - SHOWN_ARGUMENTS),
            }),
          ),
          ...(fits ? [t('explain.fits')] : []),
        ]
  return [more(together(values)), ...call.coercions.slice(0, 5).map((one) => more(asSentence(coercionText(one))))]
}

function shortValue(value: JsonValue): string {
  if (typeof value === 'string' && value.length > VALUE_CHARACTERS) {
    return `${JSON.stringify(value.slice(0, VALUE_CHARACTERS)).slice(0, -1)}…"`
  }
  const text = JSON.stringify(value)
  return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text
}

function asSentence(words: readonly SentencePart[]): readonly SentencePart[] {
  const [first, ...rest] = words
  const started = typeof first === 'string' ? [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest] : words
  return withParts<readonly SentencePart[]>((part) => t('explain.changed', { what: part(started) })).flatMap(
    (part) => part,
  )
}

/** A block that may hold calls of the strategy does not quote them: the quoting text is before the block. */
const quotedBy = (surrounding: Surrounding, call: CallSegment, strategy: string): Surrounding =>
  surrounding.kind === 'fence' &&
  call.dialect === strategy &&
  writtenFormOf(strategy).fences.includes(surrounding.fence.language)
    ? { kind: 'none' }
    : surrounding

function quotedLines(call: CallSegment, { strategy, surrounding: around }: SegmentContext): readonly ExplainLine[] {
  const surrounding = quotedBy(around, call, strategy)
  const { kind } = surrounding
  const grey = t('explain.grey')
  const foreign =
    call.dialect === strategy ? [] : [more(t('explain.besides', { call: aCallOf(call.dialect), strategy }))]
  switch (kind) {
    case 'fence':
      return [
        why(t('explain.in.fence', { language: surrounding.fence.language })),
        more(together([fenceRule(strategy), grey])),
        ...foreign,
      ]
    case 'markup':
      return [
        why(withParts((part) => t('explain.in.markup', { mark: part({ code: surrounding.mark }) }))),
        more(together([t('explain.in.markup-rule'), grey])),
        ...foreign,
      ]
    case 'reasoning':
    case 'blockquote':
    case 'inline-code':
    case 'diff':
    case 'turn-over':
    case 'none':
      return [why(t(`explain.in.${kind}`)), more(together([t(`explain.in.${kind}-rule`), grey])), ...foreign]
  }
}

/** "In XML_Tag only a block marked tool_code may hold a call." */
export function fenceRule(strategy: string): readonly SentencePart[] {
  const { fences } = writtenFormOf(strategy)
  const [first, second] = fences
  const named = fences.find((language) => language !== '') ?? ''
  return withParts((part) => {
    if (first === undefined) return t('explain.fence.none', { strategy })
    const language = part({ code: named })
    if (fences.includes('')) return t('explain.fence.bare', { strategy, language })
    if (second === undefined) return t('explain.fence.one', { strategy, language })
    return t('explain.fence.two', { strategy, language, other: part({ code: second }) })
  })
}

/** "XML_Tag reads JSON between <tool> and </tool>." `opener`: the text found in its place; null to leave it out. */
export const readsText = (strategy: string, opener: string | null): readonly SentencePart[] =>
  withParts<readonly SentencePart[]>((part) => {
    const reads = part(writtenFormOf(strategy).reads)
    return opener === null
      ? t('explain.reads', { strategy, reads })
      : t('explain.reads-this', { strategy, reads, opener: part([{ code: opener }]) })
  }).flatMap((part) => part)

function foreignLines(call: CallSegment, { strategy }: SegmentContext): readonly ExplainLine[] {
  return [
    why(t('explain.looks', { call: aCallOf(call.dialect) })),
    more(together([readsText(strategy, openerOf(call.dialect)), t('explain.grey')])),
    ...(call.problem ? [more(problemText(call, call.problem).sentence)] : []),
  ]
}

function explainBroken(broken: BrokenSegment, { text }: SegmentContext): Explanation {
  const field = broken.reason === 'truncated' ? openField(text.slice(broken.start, broken.at ?? broken.end)) : null
  const told = /^[\s\S]*?(?= Near: | Nothing ran\.)/.exec(broken.message)?.[0] ?? broken.message
  return {
    title: t('explain.title.broken'),
    tone: 'broken',
    name: broken.name ?? null,
    lines: [
      field === null
        ? why(t(`broken.${broken.reason}`))
        : why(withParts((part) => t('explain.cut', { field: part({ code: field }) }))),
      more(t('explain.told', { words: told })),
    ],
  }
}

/** Where a string opens in a call of any strategy. */
const TEXT_OPENERS = new RegExp(
  [...new Set(strategyModules.flatMap(({ opensText }) => opensText?.source ?? []))].join('|'),
  'gi',
)
/** Fields that are not arguments: the call's own keys and tags. */
const OWN_FIELDS = new Set([
  'name',
  'tool',
  'tool_name',
  'action',
  'arguments',
  ...strategyModules.flatMap(({ lookalikes }) => lookalikes.flatMap((one) => (one.kind === 'element' ? one.tag : []))),
])

/** The field whose string is still open at the end, found by the last opener before it. */
function openField(raw: string): string | null {
  let last: string | null = null
  for (const [, ...keys] of raw.slice(-20_000).matchAll(TEXT_OPENERS)) last = keys.find((key) => key) ?? last
  return last !== null && OWN_FIELDS.has(last) ? null : last
}
