import { streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { createRandom } from '@/lib/protocols/grammar/grammar'
import type { Walked } from '@/lib/protocols/testing/walk-grammar'
import { strategies } from '@/lib/protocols/registry'
import { readsAs } from '@/lib/protocols/testing/grammar-samples'
import { testTools } from '@/lib/protocols/testing/tools'
import { createGrammarModel } from './grammar-model'

const bound = strategies.flatMap((def) => {
  const grammar = grammarOf(def.id, testTools)
  return grammar ? [{ id: def.id, def, grammar }] : []
})

describe('a model that writes from a grammar', () => {
  it.each(bound)('streams replies of $id whose calls match the reported ones', async ({ def, grammar }) => {
    const replies: Walked[] = []
    const model = createGrammarModel(grammar.reply, { random: createRandom(3), said: (reply) => replies.push(reply) })
    for (let i = 0; i < 20; i++) {
      const text = await streamText({ model, prompt: 'Go.' }).text
      const reply = replies.at(-1)
      expect(text).toBe(reply?.text)
      const way = { part: 'reply', hostile: false, piece: null } as const
      expect(reply ? readsAs(def, reply, testTools, grammar, way) : 'nothing').toBeNull()
    }
    expect(replies.flatMap(({ calls }) => calls)).not.toEqual([])
  })

  it('writes the same for the same seed, and stops on abort', async () => {
    const grammar = grammarOf('JSON_Strict', testTools)
    const textOf = async (seed: number) => {
      const model = createGrammarModel(grammar?.call ?? { kind: 'lit', text: '' }, { random: createRandom(seed) })
      return streamText({ model, prompt: 'Go.' }).text
    }
    expect(await textOf(9)).toBe(await textOf(9))
    expect(await textOf(9)).not.toBe(await textOf(10))
    const abort = new AbortController()
    const model = createGrammarModel(grammar?.call ?? { kind: 'lit', text: '' }, { random: createRandom(1) })
    const { stream } = await model.doStream({ prompt: [], abortSignal: abort.signal })
    const reader = stream.getReader()
    await reader.read()
    abort.abort(new Error('stopped'))
    await expect(
      (async () => {
        for (;;) if ((await reader.read()).done) return
      })(),
    ).rejects.toThrow('stopped')
  })
})
