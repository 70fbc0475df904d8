import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'

/** How an item is coloured: what a chat would make of it. */
export type Tone = 'call' | 'problem' | 'quote' | 'foreign' | 'broken' | 'reasoning' | 'miss'

export interface ExplainLine {
  /** The reason itself; other lines add to it. */
  readonly main: boolean
  readonly parts: readonly SentencePart[]
}

/** What one part of a reply is, and why, in words for people. */
export interface Explanation {
  readonly title: string
  readonly tone: Tone
  /** The tool that is meant, as far as it can be told. */
  readonly name: string | null
  readonly lines: readonly ExplainLine[]
}

type Said = string | readonly SentencePart[]

const partsOf = (said: Said): readonly SentencePart[] => (typeof said === 'string' ? [said] : said)

export const why = (said: Said): ExplainLine => ({ main: true, parts: partsOf(said) })
export const more = (said: Said): ExplainLine => ({ main: false, parts: partsOf(said) })

/** Sentences one after the other, as the language sets them. */
export const together = (all: readonly Said[]): readonly SentencePart[] =>
  withParts<readonly SentencePart[]>((part) => t('explain.all', { all: all.map((one) => part(partsOf(one))) })).flatMap(
    (part) => part,
  )
