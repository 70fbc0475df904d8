import type { ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import { foldToolName } from '@/lib/base/text/nearest-path'
import {
  registeredToolLimits,
  type RegisteredTool,
  type PermissionLevel,
} from '@/lib/shared/conversation/settings/registered-tool'
import { toolNames, withMark } from '@/lib/shared/mcp/tool-names'
import { usableSchema } from '@/lib/shared/mcp/tool-schema'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

/** The tools of a set for readers, prompts and cards: those that only pages may ask for are left out. */
export function toolsOfSet(
  { server, host, prefix }: Omit<ToolSetRef, 'hash'>,
  approved: readonly McpTool[],
): readonly RegisteredTool[] {
  const tools = approved.filter(({ visibility }) => visibility !== 'app')
  const names = toolNames(
    prefix,
    tools.map(({ name }) => name),
  )
  return tools.map((tool) => ({
    name: names.get(tool.name) ?? tool.name,
    description: descriptionOf(tool),
    parameters: usableSchema(tool.inputSchema),
    permission: levelOf(tool),
    files: 'none',
    ...(titleOf(tool) !== '' && { title: titleOf(tool) }),
    origin: 'registered',
    remote: { server, host, name: tool.name },
  }))
}

/** The tools of a chat: its own, and those of its sets. A duplicate name gets a mark. */
export function withSetTools(
  own: readonly RegisteredTool[],
  ofSets: readonly RegisteredTool[],
): readonly RegisteredTool[] {
  if (ofSets.length === 0) return own
  const taken = new Set(own.map(({ name }) => foldToolName(name)))
  const all = [...own]
  for (const tool of ofSets) {
    const isTaken = taken.has(foldToolName(tool.name))
    const name = isTaken ? withMark(tool.name, `${tool.remote?.server} ${tool.remote?.name}`) : tool.name
    if (taken.has(foldToolName(name))) continue
    taken.add(foldToolName(name))
    all.push(isTaken ? { ...tool, name } : tool)
  }
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A server's hints lower nothing: read-only is at best moderate, and a tool without hints is sensitive. */
const levelOf = ({ annotations = {} }: McpTool): PermissionLevel =>
  annotations['readOnlyHint'] === true && annotations['destructiveHint'] !== true ? 'moderate' : 'sensitive'

const titleOf = ({ title, annotations }: McpTool): string => {
  const shownTitle = title ?? annotations?.['title']
  return typeof shownTitle === 'string' ? shownTitle.trim().slice(0, registeredToolLimits.maxTitleChars) : ''
}

const descriptionOf = (tool: McpTool): string => tool.description?.trim() || titleOf(tool) || tool.name
