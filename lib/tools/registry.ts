import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import { browserJsEval } from './browser-js-eval'
import { deletePath } from './delete-path'
import { editFile } from './edit-file'
import { getTime } from './get-time'
import { listDirectory } from './list-directory'
import { movePath } from './move-path'
import { pythonEval } from './python-eval'
import { readFile } from './read-file'
import { searchFiles } from './search-files'
import { show } from './show'
import type { ToolDefinition } from './tool'
import { writeFile } from './write-file'

export interface ToolRegistry {
  /** Goes up by one with every tool that comes or goes. */
  readonly version: number
  /** In the order in which people see them; the same array until a tool comes or goes, like that of `specs`. */
  list(): readonly ToolDefinition[]
  get(name: string): ToolDefinition | undefined
  /** What strategies need to know of the tools that models may call, sorted by name. */
  specs(): readonly ToolSpec[]
  /** Adds a tool at the end and gives the way to take this one out again. Throws when the name is taken: our mistake. */
  register(tool: ToolDefinition): () => void
  /** False: there was no such tool. */
  unregister(name: string): boolean
  /** Called after a tool came or went. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
}

const toSpec = (tool: ToolDefinition): ToolSpec => ({
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  ...(tool.vcpCommand !== undefined && { vcpCommand: tool.vcpCommand }),
  ...(tool.vcpParameters !== undefined && { vcpParameters: tool.vcpParameters }),
})

const specsOf = (tools: readonly ToolDefinition[]): readonly ToolSpec[] =>
  tools
    .filter((tool) => tool.agentCallable)
    .map(toSpec)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** A registry that begins with these tools. Throws on two tools of one name: that is our mistake. */
export function createToolRegistry(tools: readonly ToolDefinition[]): ToolRegistry {
  const byName = new Map<string, ToolDefinition>()
  const listeners = new Set<() => void>()
  let version = 0
  let list: readonly ToolDefinition[] = []
  let specs: readonly ToolSpec[] = []

  const add = (tool: ToolDefinition) => {
    if (byName.has(tool.name)) throw new Error(`two tools share one name: ${tool.name}`)
    byName.set(tool.name, tool)
  }
  const settle = () => {
    list = [...byName.values()]
    specs = specsOf(list)
  }
  const changed = () => {
    settle()
    version += 1
    for (const listener of listeners) listener()
  }
  const unregister = (name: string) => {
    if (!byName.delete(name)) return false
    changed()
    return true
  }

  for (const tool of tools) add(tool)
  settle()
  return {
    get version() {
      return version
    },
    list: () => list,
    get: (name) => byName.get(name),
    specs: () => specs,
    register(tool) {
      add(tool)
      changed()
      return () => {
        if (byName.get(tool.name) === tool) unregister(tool.name)
      }
    },
    unregister,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The built-in tools. To add one: a folder, and a line here. */
export const toolRegistry: ToolRegistry = createToolRegistry([
  browserJsEval,
  pythonEval,
  listDirectory,
  readFile,
  searchFiles,
  show,
  writeFile,
  editFile,
  movePath,
  deletePath,
  getTime,
])
