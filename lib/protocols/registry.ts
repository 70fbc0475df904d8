import { readersLanguage } from '@/lib/base/text/languages'
import { toolIndexOf } from './arguments/tool-index'
import { foreignDialects } from './other-dialects'
import { jsonAction } from './json-action'
import { jsonStrict } from './json-strict'
import { native } from './native'
import { NativeScanner } from './native/scanner'
import { createNeutraliser, type Neutraliser } from './neutralise/neutralise'
import { createResultFrames } from './scan/outer-end'
import type { ScannerOptions } from './scan/scan-state'
import { teachBreakage, createHarmlessSpecs } from './prompt/example-arguments'
import type { CallToWrite, StrategyId, ToolContextDef } from './types/tool-context-def'
import { toolAction } from './tool-action'
import { vcp } from './vcp'
import { xmlTag } from './xml-tag'
import type { ResultFrame } from './types/strategy-facts'
import type { StrategyModule } from './strategy-module'

/** Every strategy. To add one, add a folder, a line here, and its id in `strategyIds`, in the same order. */
const modules = {
  JSON_Strict: jsonStrict,
  XML_Tag: xmlTag,
  VCP: vcp,
  Tool_Action: toolAction,
  JSON_Action: jsonAction,
  Native: native,
} as const satisfies Record<StrategyId, StrategyModule>

/** The module of each folder, in order; everything that needs all strategies is built from these. */
export const strategyModules: readonly StrategyModule[] = Object.values(modules)

/** Neutralises every mark of every strategy. */
export const neutralise: Neutraliser = createNeutraliser(strategyModules.flatMap(({ marks }) => marks.inResults))

const marksInProse = strategyModules.flatMap(({ marks }) => marks.inProse)

/** Tools whose untrusted descriptions contain no mark of any strategy: a model that repeats them writes no call. */
const harmless = createHarmlessSpecs((text) =>
  marksInProse.reduce((result, [mark, instead]) => result.replace(mark, instead), text),
)

const frames = createResultFrames(strategyModules.map(({ resultFrame }) => resultFrame))

/**
 * A module with its scanner: its own dialect first, then the other strategies and known dialects, which are foreign.
 */
function define(module: StrategyModule): ToolContextDef {
  const { id, summary, callsBy, dialect, showCalls } = module
  const formatCalls = (calls: readonly CallToWrite[]) => module.formatCalls(calls, neutralise)
  const others = strategyModules.filter((other) => other !== module).map((other) => other.dialect)
  const dialects = [dialect, ...others, ...foreignDialects.filter(({ readBy }) => readBy !== id)]
  return {
    id,
    get summary() {
      return summary[readersLanguage()]
    },
    callsBy,
    // Schemas beside the prompt are sent unchanged: a provider reads no calls there.
    promptParts: (tools) => module.promptParts(callsBy === 'provider' ? tools : tools.map(harmless)),
    stops: callsBy === 'provider' ? [] : stopsOf(module.resultFrame),
    formatCalls,
    ...(showCalls === undefined ? {} : { showCalls }),
    formatResults: (results, boundary) => module.formatResults(results, boundary, neutralise),
    createScanner(specs) {
      const tools = toolIndexOf(specs)
      // A badly damaged reply may contain thousands of broken calls: the example of each tool is written once.
      const examples = new Map<string, string>()
      const write = (calls: readonly CallToWrite[]): string => {
        const key = calls.map((call) => call.name).join()
        const known = examples.get(key) ?? (showCalls ?? formatCalls)(calls)
        examples.set(key, known)
        return known
      }
      const options: ScannerOptions = {
        dialects,
        tools,
        frames,
        explain: (breakage, around) => teachBreakage(breakage, around, tools, write),
      }
      return module.createScanner?.(options) ?? new NativeScanner(options, 'foreign')
    },
  }
}

export const strategies: readonly ToolContextDef[] = strategyModules.map(define)

/**
 * The stop texts: how a result opens when a model invents one. They begin with a line break if calls contain strings as
 * they are, because a document about the form may contain the mark itself.
 */
function stopsOf(frame: ResultFrame): ToolContextDef['stops'] {
  switch (frame.kind) {
    case 'element':
      return [{ text: `\n<${frame.name} `, about: frame.name }]
    case 'object': {
      const { key, value } = frame
      const member = value === undefined ? `{"${key}":` : `{"${key}":"${value}"`
      return [{ text: member, about: value ?? key }]
    }
    case 'block':
      return [{ text: `\n${frame.open}`, about: frame.open }]
  }
}

const byId = new Map<string, StrategyModule>(strategyModules.map((module) => [module.id, module]))

/** The facts that a strategy's folder declares; undefined for an unknown id. */
export const factsOf = (id: string): StrategyModule | undefined => byId.get(id)
