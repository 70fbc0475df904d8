import type { SentencePart } from '@/lib/tools/tool'

/** What a strategy takes for a call, in words; the readers themselves are in the strategies' own folders. */
export interface Form {
  /** Goes on from "XML_Tag reads ". */
  readonly reads: readonly SentencePart[]
  /** Tag that opens a call, in lower case; null where calls are no tags. */
  readonly tag: string | null
  /** Languages of code blocks that may hold a call; '' is a block without a language. */
  readonly fences: readonly string[]
}

const jsonFences = ['', 'json', 'jsonc', 'json5', 'tool_calls', 'tool_call', 'tool_code'] as const

const forms: Readonly<Record<string, Form>> = {
  JSON_Strict: { reads: ['a JSON object with the key ', { code: 'tool_calls' }], tag: null, fences: jsonFences },
  XML_Tag: {
    reads: ['JSON between ', { code: '<tool_code>' }, ' and ', { code: '</tool_code>' }],
    tag: 'tool_code',
    fences: ['tool_code'],
  },
  VCP: {
    reads: ['fields between ', { code: '<<<[TOOL_REQUEST]>>>' }, ' and ', { code: '<<<[END_TOOL_REQUEST]>>>' }],
    tag: null,
    fences: ['vcptoolcall'],
  },
  Tool_Action: { reads: ['the tag ', { code: '<tool_action name="…">' }], tag: 'tool_action', fences: [] },
  JSON_Action: {
    reads: ['a JSON object with ', { code: '"action": "tool_call"' }],
    tag: null,
    fences: jsonFences,
  },
  Native: { reads: ['no call from text: calls come beside it'], tag: null, fences: [] },
}

export const formOf = (strategy: string): Form =>
  forms[strategy] ?? { reads: ['a form of its own'], tag: null, fences: [] }

/** How calls of other formats begin, for people who look for the difference. */
export const openers: Readonly<Record<string, string>> = {
  JSON_Strict: '{"tool_calls": …',
  XML_Tag: '<tool_code>',
  VCP: '<<<[TOOL_REQUEST]>>>',
  Tool_Action: '<tool_action',
  JSON_Action: '{"action": "tool_call"',
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
  'bare-json': '{"name": …, "arguments": …}',
}
