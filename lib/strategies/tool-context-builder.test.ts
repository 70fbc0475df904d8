import { describe, expect, it } from 'vitest'
import { testTools } from './testing/tools'
import { toolContextBuilder } from './tool-context-builder'

const splice = (system: string, enabled = true, tools = testTools) =>
  toolContextBuilder.spliceSystemPrompt(system, { strategy: 'JSON_Strict', tools, enabled })

describe('toolContextBuilder', () => {
  it('knows its strategies, JSON_Strict first', () => {
    expect(toolContextBuilder.strategies.map((def) => def.id)).toEqual([
      'JSON_Strict',
      'XML_Tag',
      'VCP',
      'Tool_Action',
      'JSON_Action',
      'Native',
    ])
    expect(toolContextBuilder.isStrategyId('VCP')).toBe(true)
    expect(toolContextBuilder.isStrategyId('toString')).toBe(false)
    expect(toolContextBuilder.isStrategyId(null)).toBe(false)
  })

  it('puts the block where {{tools}} stands, every time, and nowhere else', () => {
    const text = splice('A {{tools}} B {{ tools }} C')
    expect(text).toMatch(/^A # Calling tools[^]* B # Calling tools[^]* C$/)
    expect(text).not.toContain('{{')
  })

  it('puts the block at the end of a prompt that does not say where', () => {
    expect(splice('Be kind.')).toMatch(/^Be kind\.\n\n# Calling tools/)
    expect(splice('')).toMatch(/^# Calling tools/)
  })

  it('leaves nothing of it when tools are off or none is offered', () => {
    expect(splice('A {{tools}}B', false)).toBe('A B')
    expect(splice('A', false)).toBe('A')
    expect(splice('A {{tools}}', true, [])).toBe('A ')
  })

  it('does not take dollar signs of a description for patterns', () => {
    const tool = { name: 'pay', description: 'Pays $& and $1.', parameters: { type: 'object', properties: {} } }
    expect(splice('{{tools}}', true, [tool])).toContain('Pays $& and $1.')
  })

  it('leaves {{tool_context}} alone', () => {
    expect(splice('{{tool_context}} {{tools}}', false)).toBe('{{tool_context}} ')
  })

  it('does not tell the model of disabled tools', () => {
    expect(splice('{{tools}}')).not.toContain('delete_path')
    expect(toolContextBuilder.promptParts('VCP', testTools).map((part) => part.kind)).toEqual([
      'protocol',
      'tools',
      'behaviour',
    ])
  })

  it('names the markers of one strategy only', () => {
    const marks = {
      JSON_Strict: 'tool_calls',
      XML_Tag: '<tool_code>',
      VCP: '<<<[TOOL_REQUEST]>>>',
      Tool_Action: '<tool_action',
      JSON_Action: '"action"',
    }
    for (const { id } of toolContextBuilder.strategies) {
      const text = toolContextBuilder.spliceSystemPrompt('', { strategy: id, tools: testTools, enabled: true })
      for (const [other, mark] of Object.entries(marks)) expect(text.includes(mark)).toBe(other === id)
    }
  })

  it('spends about ninety characters on a small tool', () => {
    const tools = toolContextBuilder.promptParts('JSON_Strict', testTools.slice(0, 1))[1]?.text ?? ''
    expect(tools.length).toBeLessThan(90)
  })
})
