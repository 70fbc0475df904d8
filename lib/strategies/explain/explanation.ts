import type { SentencePart } from '@/lib/base/sentence-part'

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

export const why = (...parts: readonly SentencePart[]): ExplainLine => ({ main: true, parts })
export const more = (...parts: readonly SentencePart[]): ExplainLine => ({ main: false, parts })
