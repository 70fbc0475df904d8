import { describe, expect, it } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { offer } from './probes/probe-tools'
import { wantsSwitch } from './measured-best'

const tools = offer('read_file')
const inForm = (form: StrategyId) =>
  toolContextBuilder.get(form).formatCalls([{ name: 'read_file', arguments: { path: '/a' } }])
const read = (text: string, strategy: StrategyId = 'XML_Tag') => ({
  strategy,
  reply: toolContextBuilder.parseResponse(strategy, text, tools),
})
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one)

describe('a model that keeps writing another format', () => {
  const foreign = read(inForm('Tool_Action'))
  const right = read(inForm('XML_Tag'))

  it('would do better under that format’s strategy, after three of five replies', () => {
    expect(wantsSwitch(times(2, foreign), 'XML_Tag', null)).toBeNull()
    const wanted = { to: 'Tool_Action', why: 'form', count: 3, replies: 4 }
    expect(wantsSwitch([...times(3, foreign), read('Just words.')], 'XML_Tag', null)).toEqual(wanted)
  })

  it('is left alone if it also follows its own format, or did so lately', () => {
    const both = read(`${inForm('XML_Tag')}\n\n${inForm('Tool_Action')}`)
    expect(wantsSwitch(times(5, both), 'XML_Tag', null)).toBeNull()
    expect(wantsSwitch([...times(3, foreign), ...times(3, right)], 'XML_Tag', null)).toBeNull()
  })

  it('is judged only by replies under the current strategy', () => {
    expect(wantsSwitch(times(5, foreign), 'Tool_Action', null)).toBeNull()
    expect(wantsSwitch([...times(3, foreign), read('words')], 'VCP', null)).toBeNull()
  })

  it('is directed to the measured strategy if its calls can’t be read at all', () => {
    const broken = read('<tool_code>{"name":"read_file","arguments":{"path":"/a')
    const hermes = read('<tool_call>\n{"name": "read_file", "arguments": {"path": "/a"}}\n</tool_call>')
    const replies = [broken, hermes, broken]
    expect(wantsSwitch(replies, 'XML_Tag', null)).toBeNull()
    expect(wantsSwitch(replies, 'XML_Tag', 'XML_Tag')).toBeNull()
    expect(wantsSwitch(replies, 'XML_Tag', 'VCP')).toEqual({ to: 'VCP', why: 'best', count: 3, replies: 3 })
  })
})
