import { describe, expect, it } from 'vitest'
import { explainReply, examples, type ExampleKind } from './explain-reply'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

const promised: Readonly<Record<ExampleKind, readonly string[]>> = {
  tour: ['reasoning', 'call', 'quote', 'foreign', 'broken'],
  plain: ['call'],
  mended: ['call'],
  'cut-off': ['broken'],
  quoted: ['quote'],
  thought: ['reasoning', 'quote', 'reasoning'],
  foreign: ['foreign'],
  bare: ['foreign'],
  function: ['miss'],
  unknown: ['problem'],
  invented: ['call', 'quote'],
}

describe('the examples', () => {
  it.each(examples)('$id is read as the kind that it shows', ({ strategy, shows, text }) => {
    const tools = builtIn.specs()
    const { items } = explainReply(text, toolContextBuilder.parseResponse(strategy, text, tools), { strategy, tools })
    expect(items.map(({ tone }) => tone)).toEqual(promised[shows])
  })

  it('cover every strategy that reads text', () => {
    expect(new Set(examples.map(({ strategy }) => strategy)).size).toBeGreaterThanOrEqual(5)
  })
})
