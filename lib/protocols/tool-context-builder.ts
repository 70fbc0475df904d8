import { toolIndexOf } from './arguments/tool-index'
import { type ReadCall, finishCall } from './arguments/dialect'
import { offeredTools } from './prompt/unlisted-tools'
import { strategies } from './registry'
import type { ParsedReply, CallSegment } from './types/segment'
import type { CallToWrite, PromptPart, StrategyId, ToolContextDef, ToolSpec, ReplyForm } from './types/tool-context-def'
import { estimateTokens } from './prompt/token-estimate'
import { assertNever } from '@/lib/base/result'
import { signatureOf } from './prompt/signature'
import { lesson } from './prompt/example-arguments'

export interface ToolContextBuilder {
  readonly strategies: readonly ToolContextDef[]
  /** Throws for a form that is not registered. */
  get(form: ReplyForm): ToolContextDef
  /** Registers the form of replies that are one JSON value; code that needs this form loads it. */
  learnWhole(def: ToolContextDef): void
  readonly hasEnvelopeForm: boolean
  isStrategyId(value: unknown): value is StrategyId
  /** Reads a whole reply. `tools` are all known tools; those that are not offered carry `disabled`. */
  parseResponse(form: ReplyForm, text: string, tools: readonly ToolSpec[]): ParsedReply
  /** Fits a call that a user wrote to its tool and reports its problems, as for a call of the model. */
  readCall(call: CallToWrite, tools: readonly ToolSpec[]): ReadCall
  /** The prompt parts that describe the tools; [] if none is offered. Parts with `apart` are not spliced. */
  promptParts(form: ReplyForm, tools: readonly ToolSpec[]): readonly PromptPart[]
  /**
   * The system prompt with the tool block in place of `{{tools}}`, or else at the end. If tools are off or none is
   * offered, `{{tools}}` becomes ''. `{{tool_context}}`, text that changes with every turn, is left alone. The skills
   * follow the tools (`skillsText`).
   */
  spliceSystemPrompt(
    system: string,
    options: {
      readonly strategy: ReplyForm
      readonly tools: readonly ToolSpec[]
      readonly enabled: boolean
      readonly skills?: string
    },
  ): string
}

const MARK = /\{\{[ \t]*tools[ \t]*\}\}/g

export function createToolContextBuilder(defs: readonly ToolContextDef[]): ToolContextBuilder {
  const byId = new Map<string, ToolContextDef>(defs.map((def) => [def.id, def]))
  let whole: ToolContextDef | undefined
  const get = (form: ReplyForm): ToolContextDef => {
    const def = form === 'whole' ? whole : byId.get(form)
    if (!def) throw new Error(`unknown strategy: ${form}`)
    return def
  }
  const partsOf = createPartsCache()
  const promptParts = (form: ReplyForm, tools: readonly ToolSpec[]) => {
    const offered = offeredTools(tools)
    return offered.length === 0 ? [] : partsOf(get(form), offered)
  }
  return {
    strategies: defs,
    get,
    learnWhole(def) {
      whole = def
    },
    get hasEnvelopeForm() {
      return whole !== undefined
    },
    isStrategyId: (value): value is StrategyId => typeof value === 'string' && byId.has(value),
    parseResponse(form, text, tools) {
      const scanner = get(form).createScanner(tools)
      scanner.push(text)
      return scanner.end()
    },
    readCall: (call, tools) =>
      finishCall({ ownId: null, name: call.name, arguments: call.arguments, repairs: [] }, toolIndexOf(tools)),
    promptParts,
    spliceSystemPrompt(system, { strategy, tools, enabled, skills = '' }) {
      const told = promptParts(strategy, tools)
        .filter((part) => part.apart !== true)
        .map((part) => part.text)
      const block = enabled ? [...told, skills].filter((text) => text !== '').join('\n\n') : ''
      if (system.search(MARK) >= 0) return system.replaceAll(MARK, () => block)
      if (block === '') return system
      return system.trim() === '' ? block : `${system.trimEnd()}\n\n${block}`
    },
  }
}

/**
 * Caches the parts for each strategy and each array of tools, because writing them takes most of the time of a prompt.
 */
function createPartsCache() {
  interface Made {
    readonly by: ToolContextDef['promptParts']
    readonly parts: readonly PromptPart[]
  }
  const made = new WeakMap<readonly ToolSpec[], WeakMap<ToolContextDef, Made>>()
  return (def: ToolContextDef, tools: readonly ToolSpec[]): readonly PromptPart[] => {
    const ofTools = made.get(tools) ?? new WeakMap<ToolContextDef, Made>()
    made.set(tools, ofTools)
    const known = ofTools.get(def)
    // A strategy whose text was replaced writes its parts again.
    if (known?.by === def.promptParts) return known.parts
    const parts = def.promptParts(tools)
    ofTools.set(def, { by: def.promptParts, parts })
    return parts
  }
}

export const toolContextBuilder: ToolContextBuilder = createToolContextBuilder(strategies)

/**
 * Tokens of a system prompt as sent, including the tool schemas that a strategy sends beside it; without `tools`: tools
 * are off.
 */
export const promptTokens = (whole: string, strategy: ReplyForm, tools: readonly ToolSpec[]): number =>
  toolContextBuilder
    .promptParts(strategy, tools)
    .reduce((sum, { apart, text }) => sum + (apart ? estimateTokens(text) : 0), estimateTokens(whole))

/** Tokens that a strategy costs for these tools in every turn: its block of the prompt, and the schemas beside it. */
export const promptCost = (strategy: StrategyId, tools: readonly ToolSpec[]): number =>
  promptTokens(toolContextBuilder.spliceSystemPrompt('', { strategy, tools, enabled: true }), strategy, tools)

const sample: CallToWrite = { name: 'read_file', arguments: { path: '/notes/a.md' } }

/** How a model writes a call in a strategy, so that users can compare them; null if its calls are beside the text. */
export function sampleCall(id: StrategyId): string | null {
  const strategy = toolContextBuilder.get(id)
  if (strategy.callsBy === 'provider') return null
  return strategy.showCalls?.([sample]) ?? strategy.formatCalls([sample])
}

/**
 * Explains to the model why a parsed call can't run: the problem, the tool's signature, and a minimal correct call in
 * the strategy. '' if the call has no problem.
 */
export function describeProblem(
  call: Pick<CallSegment, 'name' | 'problem'>,
  tools: readonly ToolSpec[],
  strategy: ReplyForm,
): string {
  const { problem } = call
  if (problem === null) return ''
  const name = call.name.slice(0, 80)
  const def = toolContextBuilder.get(strategy)
  const formatCalls = (calls: readonly CallToWrite[]) => def.showCalls?.(calls) ?? def.formatCalls(calls)
  const spec = tools.find((one) => one.name === call.name)
  switch (problem.code) {
    case 'unknown-tool': {
      const offered = tools.filter((tool) => !tool.disabled)
      const nearest = offered.filter((tool) => problem.nearest.includes(tool.name))
      const list = nearest.length > 0 ? nearest : offered.slice(0, 20)
      const names = list.map((tool) => `- ${signatureOf(tool)}`).join('\n')
      if (list.length === 0) return `There is no tool named ${name}, and no tools are offered here. Answer in words.`
      return `There is no tool named ${name}. Nothing ran. ${nearest.length > 0 ? 'The nearest ones are' : 'The tools are'}:\n${names}`
    }
    case 'invalid-arguments': {
      const issues = problem.issues.map((issue) => `- ${issue.path || 'the arguments'} ${issue.message}`).join('\n')
      return `The arguments of ${name} do not fit. Nothing ran.\n${issues}\n${lesson(spec, formatCalls).trim()}`
    }
    case 'disabled-tool':
      return `The tool ${name} is turned off in this conversation. Nothing ran. Go on without it, or ask the user to turn it on.`
    case 'duplicate':
      return `This call to ${name} repeats an earlier call of the same reply and was not run again.`
    default:
      return assertNever(problem)
  }
}
