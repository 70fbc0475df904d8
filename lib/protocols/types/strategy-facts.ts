import type { Language } from '@/lib/base/text/languages'
import { type SentencePart, withParts } from '@/lib/base/untrusted-text/sentence-part'
import { refusalText, t, textOfKey } from '@/lib/i18n/t'
import type { CallProblem, CallSegment } from './segment'

/** What to neutralise in untrusted text: a literal, or a pattern that matches one character and looks around it. */
export type Delimiter = string | RegExp

/**
 * How the results of a strategy are framed in a user message, so that readers recognise an echo or an invented result,
 * and the demo can read its results.
 */
export type ResultFrame =
  /** One per result: `<tool_result id="…" name="…" status="…">JSON</tool_result>`. */
  | { readonly kind: 'element'; readonly name: string }
  /**
   * One per result: `{"tool_call_result":{"name","status","result"}}`, or with a value
   * `{"action":"tool_result","name",…}`.
   */
  | { readonly kind: 'object'; readonly key: string; readonly value?: string }
  /**
   * One around all results: between two literals, one line per field, `- label: value`; a result begins with its name.
   */
  | {
      readonly kind: 'block'
      readonly open: string
      readonly close: string
      /** The opener as models imitate it, if it differs from the literal. */
      readonly loosely?: RegExp
      readonly labels: { readonly name: string; readonly status: string; readonly result: string }
    }

/** Text that users would expect to be a call of this strategy, although its reader may not have read it as one. */
export type Lookalike =
  /** `<tag>` with or without a body. */
  | { readonly kind: 'element'; readonly tag: string }
  /** A literal that opens a call. */
  | { readonly kind: 'opener'; readonly literal: string }
  /** A JSON object that begins with this key; `call`: the value that makes it a call, if the key alone does not. */
  | { readonly kind: 'object'; readonly key: string; readonly call?: string }
  /** Words in brackets, and values in brackets after a colon, which models write with different kinds of brackets. */
  | {
      readonly kind: 'bracketed'
      readonly words: string
      readonly end: string
      readonly opens: RegExp
      readonly value: string
    }

/** Markup that can complete a call that broke off, without adding a value. */
export type MissingMarkup =
  /** Brackets of a JSON body, then the closer; a lost opener is tried before it. */
  | { readonly kind: 'json'; readonly closer: string; readonly openers: readonly string[] }
  /** Closing tags in order; each list is one way. */
  | { readonly kind: 'tags'; readonly chains: readonly (readonly string[])[] }
  /** The end of a block, and its start if the fields have none. */
  | { readonly kind: 'block'; readonly start: string; readonly end: string }

/** Where a string opens in JSON, see `opensText`. */
export const JSON_TEXT = /["']([\w-]{1,64})["']\s{0,9}:\s{0,9}["']/

/** What other parts need to know about a strategy without naming it; they ask the registry for these facts. */
export interface StrategyFacts {
  /**
   * A text in its prompt and its calls, but in no other strategy's prompt; the demo uses it to recognise the requested
   * form. Null: its calls are not text that a model writes.
   */
  readonly signature: string | null
  /** Where its prompt names an offered tool, as the first group; omitted: the signature lines of `toolsPart`. */
  readonly offeredToolPattern?: RegExp
  /** A row in a table of strategies: how a call looks, and what the strategy is good for. */
  readonly inShort: { readonly call: string; readonly goodFor: string }
  readonly form: {
    /** Continues "XML_Tag reads ". */
    readonly reads: Readonly<Record<Language, readonly SentencePart[]>>
    /** How a call begins, so that users can see the difference; null if it is not text. */
    readonly begins: string | null
  }
  readonly marks: {
    /**
     * What a result must not contain: every opener and closer of its calls and its frames. None may match JSON's own
     * structure. "Add to it" in the README has an example.
     */
    readonly inResults: readonly Delimiter[]
    /** The same in prose from a time when another strategy was active, and its replacement there. */
    readonly inProse: readonly (readonly [RegExp, string])[]
  }
  readonly resultFrame: ResultFrame
  /**
   * Where a string value opens, with its key as the only group, ignoring case: `"key": "`; null if no text opens one.
   */
  readonly opensText: RegExp | null
  readonly lookalikes: readonly Lookalike[]
  readonly missingMarkup: readonly MissingMarkup[]
  readonly examples: {
    /** How a call to read /notes/a.md typically arrives damaged and is repaired; null if it never does. */
    readonly damaged: string | null
    /** A reply with an example of everything, shown first in the playground; null if another strategy has one. */
    readonly tour: string | null
  }
}

/** The status word of a call that can’t run, and the reason as a sentence. */
export function problemText(
  call: Pick<CallSegment, 'name'>,
  problem: CallProblem,
): { status: string; sentence: readonly SentencePart[] } {
  switch (problem.code) {
    case 'unknown-tool':
      return {
        status: t('call.no-tool'),
        sentence: withParts((part) => {
          const near = problem.nearest.map((code) => part({ code }))
          const last = near.length > 1 ? (near.pop() ?? '') : ''
          return t('call.no-tool-why', { tool: part({ code: call.name }), near, last })
        }),
      }
    case 'invalid-arguments':
      return {
        status: t('call.misfit'),
        sentence: withParts((part) => {
          const issues = problem.issues.map((issue) => {
            // A sentence part too, because it may quote the model.
            const text = part(refusalText(issue))
            return issue.path === ''
              ? t('call.misfit-all', { issue: text })
              : t('call.misfit-at', { path: part({ code: issue.path }), issue: text })
          })
          return t('call.misfit-why', { issues })
        }),
      }
    case 'disabled-tool':
      return {
        status: t('call.off'),
        sentence: withParts((part) => t('call.off-why', { tool: part({ code: call.name }) })),
      }
    case 'duplicate':
      return { status: t('call.repeat'), sentence: [t('call.repeat-why')] }
  }
}

/** "a Hermes call", for the end of a sentence; a dialect without a display name uses its id. */
export const aCallOf = (dialect: string): string =>
  textOfKey(`dialect.${dialect}`) ?? t('call.of-dialect', { open: SOUNDS_OPEN.test(dialect), dialect })

/** "Hermes", for use before the word "format"; a strategy uses its id. */
export const formatName = (dialect: string): string => textOfKey(`format.${dialect}`) ?? dialect

/** A vowel, or initials whose first letter is pronounced with one: an XML_Tag call, but a Native call. */
const SOUNDS_OPEN = /^(?:[AEIO]|[FHLMNRSX](?=[A-Z]))/
