import { describe, expect, it } from 'vitest'
import { explainReply } from '@/lib/protocols/explain/explain-reply'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { takenCalls } from './reading-state'

const tools: readonly ToolSpec[] = [
  {
    name: 'read_file',
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]

describe('calls to run by hand', () => {
  it.each(toolContextBuilder.strategies.filter(({ id }) => id !== 'Native').map(({ id }) => id))(
    'include the runnable ones of %s, each with its own arguments, anywhere in the text',
    (strategy) => {
      const { formatCalls } = toolContextBuilder.get(strategy)
      const call = (args: Record<string, string>, name = 'read_file') => formatCalls([{ name, arguments: args }])
      const text = `<think>${call({ path: '/thought' })}</think>\nFirst:\n\n${formatCalls([
        { name: 'read_file', arguments: { path: '/a' } },
        { name: 'read_file', arguments: { path: '/b' } },
      ])}\n\n`
      const reply = toolContextBuilder.parseResponse(strategy, text, tools)
      const { items } = explainReply(text, reply, { strategy, tools })
      const taken = [...takenCalls(items, reply).values()].map((one) => one.arguments)
      const live = reply.segments.flatMap((one) =>
        one.kind === 'call' && one.standing === 'live' && one.problem === null ? [one.arguments] : [],
      )
      expect(live.length).toBeGreaterThan(0)
      expect(taken).toEqual(live)
    },
  )

  it('exclude those that can’t run', () => {
    const { formatCalls } = toolContextBuilder.get('XML_Tag')
    const text = `${formatCalls([{ name: 'nothing_of_the_kind', arguments: {} }])}\n${formatCalls([{ name: 'read_file', arguments: {} }])}`
    const reply = toolContextBuilder.parseResponse('XML_Tag', text, tools)
    const { items } = explainReply(text, reply, { strategy: 'XML_Tag', tools })
    expect(items.length).toBeGreaterThan(0)
    expect(takenCalls(items, reply).size).toBe(0)
  })
})
