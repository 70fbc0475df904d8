import type { Language } from '@/lib/base/text/languages'
import { type SentencePart, withParts } from '@/lib/base/untrusted-text/sentence-part'
import { refusalText, t, textOfKey } from '@/lib/i18n/t'
import type { CallProblem, CallSegment } from './segment'

/** What of a text from outside is robbed of its power: a literal, or a pattern that matches one character and looks around it. */
export type Delimiter = string | RegExp

/**
 * How the results of a strategy are in a user message, so that readers know an echo or an invention for what it is, and
 * the demo can read what it was told.
 */
export type ResultFrame =
  /** One a result: `<tool_result id="…" name="…" status="…">JSON</tool_result>`. */
  | { readonly kind: 'element'; readonly name: string }
  /** One a result: `{"tool_call_result":{"name","status","result"}}`, or with a value `{"action":"tool_result","name",…}`. */
  | { readonly kind: 'object'; readonly key: string; readonly value?: string }
  /** One around all results: between two literals a line a field, `- label: value`, a result beginning with its name. */
  | {
      readonly kind: 'block'
      readonly open: string
      readonly close: string
      /** The opener as models imitate it, where that is not the literal. */
      readonly loosely?: RegExp
      readonly labels: { readonly name: string; readonly status: string; readonly result: string }
    }

/** Text that people would expect to be a call of this strategy, and that its reader may not have taken for one. */
export type Lookalike =
  /** `<tag>` with or without a body. */
  | { readonly kind: 'element'; readonly tag: string }
  /** A literal that opens a call. */
  | { readonly kind: 'opener'; readonly literal: string }
  /** A JSON object that begins with this key; `call`: the value that makes it a call, where the key alone does not. */
  | { readonly kind: 'object'; readonly key: string; readonly call?: string }
  /** Words in brackets, and values in brackets after a colon, which models write with brackets of other kinds. */
  | {
      readonly kind: 'bracketed'
      readonly words: string
      readonly end: string
      readonly opens: RegExp
      readonly value: string
    }

/** Markup by which a call that broke off can be made whole, without a value of its own. */
export type MissingMarkup =
  /** Brackets of a JSON body, then the closer; an opener that was lost is tried before it. */
  | { readonly kind: 'json'; readonly closer: string; readonly openers: readonly string[] }
  /** Closing tags in order, each list one way. */
  | { readonly kind: 'tags'; readonly chains: readonly (readonly string[])[] }
  /** The end of a block, and its start where fields stand bare. */
  | { readonly kind: 'block'; readonly start: string; readonly end: string }

/** Where a text opens in JSON, see `opensText`. */
export const JSON_TEXT = /["']([\w-]{1,64})["']\s{0,9}:\s{0,9}["']/

/** What others must know of a strategy without knowing it: each part asks the registry for these. */
export interface StrategyFacts {
  /**
   * A text that is in its prompt and in its calls, and in no other strategy's prompt; by it the demo sees what it was
   * told to write. Null: its calls are no text that a model writes.
   */
  readonly signature: string | null
  /** Where its prompt names a tool that it offers, as the first group; left out: by the signature lines of `toolsPart`. */
  readonly toldTool?: RegExp
  /** A row of a table of strategies: how a call looks, and what the strategy is good for. */
  readonly inShort: { readonly call: string; readonly goodFor: string }
  readonly form: {
    /** Goes on from "XML_Tag reads ". */
    readonly reads: Readonly<Record<Language, readonly SentencePart[]>>
    /** How a call begins, for people who look for the difference; null where it is no text. */
    readonly begins: string | null
  }
  readonly marks: {
    /**
     * What a result must not be able to say: every opener and closer of its calls and its frames. None may match JSON's own
     * structure. "Add to it" in the README has an example.
     */
    readonly inResults: readonly Delimiter[]
    /** The same in prose of a time when another strategy was in use, and how it reads then. */
    readonly inProse: readonly (readonly [RegExp, string])[]
  }
  readonly resultFrame: ResultFrame
  /** Where a value opens that is a text, its key as the only group, ignoring case: `"key": "`; null: no text opens one. */
  readonly opensText: RegExp | null
  readonly lookalikes: readonly Lookalike[]
  readonly missingMarkup: readonly MissingMarkup[]
  readonly examples: {
    /** How a call to read /notes/a.md typically arrives damaged, and is mended; null: it never does. */
    readonly damaged: string | null
    /** A reply with something of every kind, as the first thing to look at in the playground; null: others have one. */
    readonly tour: string | null
  }
}

/** Status word of a call that can’t run, and why, as a sentence. */
export function problemWords(
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
            // A part too: it may quote what the model wrote.
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

/** "a Hermes call", as it ends a sentence; a dialect without a name of its own goes by its id. */
export const aCallOf = (dialect: string): string =>
  textOfKey(`dialect.${dialect}`) ?? t('call.of-dialect', { open: SOUNDS_OPEN.test(dialect), dialect })

/** "Hermes", as it is before the word "format"; a strategy goes by its id. */
export const formatName = (dialect: string): string => textOfKey(`format.${dialect}`) ?? dialect

/** A vowel, or initials whose first is spelled with one: an XML_Tag call, a Native call. */
const SOUNDS_OPEN = /^(?:[AEIO]|[FHLMNRSX](?=[A-Z]))/
