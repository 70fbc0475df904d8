import { describe, expect, it } from 'vitest'
import { testTools } from './testing/tools'
import { toolContextBuilder, describeProblem } from './tool-context-builder'
import type { StrategyId } from './types/tool-context-def'

const firstCall = (strategy: StrategyId, name: string, args: Record<string, string | number>) => {
  const text = toolContextBuilder.get(strategy).formatCalls([{ name, arguments: args }])
  const call = toolContextBuilder
    .parseResponse(strategy, text, testTools)
    .segments.find((segment) => segment.kind === 'call')
  if (!call) throw new Error('no call')
  return call
}

const brokenMessage = (strategy: StrategyId, text: string): string => {
  const segment = toolContextBuilder
    .parseResponse(strategy, text, testTools)
    .segments.find((one) => one.kind === 'broken')
  if (!segment) throw new Error('not broken')
  return segment.message
}

describe.each(toolContextBuilder.strategies.map((def) => def.id))('the error message for the model under %s', (id) => {
  it('names the nearest tools for an unknown one', () => {
    const message = describeProblem(firstCall(id, 'readfil', { path: '/a' }), testTools, id)
    expect(message).toContain('no tool named readfil')
    expect(message).toContain('read_file(path: string, offset?: integer, limit?: integer)')
    expect(message).not.toContain('delete_path')
  })

  it('says which argument does not fit and shows a correct call that can be read', () => {
    const message = describeProblem(firstCall(id, 'read_file', { offset: 'soon' }), testTools, id)
    expect(message).toContain('path is required (string)')
    expect(message).toContain('offset must be an integer, not a string')
    if (toolContextBuilder.get(id).callsBy === 'provider') {
      // The model can't write this form itself: the message says what the call must contain.
      expect(message).toContain('read_file with the arguments {"path":"/example/a.md"}')
      return
    }
    const example = toolContextBuilder
      .parseResponse(id, message, testTools)
      .segments.find((segment) => segment.kind === 'call')
    expect(example).toMatchObject({ name: 'read_file', standing: 'live', problem: null })
  })

  it('says that a tool is disabled', () => {
    expect(describeProblem(firstCall(id, 'delete_path', { path: '/a' }), testTools, id)).toContain('turned off')
  })

  it('asks for smaller parts after a cut, and shows the place', () => {
    const whole = toolContextBuilder
      .get(id)
      .formatCalls([{ name: 'write_file', arguments: { path: '/a', content: 'lorem ipsum dolor' } }])
    const message = brokenMessage(id, whole.slice(0, whole.indexOf('dolor')))
    expect(message).toContain('write_file')
    expect(message).toContain('smaller parts')
    expect(message).toContain('write_file(path: string, content: string)')
  })
})
