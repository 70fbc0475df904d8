import { describe, expect, it } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { createTokenMemory } from '@/lib/client/outbox/token-memory'
import { nextRatio, ratioOfReply } from '@/lib/shared/conversation/settings/token-ratio'
import { ratioLearntIn } from './prompt-budget'

const counted = (id: string, promptTokens: number, inputTokens: number, model = 'demo/demo') =>
  replyRow(id, null, { model, promptTokens, usage: { inputTokens, outputTokens: 1 } })

describe('a model’s tokens per estimated token', () => {
  it('come only from its own replies, and stay between half and double', () => {
    expect(ratioLearntIn([userRow('u', null), counted('a', 1_000, 1_200)], 'demo/demo')).toBe(1.2)
    expect(ratioLearntIn([counted('a', 1_000, 1_200, 'other/model')], 'demo/demo')).toBeNull()
    expect(ratioLearntIn([counted('a', 1_000, 90_000)], 'demo/demo')).toBe(2)
    expect(ratioLearntIn([counted('a', 10_000, 300)], 'demo/demo')).toBe(0.5)
  })

  it('are not learnt from short prompts, nor without counts', () => {
    expect(ratioOfReply({ usage: { inputTokens: 150, outputTokens: 1 }, promptTokens: 90 })).toBeNull()
    expect(ratioOfReply({ usage: null, promptTokens: 900 })).toBeNull()
    expect(ratioOfReply({ usage: { inputTokens: 900, outputTokens: 1 } })).toBeNull()
  })

  it('follow the latest values, and stay stable if replies agree', () => {
    const drifting = [1_000, 1_000, 1_500, 1_500, 1_500, 1_500].map((tokens, at) => counted(`a${at}`, 1_000, tokens))
    expect(ratioLearntIn(drifting, 'demo/demo')).toBe(1.4)
    const steady = [1_101, 1_098, 1_103, 1_099].map((tokens, at) => counted(`a${at}`, 1_000, tokens))
    expect(new Set([1, 2, 3, 4].map((n) => ratioLearntIn(steady.slice(0, n), 'demo/demo')))).toEqual(new Set([1.1]))
    expect(nextRatio(null, 1.3)).toBe(1.3)
  })
})

describe('the ratios that a browser remembers', () => {
  const storage = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      kept,
    }
  }

  it('are the same in every tab, and count each reply once', () => {
    const one = storage()
    const [tab, other] = [createTokenMemory(one), createTokenMemory(one)]
    tab.learn('demo/demo', 'a', 1.5)
    other.learn('demo/demo', 'a', 1)
    expect([tab.of('demo/demo'), other.of('demo/demo'), tab.of('other/model')]).toEqual([1.5, 1.5, null])
    other.learn('demo/demo', 'b', 1.2)
    expect(tab.of('demo/demo')).toBe(1.4)
  })

  it('are empty if the storage is full, broken or missing', () => {
    const broken = storage()
    broken.kept.set('nod:token-ratios', '{"demo/demo":{"ratio":900,"last":"a"}')
    expect(createTokenMemory(broken).of('demo/demo')).toBeNull()
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    }
    const memory = createTokenMemory(full)
    memory.learn('demo/demo', 'a', 1.5)
    expect([memory.of('demo/demo'), createTokenMemory(null).of('demo/demo')]).toEqual([null, null])
  })
})
