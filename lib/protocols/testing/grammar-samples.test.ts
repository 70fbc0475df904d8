import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { grammarOf } from '../grammar-of'
import type { CallPlace } from './walk-grammar'
import { strategies } from '../registry'
import type { CallSegment, Segment } from '../types/segment'
import type { CallToWrite, ToolContextDef, ToolSpec } from '../types/tool-context-def'
import { judgeSample, judgeSegments } from './grammar-samples'

const toolOf = (name: string, properties: JsonObject, required: readonly string[]): ToolSpec => ({
  name,
  description: 'Does it.',
  parameters: { type: 'object', properties, required: [...required], additionalProperties: false },
})
const nested = {
  type: 'object',
  properties: { steps: { type: 'array', items: { type: 'object', properties: { what: { type: 'string' } } } } },
}

/** Tools of several shapes, each with a call. */
const SHAPES: readonly (readonly [string, readonly ToolSpec[], readonly CallToWrite[]])[] = [
  ['nothing is asked', [toolOf('ping', {}, [])], [{ name: 'ping', arguments: {} }]],
  [
    'all is optional',
    [toolOf('find', { text: { type: 'string' }, limit: { type: 'integer' } }, [])],
    [
      { name: 'find', arguments: {} },
      { name: 'find', arguments: { limit: 3 } },
    ],
  ],
  [
    'objects in lists in objects',
    [toolOf('plan', { title: { type: 'string' }, plan: nested }, ['title', 'plan'])],
    [{ name: 'plan', arguments: { title: 'a', plan: { steps: [{ what: 'x' }, { what: 'y' }] } } }],
  ],
  [
    'many tools',
    Array.from({ length: 20 }, (_, i) => toolOf(`tool_${i}`, { path: { type: 'string' } }, ['path'])),
    [
      { name: 'tool_19', arguments: { path: '/a' } },
      { name: 'tool_0', arguments: { path: '/b' } },
    ],
  ],
]

const bound = strategies.filter((def) => grammarOf(def.id, SHAPES[0]?.[1] ?? []) !== null)

const cardOf = (name: string, start: number, end: number): CallSegment => ({
  kind: 'call',
  id: 'c',
  name,
  arguments: {},
  standing: 'live',
  verdict: 'ok',
  repairs: [],
  coercions: [],
  dialect: 'own',
  problem: null,
  start,
  end,
})

/** Prose with calls in place of `call`, as a walk would have written them. */
function sampleOf(def: ToolContextDef, calls: readonly CallToWrite[], around: string) {
  const parts = around.split('CALL')
  let text = parts[0] ?? ''
  const places: CallPlace[] = []
  for (const [i, call] of calls.entries()) {
    const own = def.formatCalls([call]).replaceAll(/^```\w*\n|\n```$/g, '')
    const begins = /^(?:<<<\[TOOL_REQUEST|<tool_\w+|\{\s*"[^"]+"(?:\s*:\s*"tool_call")?)/.exec(own)?.[0] ?? ''
    const begun = text.length + begins.length
    places.push({ begun, start: begun, end: text.length + own.length })
    text += `${own}\n${parts[i + 1] ?? ''}`
  }
  return { text, calls, places }
}

describe.each(bound)('a sample of $id', (def) => {
  describe.each(SHAPES)('reads as %s', (_, tools, calls) => {
    const grammar = grammarOf(def.id, tools)
    if (!grammar) throw new Error('no grammar')
    const judge = (around: string, said = calls, hostile = true) =>
      judgeSample(def, sampleOf(def, said, around), tools, grammar, { part: 'reply', hostile, piece: null })
    const every = calls.map(() => 'CALL').join('\n\n')

    it('is right if each call is live at its place', () => {
      expect(judge(`So:\n\n${every}`)).toEqual({ wrong: null, excepted: [] })
    })

    it('is excused for a call that the prose quotes, but not in plain prose', () => {
      const text = `Hi.<|im_end|>\n\n${every}`
      expect(judge(text)).toEqual({ wrong: null, excepted: calls.map(() => 'shown') })
      expect(judge(text, calls, false).wrong).toContain('quoted')
    })

    it('is excused only for a call in reasoning that the grammar does not know', () => {
      const last = calls.at(-1)
      if (!last) return
      const text = `So CALL\n\n\n</scratchpad>\n\n${every}`
      const { wrong, excepted } = judge(text, [last, ...calls])
      expect(wrong).toBeNull()
      // With a card in the reasoning, or as a part of it.
      expect(['shown', 'thought']).toContain(excepted[0])
      expect(excepted).toHaveLength(1)
    })

    it('is excused for a text that reads as a call, if unknown reasoning includes its fence’s opener', () => {
      const said = def.formatCalls(calls.slice(0, 1))
      const judgeBehind = (thought: string, hostile = true) => {
        const text = `<|channel|>analysis<|message|>${thought}<|channel|>final<|message|>${said}`
        return judgeSample(def, { text, calls: [], places: [] }, tools, grammar, {
          part: 'reply',
          hostile,
          piece: null,
        })
      }
      expect(judgeBehind('\n```text\n\n~~~\n')).toEqual({ wrong: null, excepted: ['thought'] })
      expect(judgeBehind('\n```text\n\n~~~\n', false).wrong).toContain('nobody said')
      expect(judgeBehind('\n```text\nx\n```\n').wrong).toContain('nobody said')
    })

    it('is wrong if a call is missing, whatever else is reasoning or broken there', () => {
      const sample = sampleOf(def, calls, every)
      const all = sample.text.length
      const gone: readonly Segment[] = [{ kind: 'text', start: 0, end: all }]
      const broken = { kind: 'broken', reason: 'truncated', message: '' } as const
      for (const beside of [
        [{ kind: 'reasoning', start: all, end: all + 9 }],
        [{ ...broken, start: all, end: all + 9 }],
      ] satisfies (readonly Segment[])[])
        expect(judgeSegments(sample, [...gone, ...beside], grammar, true).wrong).not.toBeNull()
    })

    it('is wrong if a whole call is read as one that breaks off', () => {
      const sample = sampleOf(def, calls, `So ${every}`)
      const [place] = sample.places
      if (!place) return
      const broken = { kind: 'broken', reason: 'truncated', message: '' } as const
      const end = sample.text.length
      const of = (start: number): readonly Segment[] => [
        { kind: 'text', start: 0, end: start },
        { ...broken, start, end },
      ]
      const own = sample.text.search(/[<{]/)
      expect(judgeSegments(sample, of(own), grammar, true).wrong).toContain('broken: truncated')
      expect(judgeSegments(sample, of(own - 1), grammar, true).excepted).toContain('begun')
    })

    it('is excused for all calls of one envelope that a form in the prose included', () => {
      const sample = sampleOf(def, calls, `- ${every}`)
      const foreign = (i: number, start: number, end: number): Segment => ({
        ...cardOf(calls[i]?.name ?? '', start, end),
        standing: 'foreign',
        dialect: 'hermes',
      })
      const [first] = sample.places
      if (!first) return
      // As if both had been begun at once.
      const together = { ...sample, places: sample.places.map((place) => ({ ...place, begun: first.begun })) }
      const cards = sample.places.map(({ start, end }, i) => foreign(i, i === 0 ? 0 : start, end))
      expect(judgeSegments(together, cards, grammar, true)).toEqual({ wrong: null, excepted: calls.map(() => 'begun') })
      const own = cards.map((card, i) => (i === 0 ? { ...card, start: 2 } : card))
      expect(judgeSegments(together, own, grammar, true).wrong).toContain('foreign')
    })

    it('is wrong if a live call was not written, or differs from the written one', () => {
      const sample = sampleOf(def, calls, every)
      const { segments } = (() => {
        const scanner = def.createScanner(tools)
        scanner.push(sample.text)
        return scanner.end()
      })()
      const end = sample.text.length
      expect(judgeSegments(sample, segments, grammar, true).wrong).toBeNull()
      const more = [...segments, cardOf(calls[0]?.name ?? '', end, end + 5)]
      expect(judgeSegments(sample, more, grammar, true).wrong).toContain('nobody said')
      expect(judgeSegments(sample, [cardOf('other', 0, end)], grammar, true).wrong).toContain('other')
    })
  })
})
