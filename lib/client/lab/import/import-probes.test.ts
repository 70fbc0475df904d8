import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { judgeRound } from '../verdict/judge'
import { importProbes, importLimits } from './import-probes'

const question = (id: string, over: Record<string, unknown> = {}) => ({
  id,
  question: [[{ role: 'user', content: 'What is the area of a triangle with base 10 and height 5?' }]],
  function: [
    {
      name: 'math.triangle_area',
      description: 'Computes an area.',
      parameters: {
        type: 'dict',
        properties: {
          base: { type: 'float', description: 'The base.' },
          height: { type: 'integer' },
          sides: { type: 'tuple', items: { type: 'int' } },
          unit: { type: 'String', default: 'cm' },
          more: { type: 'HashMap', properties: { deep: { type: 'any' } } },
        },
        required: ['base', 'height'],
      },
    },
  ],
  ...over,
})
const answer = (id: string) => ({
  id,
  ground_truth: [{ 'math.triangle_area': { base: [10], height: [5], unit: ['cm', ''] } }],
})
const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

describe('files of the Berkeley leaderboard', () => {
  it('become probes with JSON Schema types and names that every provider accepts', async () => {
    const { probes, problems } = await importProbes({
      questions: lines(question('simple_0')),
      answers: lines(answer('simple_0')),
    })
    expect(problems).toEqual([])
    const [probe] = probes
    expect(probe).toMatchObject({
      id: 'simple_0',
      kind: 'imported',
      question: [{ role: 'user' }],
      rounds: [{ expect: 'calls', calls: [{ name: 'math_triangle_area' }] }],
    })
    expect(probe?.functions[0]).toMatchObject({
      name: 'math_triangle_area',
      parameters: {
        type: 'object',
        properties: {
          base: { type: 'number' },
          height: { type: 'integer' },
          sides: { type: 'array', items: { type: 'integer' } },
          unit: { type: 'string', default: 'cm' },
          more: { type: 'object', properties: { deep: {} } },
        },
        required: ['base', 'height'],
      },
    })
    if (!probe?.rounds[0]) throw new Error('no probe')
    const text = toolContextBuilder
      .get('JSON_Strict')
      .formatCalls([{ name: 'math_triangle_area', arguments: { base: 10, height: 5 } }])
    expect(judgeRound(probe, probe.rounds[0], 'JSON_Strict', { text, outcome: 'finished' }).verdict).toBe('right')
  })

  it('may be one list, begin with a byte order mark, use CRLF, and contain their answers', async () => {
    const own = { ...question('own'), ground_truth: answer('own').ground_truth }
    for (const questions of [JSON.stringify([own]), `\ufeff${lines(own)}\r\n\r\n`]) {
      const { probes, problems } = await importProbes({ questions, answers: null })
      expect(probes.map(({ id }) => id)).toEqual(['own'])
      expect(problems).toEqual([])
    }
  })

  it('want no call if none is relevant', async () => {
    const { probes } = await importProbes({ questions: lines(question('irrelevance_3')), answers: null })
    expect(probes[0]?.rounds).toEqual([{ expect: 'words' }])
  })

  it('name the line of everything that can’t be used, and import the rest', async () => {
    const turns = [[{ role: 'user', content: 'a' }], [{ role: 'user', content: 'b' }]]
    const tool = { name: 'x', parameters: { type: 'dict', properties: {} } }
    const questions = [
      JSON.stringify(question('a')),
      '{"id": broken',
      JSON.stringify(question('b', { question: turns })),
      '17',
      JSON.stringify(question('without')),
      JSON.stringify(question('a')),
      JSON.stringify(question('c', { function: [] })),
      JSON.stringify(question('d', { function: [tool, { ...tool, name: 'x' }] })),
      JSON.stringify(question('e', { question: [[{ role: 'tool', content: 'x' }]] })),
      JSON.stringify(question('f', { function: [{ ...tool, name: 'other' }] })),
      `${'['.repeat(500)}${']'.repeat(500)}`,
      JSON.stringify(question('z')),
    ].join('\n')
    const answers = lines(...['a', 'b', 'c', 'd', 'e', 'f', 'z'].map(answer))
    const { probes, problems, problemCount } = await importProbes({ questions, answers })
    expect(probes.map(({ id }) => id)).toEqual(['a', 'z'])
    expect(problemCount).toBe(problems.length)
    expect(problems.map((sentence) => Number(/line (\d+)/i.exec(sentence)?.[1]))).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ])
  })

  it('report that they are empty, or contain only answers', async () => {
    expect((await importProbes({ questions: '', answers: null })).problems[0]).toMatch(/no probes that the lab can use/)
    expect((await importProbes({ questions: lines(answer('a')), answers: null })).problems[0]).toMatch(
      /contains answers/,
    )
  })

  it('stop at the limit with a sentence, and pause for other work', async () => {
    const own = JSON.stringify({ ...question('N'), ground_truth: answer('N').ground_truth })
    const count = importLimits.probes + 10
    const questions = Array.from({ length: count }, (_, at) => own.replace('"N"', `"${at}"`)).join('\n')
    let pauses = 0
    const pause = () => {
      pauses += 1
      return Promise.resolve()
    }
    const { probes, problems } = await importProbes({ questions, answers: null }, { pause })
    expect(probes.length).toBe(importLimits.probes)
    expect(problems).toEqual([expect.stringMatching(/100,000 probes\. .* line 100,001/)])
    expect(pauses).toBeGreaterThan(100)
  }, 60_000)

  it('may have hostile names: no prototype is changed, and no tool gets a name of object properties', async () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '../../x',
      '\u202egnp',
      '<script>',
      'a b',
      '9',
      'x'.repeat(500),
    ]
    const questions = names.map(
      (name, at) =>
        `{"id":${JSON.stringify(`${name}-${at}`)},"question":"hi","function":[{"name":${JSON.stringify(name)},"parameters":{"type":"dict","properties":{"p":{"type":"string"}}}}],"ground_truth":[{${JSON.stringify(name)}:{"p":["v"]}}]}`,
    )
    const { probes } = await importProbes({ questions: questions.join('\n'), answers: null })
    expect(probes.length).toBeGreaterThanOrEqual(8)
    for (const probe of probes) {
      const [tool] = probe.functions
      expect(tool?.name).toMatch(/^[A-Za-z][\w-]{0,63}$/)
      expect(Object.hasOwn(Object.prototype, tool?.name ?? '')).toBe(false)
    }
    const strange = `{"id":"p","question":"hi","function":[{"name":"f","parameters":{"type":"dict","properties":{"__proto__":{"type":"string"}}}}],"ground_truth":[{"f":{}}]}`
    const refused = await importProbes({ questions: strange, answers: null })
    expect(refused.probes).toEqual([])
    expect(refused.problems.join()).toMatch(/Line 1.*a name that tools cannot use/)
    expect(({} as { p?: unknown }).p).toBeUndefined()
  })

  it('never throw, whatever is in them', async () => {
    const piece = fc.oneof(fc.json(), fc.string(), fc.constantFrom('{"id":"a"', '[[', '"question":', 'null'))
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.option(fc.string()), async (pieces, answers) => {
        const { probes, problems } = await importProbes({ questions: pieces.join('\n'), answers })
        expect(probes.length + problems.length).toBeGreaterThan(0)
      }),
    )
  })
})
