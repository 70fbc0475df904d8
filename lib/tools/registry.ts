import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import { browserJsEval } from './browser-js-eval'
import { listDirectory } from './list-directory'
import { readFile } from './read-file'
import type { ToolDefinition } from './tool'
import { writeFile } from './write-file'

export interface ToolRegistry {
  /** In the order in which people see them. */
  list(): readonly ToolDefinition[]
  get(name: string): ToolDefinition | undefined
  /** What strategies need to know of the tools that models may call, sorted by name. */
  specs(): readonly ToolSpec[]
}

const toSpec = (tool: ToolDefinition): ToolSpec => ({
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  ...(tool.vcpCommand !== undefined && { vcpCommand: tool.vcpCommand }),
})

/** A registry over a fixed list of tools. Throws on two tools of one name: that is our mistake. */
export function createToolRegistry(tools: readonly ToolDefinition[]): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  if (byName.size !== tools.length) throw new Error('two tools share one name')
  const specs = tools
    .filter((tool) => tool.agentCallable)
    .map(toSpec)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { list: () => tools, get: (name) => byName.get(name), specs: () => specs }
}

/** The built-in tools. To add one: a folder, and a line here. */
export const toolRegistry: ToolRegistry = createToolRegistry([browserJsEval, listDirectory, readFile, writeFile])
