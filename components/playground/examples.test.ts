import { describe, expect, it } from 'vitest'
import { explainReply } from '@/lib/strategies/explain/explain-reply'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { builtIn } from '@/lib/tools/testing/built-in'
import { examples } from './examples'

const promised: Readonly<Record<string, readonly string[]>> = {
  'A bit of everything': ['reasoning', 'call', 'quote', 'foreign', 'broken'],
  'A plain call': ['call'],
  'Damaged, and mended': ['call'],
  'Cut off in a value': ['broken'],
  'An example in a code block': ['quote'],
  'Only in its thoughts': ['reasoning', 'quote', 'reasoning'],
  'Another model’s format': ['foreign'],
  'JSON without the form around it': ['foreign'],
  'A function in a sentence': ['miss'],
  'A tool that does not exist': ['problem'],
  'An invented result': ['call', 'quote'],
}

describe('the examples', () => {
  it.each(examples)('$id is read as its label says', ({ strategy, label, text }) => {
    const tools = builtIn.specs()
    const { items } = explainReply(text, toolContextBuilder.parseResponse(strategy, text, tools), { strategy, tools })
    expect(items.map(({ tone }) => tone)).toEqual(promised[label])
  })

  it('cover every strategy that reads text', () => {
    expect(new Set(examples.map(({ strategy }) => strategy)).size).toBeGreaterThanOrEqual(5)
  })
})
