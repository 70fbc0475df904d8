import { readersLanguage } from '@/lib/base/text/reader'
import { toolIndexOf } from './arguments/tool-index'
import { foreignDialects } from './other-dialects'
import { jsonAction } from './json-action'
import { jsonStrict } from './json-strict'
import { native } from './native'
import { NativeScanner } from './native/scanner'
import { createNeutraliser, type Neutraliser } from './neutralise/neutralise'
import { createResultFrames } from './scan/outer-end'
import type { ScannerOptions } from './scan/scan-state'
import type { StrategyModule } from './strategy-module'
import { teachBreakage, createHarmlessSpecs } from './prompt/teach-breakage'
import type { CallToWrite, StrategyId, ToolContextDef } from './types/tool-context-def'
import { toolAction } from './tool-action'
import { vcp } from './vcp'
import { xmlTag } from './xml-tag'
import type { ResultFrame } from './types/strategy-facts'

/** Every strategy; adding one is a folder and a line here (and its id in `strategyIds`, in the same order). */
const modules = {
  JSON_Strict: jsonStrict,
  XML_Tag: xmlTag,
  VCP: vcp,
  Tool_Action: toolAction,
  JSON_Action: jsonAction,
  Native: native,
} as const satisfies Record<StrategyId, StrategyModule>

/** What each folder brings, in order; everything that must know of all strategies is made of these. */
export const strategyModules: readonly StrategyModule[] = Object.values(modules)

/** Takes the power from every mark of every strategy. */
export const neutralise: Neutraliser = createNeutraliser(strategyModules.flatMap(({ marks }) => marks.inResults))

const marksInProse = strategyModules.flatMap(({ marks }) => marks.inProse)

/** Descriptions of others hold no mark of any strategy: a model that repeats them writes no call. */
const harmless = createHarmlessSpecs((text) =>
  marksInProse.reduce((said, [mark, instead]) => said.replace(mark, instead), text),
)

const frames = createResultFrames(strategyModules.map(({ resultFrame }) => resultFrame))

/** A module with its scanner: its own dialect first, then the other strategies and known dialects, which are foreign. */
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
    // Schemas beside the prompt go as they are: nothing that a provider reads there is a call.
    promptParts: (tools) => module.promptParts(callsBy === 'provider' ? tools : tools.map(harmless)),
    stops: callsBy === 'provider' ? [] : stopsOf(module.resultFrame),
    formatCalls,
    ...(showCalls === undefined ? {} : { showCalls }),
    formatResults: (results, boundary) => module.formatResults(results, boundary, neutralise),
    createScanner(specs) {
      const tools = toolIndexOf(specs)
      // A hopeless reply may hold thousands of broken calls: the example of each tool is written once.
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
 * How a result opens, as a model writes one that it makes up. Behind a line break where calls hold texts as they are: there
 * a document about the form may hold the mark itself.
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
