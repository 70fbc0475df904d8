import { foldToolName } from '@/lib/base/text/fold-tool-name'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { maxListed } from '@/lib/protocols/prompt/unlisted-tools'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { toolOfRegistered } from './registered-tool'
import type { ToolDefinition } from './tool'

/** The tools of one conversation. The same set gives the same arrays. */
export interface ToolSet {
  /** In the order in which people see them: the built-in ones, then those that the conversation registered. */
  readonly list: () => readonly ToolDefinition[]
  readonly get: (name: string) => ToolDefinition | undefined
  /** What strategies need to know of the tools that models may call, sorted by name. */
  readonly specs: () => readonly ToolSpec[]
}

/**
 * Which tools there are. Made by the wiring of the server and of the page; whoever reads replies, writes prompts or shows
 * cards is given it.
 */
export interface ToolRegistry {
  /**
   * The tools of a conversation with these tools of its own, as its rows hold them. Equal rows give the same set. A name
   * of a built-in tool is that tool's, whatever a row says.
   */
  readonly of: (registered: readonly RegisteredTool[]) => ToolSet
  /** Every built-in tool, also those that few conversations have: what a page can run. */
  readonly builtIn: ToolSet
  /** Whether a tool of a conversation may be called so: no built-in tool has the name, or goes by it in VCP, in any case. */
  readonly isFree: (name: string) => boolean
}

/** A server meets many conversations; the oldest found goes first. */
const MAX_SETS = 64

/** Throws on two tools of one name: that is our mistake. */
export function createToolRegistry(builtIn: readonly ToolDefinition[]): ToolRegistry {
  const taken = new Set(
    builtIn.flatMap(({ spec: { name, vcpCommand = name } }) => [foldToolName(name), foldToolName(vcpCommand)]),
  )
  // `find_tools` is there where it may have something to find.
  const plain = toolSet(builtIn.filter(({ policy }) => !policy.findsTools))
  const byRows = new WeakMap<readonly RegisteredTool[], ToolSet>()
  const byText = new Map<string, ToolSet>()
  const isFree = (name: string) => !taken.has(foldToolName(name))

  function find(registered: readonly RegisteredTool[]): ToolSet {
    const text = JSON.stringify(registered)
    const known = byText.get(text)
    if (known) return known
    const [oldest] = byText.keys()
    if (byText.size >= MAX_SETS && oldest !== undefined) byText.delete(oldest)
    const isMany = registered.filter(({ remote }) => remote !== undefined).length > maxListed
    const set = toolSet([
      ...(isMany ? builtIn : plain.list()),
      ...registered.filter(({ name }) => isFree(name)).map((tool) => toolOfRegistered(tool)),
    ])
    byText.set(text, set)
    return set
  }

  return {
    isFree,
    builtIn: toolSet(builtIn),
    of(registered) {
      if (registered.length === 0) return plain
      const set = byRows.get(registered) ?? find(registered)
      byRows.set(registered, set)
      return set
    },
  }
}

function toolSet(tools: readonly ToolDefinition[]): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]))
  if (byName.size !== tools.length) {
    throw new Error(`two tools share one name: ${tools.map(({ spec }) => spec.name).join(', ')}`)
  }
  const specs = tools
    .filter((tool) => tool.policy.agentCallable)
    .map(specOf)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { list: () => tools, get: (name) => byName.get(name), specs: () => specs }
}

const specOf = ({
  spec: { name, description, parameters, vcpCommand, vcpParameters },
  policy,
}: ToolDefinition): ToolSpec => ({
  name,
  description,
  parameters,
  ...(policy.permission === 'sensitive' && { sensitive: true }),
  ...(vcpCommand !== undefined && { vcpCommand }),
  ...(vcpParameters !== undefined && { vcpParameters }),
})
