import { finishCall } from './arguments/finish-call'
import { createToolIndex } from './arguments/tool-index'
import type { ReadCall } from './arguments/dialect'
import { offeredTools } from './prompt/offered-tools'
import { strategies } from './registry'
import type { ReplyForm } from './types/reply-form'
import type { ParsedReply } from './types/segment'
import type { CallToWrite, PromptPart, StrategyId, ToolContextDef, ToolSpec } from './types/tool-context-def'

export interface ToolContextBuilder {
  readonly strategies: readonly ToolContextDef[]
  /** Throws for a form that it was not taught. */
  get(form: ReplyForm): ToolContextDef
  /** The form of replies that are one JSON value: those who meet one load it. */
  learnWhole(def: ToolContextDef): void
  readonly knowsWhole: boolean
  isStrategyId(value: unknown): value is StrategyId
  /** Reads a whole reply. `tools` are all known ones; those that are not offered carry `disabled`. */
  parseResponse(form: ReplyForm, text: string, tools: readonly ToolSpec[]): ParsedReply
  /** Fits a call that a person wrote to its tool, and says what is wrong with it, like with one of the model's. */
  readCall(call: CallToWrite, tools: readonly ToolSpec[]): ReadCall
  /** All that tells the model of the tools, in parts; [] when none are offered. Parts that are `apart` are not spliced. */
  promptParts(form: ReplyForm, tools: readonly ToolSpec[]): readonly PromptPart[]
  /**
   * The system prompt with the tool block: where `{{tools}}` stands, else at the end. With tools off, or none offered,
   * `{{tools}}` becomes ''. `{{tool_context}}`, text that changes with every turn, is left alone.
   */
  spliceSystemPrompt(
    system: string,
    options: { readonly strategy: ReplyForm; readonly tools: readonly ToolSpec[]; readonly enabled: boolean },
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
    get knowsWhole() {
      return whole !== undefined
    },
    isStrategyId: (value): value is StrategyId => typeof value === 'string' && byId.has(value),
    parseResponse(form, text, tools) {
      const scanner = get(form).createScanner(tools)
      scanner.push(text)
      return scanner.end()
    },
    readCall: (call, tools) =>
      finishCall({ ownId: null, name: call.name, arguments: call.arguments, repairs: [] }, createToolIndex(tools)),
    promptParts,
    spliceSystemPrompt(system, { strategy, tools, enabled }) {
      const block = enabled
        ? promptParts(strategy, tools)
            .filter((part) => part.apart !== true)
            .map((part) => part.text)
            .join('\n\n')
        : ''
      if (system.search(MARK) >= 0) return system.replaceAll(MARK, () => block)
      if (block === '') return system
      return system.trim() === '' ? block : `${system.trimEnd()}\n\n${block}`
    },
  }
}

/** Keeps the parts for each strategy and each array of tools: writing them takes most of the time that a prompt takes. */
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
    // A strategy whose words were replaced writes them anew.
    if (known?.by === def.promptParts) return known.parts
    const parts = def.promptParts(tools)
    ofTools.set(def, { by: def.promptParts, parts })
    return parts
  }
}

export const toolContextBuilder: ToolContextBuilder = createToolContextBuilder(strategies)
