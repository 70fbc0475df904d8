import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { readersLanguage } from '@/lib/base/text/languages'
import { factsOf } from '../registry'

/** The colour of an item, by how a chat would treat it. */
export type Tone = 'call' | 'problem' | 'quote' | 'foreign' | 'broken' | 'reasoning' | 'miss'

export interface ExplainLine {
  /** This line is the main reason; other lines add to it. */
  readonly main: boolean
  readonly parts: readonly SentencePart[]
}

/** What one part of a reply is, and why, as text for users. */
export interface Explanation {
  readonly title: string
  readonly tone: Tone
  /** The tool that is meant, if it can be determined. */
  readonly name: string | null
  readonly lines: readonly ExplainLine[]
}

type Explained = string | readonly SentencePart[]

const partsOf = (text: Explained): readonly SentencePart[] => (typeof text === 'string' ? [text] : text)

export const why = (text: Explained): ExplainLine => ({ main: true, parts: partsOf(text) })
export const more = (text: Explained): ExplainLine => ({ main: false, parts: partsOf(text) })

/** Joins sentences with the separators of the language. */
export const together = (all: readonly Explained[]): readonly SentencePart[] =>
  withParts<readonly SentencePart[]>((part) => t('explain.all', { all: all.map((one) => part(partsOf(one))) })).flatMap(
    (part) => part,
  )

/** The form that a strategy accepts as a call, as text. The readers themselves are in the strategies' folders. */
interface Form {
  /** Continues "XML_Tag reads ". */
  readonly reads: readonly SentencePart[]
  /** Languages of code blocks that may hold a call; '' means a block without a language. */
  readonly fences: readonly string[]
}

export function writtenFormOf(strategy: string): Form {
  const facts = factsOf(strategy)
  return {
    reads: facts?.form.reads[readersLanguage()] ?? [t('explain.own-form')],
    fences: facts?.dialect.fences ?? [],
  }
}

/** How calls of another format begin, so that users can see the difference; null if they are not text. */
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
