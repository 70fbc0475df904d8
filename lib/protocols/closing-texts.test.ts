import { describe, expect, it } from 'vitest'
import { everyFew, rounds } from '@/scripts/test/nightly'
import { closingTexts } from './testing/closing-texts'
import { liveCalls } from './testing/live-calls'
import { nestedTools } from './testing/nested-calls'
import { toolContextBuilder } from './tool-context-builder'
import type { StrategyId, ToolSpec } from './types/tool-context-def'

const tools: readonly ToolSpec[] = [
  ...nestedTools,
  {
    name: 'run_command',
    description: 'Runs a command.',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
]

/**
 * Texts that contain a whole call. If the outer call's end closes that call, it looks exactly like an honest second
 * call.
 */
const WHOLE = new Set(['call', 'call and markup', 'whole call', 'whole call after words', 'glued call'])

describe.each<StrategyId>(['JSON_Strict', 'JSON_Action', 'XML_Tag', 'VCP', 'Tool_Action'])('%s', (id) => {
  const def = toolContextBuilder.get(id)
  const texts = everyFew(
    closingTexts(id).filter(({ kind }) => WHOLE.has(kind)),
    4,
  )

  it('never runs a call in a text that closes its own call, nor the start of that text', () => {
    const wrong = texts.filter(({ text, content, kind }) => {
      // A VCP field may contain the mark that ends fields: both calls are valid then.
      if (id === 'VCP' && kind === 'call and markup' && text.includes('「')) return false
      return liveCalls(def, text, tools).some(
        ({ name, arguments: args }) => name === 'run_command' || !Object.values(args).includes(content),
      )
    })
    expect(texts.length).toBeGreaterThan(rounds(500))
    expect(wrong.map(({ text }) => text)).toEqual([])
  }, 60_000)

  it('runs both calls of a reply followed by prose with quotes and brackets', () => {
    const calls = ['/a', '/b'].map((path) => ({ name: 'read_file', arguments: { path } }))
    const written = def.formatCalls(calls)
    for (const prose of [
      'It says "a [b]".',
      'Use `"}}` there.',
      'See {"a": ["b"]}.',
      'A 5" disk (or 3") :-]',
      'f({"a": "}"})',
    ])
      expect(liveCalls(def, `${written}\n\n${prose}\n`, tools).map(({ name }) => name)).toEqual([
        'read_file',
        'read_file',
      ])
  })
})
