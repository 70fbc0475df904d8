import { createToolIndex } from './arguments/tool-index'
import { foreignDialects } from './foreign'
import { jsonStrict } from './json-strict'
import { Scanner } from './scan/scanner'
import type { StrategyModule } from './strategy-module'
import { teachBreakage } from './teach-breakage'
import type { StrategyId, ToolContextDef } from './tool-context-def'
import { vcp } from './vcp'
import { xmlTag } from './xml-tag'

/** Every strategy; adding one is a folder and a line here (and its id in `StrategyId`). The first is the default. */
const modules = { JSON_Strict: jsonStrict, XML_Tag: xmlTag, VCP: vcp } as const satisfies Record<
  StrategyId,
  StrategyModule
>

const all: readonly StrategyModule[] = Object.values(modules)

/** A module with its scanner: its own dialect first, then the other strategies and known dialects, which are foreign. */
function define(module: StrategyModule): ToolContextDef {
  const { id, summary, dialect, promptParts, formatCalls, formatResults } = module
  const others = all.filter((other) => other !== module).map((other) => other.dialect)
  const dialects = [dialect, ...others, ...foreignDialects]
  return {
    id,
    summary,
    promptParts,
    formatCalls,
    formatResults,
    createScanner(specs) {
      const tools = createToolIndex(specs)
      return new Scanner({
        dialects,
        tools,
        explain: (breakage, around) => teachBreakage(breakage, around, tools, formatCalls),
      })
    },
  }
}

export const strategies: readonly ToolContextDef[] = all.map(define)
