import type { SentencePart } from '@/lib/base/sentence-part'
import type { BrokenReason, CallProblem, CallSegment } from './segment'

/** Status word of a call that can’t run, and why, as a sentence. */
export function problemWords(
  call: Pick<CallSegment, 'name'>,
  problem: CallProblem,
): { status: string; sentence: SentencePart[] } {
  const code = { code: call.name }
  switch (problem.code) {
    case 'unknown-tool':
      return { status: 'no such tool', sentence: ['There is no tool ', code, '.', ...didItMean(problem.nearest)] }
    case 'invalid-arguments':
      return { status: 'arguments don’t fit', sentence: ['It can’t run like this. ', ...issueWords(problem)] }
    case 'disabled-tool':
      return {
        status: 'switched off',
        sentence: [code, ' is not offered in this chat. You can offer it in the settings of this conversation.'],
      }
    case 'duplicate':
      return { status: 'a repeat', sentence: ['The same call stands above already, so this one does not run again.'] }
  }
}

function didItMean(nearest: readonly string[]): SentencePart[] {
  if (nearest.length === 0) return []
  const names = nearest.flatMap((name, index): SentencePart[] => {
    const before = index === 0 ? '' : index === nearest.length - 1 ? ' or ' : ', '
    return [before, { code: name }]
  })
  return [' Did it mean ', ...names, '?']
}

function issueWords(problem: Extract<CallProblem, { code: 'invalid-arguments' }>): SentencePart[] {
  return problem.issues.flatMap((issue, index): SentencePart[] => {
    const before = index === 0 ? '' : ' '
    const text = /[.!?]$/.test(issue.message) ? issue.message : `${issue.message}.`
    return issue.path === '' ? [`${before}${text}`] : [before, { code: issue.path }, `: ${text}`]
  })
}

export const brokenSentences: Readonly<Record<BrokenReason, string>> = {
  truncated:
    'The reply ended in the middle of this call. A value that was cut off is never filled in, so this can’t run.',
  'missing-end': 'The end of this call is missing. It looks the same as a call that was cut off, so this can’t run.',
  'missing-name': 'It does not say which tool it is for, so this can’t run.',
  'bad-json': 'Its JSON can’t be read, even with the usual repairs, so this can’t run.',
  'bad-arguments': 'Its arguments are not a list of names and values, so this can’t run.',
  placeholder: 'It still holds a placeholder from the instructions in place of a value, so this can’t run.',
  'too-deep': 'It is nested too deeply to be read safely, so this can’t run.',
}

const dialectNames: Readonly<Record<string, string>> = {
  hermes: 'a Hermes call',
  qwen: 'a Qwen call',
  anthropic: 'an Anthropic call',
  mistral: 'a Mistral call',
  llama: 'a Llama call',
  deepseek: 'a DeepSeek call',
  kimi: 'a Kimi call',
  'gemma-python': 'a Gemini or Gemma call in Python',
  cherry: 'a Cherry Studio call',
  glm: 'a GLM call',
  gemma: 'a Gemma call',
  harmony: 'a gpt-oss call',
  lfm: 'an LFM2 call',
  pythonic: 'a list of Python calls',
  cohere: 'a Command R call',
  minimax: 'a MiniMax call',
  'bare-json': 'a call object without any form around it',
}

/** "a Hermes call", as it ends a sentence; a dialect without a name of its own goes by its id. */
export const aCallOf = (dialect: string): string =>
  dialectNames[dialect] ?? `${SOUNDS_OPEN.test(dialect) ? 'an' : 'a'} ${dialect} call`

/** A vowel, or initials whose first is spelled with one: an XML_Tag call, a Native call. */
const SOUNDS_OPEN = /^(?:[AEIO]|[FHLMNRSX](?=[A-Z]))/
