import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { readersLanguage } from '@/lib/base/text/reader'
import { factsOf } from '../facts-of'

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

/** What a strategy takes for a call, in words; the readers themselves are in the strategies' own folders. */
interface Form {
  /** Goes on from "XML_Tag reads ". */
  readonly reads: readonly SentencePart[]
  /** Languages of code blocks that may hold a call; '' is a block without a language. */
  readonly fences: readonly string[]
}

export function writtenFormOf(strategy: string): Form {
  const facts = factsOf(strategy)
  return {
    reads: facts?.form.reads[readersLanguage()] ?? [t('explain.own-form')],
    fences: facts?.dialect.fences ?? [],
  }
}

/** How calls of another format begin, for people who look for the difference; null where they are no text. */
export const openerOf = (dialect: string): string | null => factsOf(dialect)?.form.begins ?? foreign[dialect] ?? null

const foreign: Readonly<Record<string, string>> = {
  hermes: '<tool_call>',
  qwen: '<function=…>',
  anthropic: '<invoke name="…">',
  mistral: '[TOOL_CALLS]',
  llama: '<|python_tag|>',
  deepseek: '<｜tool▁call▁begin｜>',
  kimi: '<|tool_call_begin|>',
  'gemma-python': 'name(key="value")',
  cherry: '<tool_use>',
  glm: '<tool_call>name<arg_key>',
  gemma: '<|tool_call>call:name{…}',
  harmony: '<|channel|>commentary to=functions.…',
  lfm: '<|tool_call_start|>[…]',
  pythonic: '[name(key="value")]',
  cohere: '[{"tool_name": …, "parameters": …}]',
  minimax: '[TOOL_CALL]{tool => …}',
  python: 'name(key="value")',
  react: 'Action: name',
  apertus: '<|tools_prefix|>[…]',
  'bare-json': '{"name": …, "arguments": …}',
}
