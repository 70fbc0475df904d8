import type { StrategyModule } from '../strategy-module'
import { nativeDialect } from './read'
import { NativeScanner } from './scanner'
import { behaviourPart, byName } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec, CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { JSON_TEXT, type StrategyFacts } from '../types/strategy-facts'
import { FRAME_MARK, closeFrame, openFrame } from '../framed-calls/frame'
import { type Neutraliser, objectFrames } from '../neutralise/neutralise'
import { writeJson } from '../arguments/write-json'

/** One frame per call, as the server writes it for a provider's own call. */
function formatCalls(calls: readonly CallToWrite[]): string {
  return calls.map(({ name, arguments: args }) => `${openFrame(null, name)}${writeJson(args)}${closeFrame()}`).join('')
}

/** A call as it is shown to the model as text: the model must not write frames. */
function showCalls(calls: readonly CallToWrite[]): string {
  return calls.map(({ name, arguments: args }) => `${name} with the arguments ${writeJson(args)}`).join('\n')
}

/**
 * Results as text, for results that no native call belongs to (for example when tools were turned off). If the call is
 * sent too, its result is a `tool` message instead.
 */
const formatResults = (results: readonly ResultToWrite[], boundary: string, neutralise: Neutraliser): FramedResults =>
  objectFrames('tool_result', results, boundary, neutralise)

const facts: StrategyFacts = {
  signature: null,
  inShort: { call: "the model's own form", goodFor: 'models whose server offers it' },
  form: {
    reads: { en: ['no call from text: calls come beside it'], 'zh-CN': ['文本之外的调用，而不读取文本中的'] },
    begins: null,
  },
  marks: {
    // It may be in names, but never raw in JSON.
    inResults: [new RegExp(FRAME_MARK)],
    inProse: [[new RegExp(FRAME_MARK, 'g'), '\u241e']],
  },
  resultFrame: { kind: 'object', key: 'tool_result' },
  opensText: JSON_TEXT,
  lookalikes: [],
  missingMarkup: [],
  examples: {
    damaged: null,
    tour: null,
  },
}

const protocol = `# Calling tools
Call tools with your own tool calling; their schemas come with this request.
Rules:
- Give exactly the parameters of the schema, every value in full.
- Several calls in one reply run in order.
- A call that is only written as text does not run; that is how to show one as an example.`

/**
 * The schemas are sent beside the prompt, so this text is for users: it shows what the model receives and what it
 * costs.
 */
function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const schemas = byName(tools).map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  )
  return [
    { kind: 'protocol', title: 'Protocol', text: protocol },
    { kind: 'tools', title: 'Tools', text: schemas.join('\n'), apart: true },
    behaviourPart(),
  ]
}

export const native: StrategyModule = {
  id: 'Native',
  summary: {
    en: 'The model’s own tool calling, where its server offers it.',
    'zh-CN': '模型自带的工具调用，需要它的服务器提供。',
  },
  callsBy: 'provider',
  dialect: nativeDialect,
  promptParts,
  formatCalls,
  showCalls,
  formatResults,
  createScanner: (options) => new NativeScanner(options, 'live'),
  ...facts,
}
