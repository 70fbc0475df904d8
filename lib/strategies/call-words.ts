import { labelsOf, saidAnew, sentencesOf } from '@/lib/base/catalogue'
import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import type { BrokenReason, CallProblem, CallSegment } from './segment'

const sentence = sentencesOf({
  'call.no-tool': 'no such tool',
  'call.misfit': 'arguments don’t fit',
  'call.off': 'switched off',
  'call.repeat': 'a repeat',
  /** `last` of several names that are near stands apart. */
  'call.no-tool-why':
    'There is no tool {tool}.{near, select, empty {} other { Did it mean {near, list}{last, select, empty {} other { or {last}}}?}}',
  'call.misfit-why': 'It can’t run like this. {issues, sentences}',
  'call.misfit-all': '{issue}.',
  'call.misfit-at': '{path}: {issue}.',
  'call.off-why': '{tool} is not offered in this chat. You can offer it in the settings of this conversation.',
  'call.repeat-why': 'The same call stands above already, so this one does not run again.',
  /** As it ends a sentence; `open`: it begins with the sound of a vowel. */
  'call.of-dialect': '{open, select, true {an} other {a}} {dialect} call',
})

/** Status word of a call that can’t run, and why, as a sentence. */
export function problemWords(
  call: Pick<CallSegment, 'name'>,
  problem: CallProblem,
): { status: string; sentence: readonly SentencePart[] } {
  switch (problem.code) {
    case 'unknown-tool':
      return {
        status: sentence('call.no-tool'),
        sentence: withParts((part) => {
          const near = problem.nearest.map((code) => part({ code }))
          const last = near.length > 1 ? (near.pop() ?? '') : ''
          return sentence('call.no-tool-why', { tool: part({ code: call.name }), near, last })
        }),
      }
    case 'invalid-arguments':
      return {
        status: sentence('call.misfit'),
        sentence: withParts((part) => {
          const issues = problem.issues.map((issue) => {
            // A part too: it may quote what the model wrote.
            const text = part(saidAnew(issue))
            return issue.path === ''
              ? sentence('call.misfit-all', { issue: text })
              : sentence('call.misfit-at', { path: part({ code: issue.path }), issue: text })
          })
          return sentence('call.misfit-why', { issues })
        }),
      }
    case 'disabled-tool':
      return {
        status: sentence('call.off'),
        sentence: withParts((part) => sentence('call.off-why', { tool: part({ code: call.name }) })),
      }
    case 'duplicate':
      return { status: sentence('call.repeat'), sentence: [sentence('call.repeat-why')] }
  }
}

export const brokenSentences = labelsOf('broken', {
  truncated:
    'This call is not complete: a value or a bracket in it has no end. Missing parts are never filled in, so this can’t run.',
  'missing-end': 'The end of this call is missing. It looks the same as a call that was cut off, so this can’t run.',
  'missing-name': 'It does not say which tool it is for, so this can’t run.',
  'bad-json': 'Its JSON can’t be read, even with the usual repairs, so this can’t run.',
  'bad-arguments': 'Its arguments are not a list of names and values, so this can’t run.',
  placeholder: 'It still holds a placeholder from the instructions in place of a value, so this can’t run.',
  'too-deep': 'It is nested too deeply to be read safely, so this can’t run.',
  'not-a-literal': 'An argument is not a literal: it would have to be computed first. So this can’t run.',
} satisfies Readonly<Record<BrokenReason, string>>)

const dialectNames: Readonly<Record<string, string>> = labelsOf('dialect', {
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
  python: 'a Python call',
  react: 'a ReAct call',
  apertus: 'an Apertus call',
  cohere: 'a Command R call',
  minimax: 'a MiniMax call',
  'bare-json': 'a call object without any form around it',
})

/** "a Hermes call", as it ends a sentence; a dialect without a name of its own goes by its id. */
export const aCallOf = (dialect: string): string =>
  dialectNames[dialect] ?? sentence('call.of-dialect', { open: SOUNDS_OPEN.test(dialect), dialect })

const formatNames: Readonly<Record<string, string>> = labelsOf('format', {
  hermes: 'Hermes',
  qwen: 'Qwen',
  anthropic: 'Anthropic',
  mistral: 'Mistral',
  llama: 'Llama',
  deepseek: 'DeepSeek',
  kimi: 'Kimi',
  'gemma-python': 'Gemini Python',
  cherry: 'Cherry Studio',
  glm: 'GLM',
  gemma: 'Gemma',
  harmony: 'gpt-oss',
  lfm: 'LFM2',
  pythonic: 'Python list',
  python: 'Python',
  react: 'ReAct',
  apertus: 'Apertus',
  cohere: 'Command R',
  minimax: 'MiniMax',
  'bare-json': 'plain JSON',
})

/** "Hermes", as it stands before the word "format"; a strategy goes by its id. */
export const formatName = (dialect: string): string => formatNames[dialect] ?? dialect

/** A vowel, or initials whose first is spelled with one: an XML_Tag call, a Native call. */
const SOUNDS_OPEN = /^(?:[AEIO]|[FHLMNRSX](?=[A-Z]))/
