import { makeModelMessage } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import type { CallSegment, ParsedReply, Segment } from '@/lib/protocols/types/segment'
import { defaultStrategy, type StrategyId, type ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import { toolOfRegistered } from '@/lib/shared/tools/tool-registry'
import type { ChatServicePorts } from '../../stored-chats/chat-service-ports'

/*
 * A minimal strategy for tests: each line `CALL name {json}` is a live call, `QUOTED name {json}` an example, `GUESSED
 * name {json}` a call with guessed quotation marks, `BROKEN` an unreadable call; any other line is text.
 */

const CALL = /^(CALL|QUOTED|GUESSED) (\w+) (.*)$/

function problemOf(name: string, args: JsonObject, tools: readonly ToolSpec[]): CallSegment['problem'] {
  const tool = tools.find((spec) => spec.name === name)
  if (!tool) return { code: 'unknown-tool', nearest: [] }
  if (tool.disabled) return { code: 'disabled-tool' }
  if (!('path' in args))
    return {
      code: 'invalid-arguments',
      issues: [{ path: 'path', ...makeModelMessage('argument.required', { types: [] }) }],
    }
  return null
}

function parse(id: StrategyId, text: string, tools: readonly ToolSpec[]): ParsedReply {
  let at = 0
  let slot = 0
  const segments = text.split(/(?<=\n)/).map((line): Segment => {
    const range = { start: at, end: (at += line.length) }
    if (line.startsWith('BROKEN')) return { kind: 'broken', ...range, reason: 'bad-json', message: 'no JSON' }
    const match = CALL.exec(line.trimEnd())
    if (!match) return { kind: 'text', ...range }
    const [, mark, name = '', json = '{}'] = match
    const args = JSON.parse(json) as JsonObject
    return {
      kind: 'call',
      ...range,
      id: `call_${(slot += 1)}`,
      name,
      arguments: args,
      standing: mark === 'QUOTED' ? 'quoted' : 'live',
      verdict: 'ok',
      repairs: mark === 'GUESSED' ? ['bare-quote'] : [],
      coercions: [],
      dialect: id,
      problem: problemOf(name, args, tools),
    }
  })
  return { type: slot > 0 ? 'mixed' : 'text', segments }
}

const facts: readonly ToolFacts[] = [
  { spec: { name: 'list_directory' }, policy: { permission: 'public', requireExecutionApproval: 'never' } },
  {
    spec: { name: 'read_file' },
    policy: { permission: 'moderate', paths: ({ path }) => (typeof path === 'string' ? [path] : []) },
  },
  {
    spec: { name: 'write_file' },
    policy: { permission: 'sensitive', requireExecutionApproval: 'never', requireResultApproval: 'on-error' },
  },
]

export const lineToolFacts: ChatServicePorts['toolFacts'] = (name, registered) =>
  [...facts, ...registered.map((tool) => toolOfRegistered(tool))].find((tool) => tool.spec.name === name)

export const lineTools: readonly ToolSpec[] = facts.map(({ spec: { name } }) => ({
  name,
  description: name,
  parameters: { type: 'object' },
}))

/** As in production, a tool that is not registered is offered only if it was switched on by name. */
export const lineToolsOf: ChatServicePorts['discoverTools'] = ({ toolToggles }, registered) =>
  [...lineTools, ...registered.map(({ name, description, parameters }) => ({ name, description, parameters }))].map(
    (tool) => {
      const own = registered.find(({ name }) => name === tool.name)
      const offered = toolToggles[tool.name] ?? (own === undefined || own.origin === 'registered')
      return offered ? tool : { ...tool, disabled: true }
    },
  )

/** A test double of the ToolContextBuilder for tests of the chat service, which use only slots and problems. */
export const lineBuilder: ChatServicePorts['builder'] = {
  parseResponse: parse,
  get: (id) => ({
    id: id === 'whole' ? defaultStrategy : id,
    callsBy: id === 'Native' ? 'provider' : 'model',
    summary: '',
    stops: [],
    promptParts: () => [],
    createScanner: () => {
      throw new Error('not used here')
    },
    formatCalls: (calls) => calls.map(({ name, arguments: args }) => `CALL ${name} ${JSON.stringify(args)}`).join('\n'),
    formatResults: (results) => ({ text: JSON.stringify(results) }),
  }),
  promptParts: () => [],
  spliceSystemPrompt: (system, { skills = '' }) => [system, skills].filter((text) => text !== '').join('\n\n'),
  readCall: ({ name, arguments: args }, tools) => ({
    name,
    arguments: args,
    repairs: [],
    coercions: [],
    problem: problemOf(name, args, tools),
  }),
}
