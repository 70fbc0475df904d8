import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '@/lib/shared/models/model'
import { positionAfter, modelGroups } from './model-choices'

const model = (id: string, providerLabel = 'Ollama'): ModelInfo => ({
  id,
  label: id.slice(id.indexOf('/') + 1),
  providerLabel,
  contextTokens: null,
  simulated: false,
})
const many = Array.from({ length: 300 }, (_, n) => model(`own/m${n}`, `P${n % 3}`))
const idsOf = (groups: ReturnType<typeof modelGroups>['groups']) =>
  groups.map(({ models }) => models.map(({ id }) => id))

describe('the models to choose from', () => {
  it('are grouped by provider, in list order', () => {
    const { groups } = modelGroups([model('a/1'), model('b/2', 'OpenAI'), model('a/3')], '', ['a/3'])
    expect(groups.map(({ name }) => name)).toEqual(['Ollama', 'OpenAI'])
    expect(idsOf(groups)).toEqual([['a/1', 'a/3'], ['b/2']])
  })

  it('of this browser are in one group, whatever answers them', () => {
    const own = [model('browser/ollama:a'), model('browser/paste:b', 'another chat'), model('ollama/c')]
    expect(modelGroups(own, '', []).groups.map(({ of, models }) => [of, models.length])).toEqual([
      ['browser', 2],
      ['provider', 1],
    ])
  })

  it('show recently chosen ones first if there are many, and only there', () => {
    const { groups } = modelGroups(many, '', ['own/m7', 'gone/x', 'own/m2'])
    expect(groups[0]).toMatchObject({ of: 'recent', models: [{ id: 'own/m7' }, { id: 'own/m2' }] })
    expect(idsOf(groups.slice(1)).flat()).not.toContain('own/m7')
    expect(modelGroups(many, 'm7', ['own/m7']).groups[0]?.of).toBe('provider')
  })

  it('are found by all words of name, id or provider', () => {
    const models = [model('ollama/Qwen3:8b'), model('or/qwen3-coder', 'OpenRouter'), model('or/llama', 'OpenRouter')]
    expect(idsOf(modelGroups(models, 'QWEN', []).groups).flat()).toHaveLength(2)
    expect(idsOf(modelGroups(models, 'openrouter qwen', []).groups).flat()).toEqual(['or/qwen3-coder'])
    expect(modelGroups(models, 'gpt', [])).toEqual({ groups: [], found: 0, hidden: 0 })
  })

  it('add up: shown and left-out models are all matches', () => {
    const picked = fc.array(
      fc.nat(299).map((n) => `own/m${n}`),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom('', 'm', 'm1', 'm29', 'p1 m2', 'x'),
        fc.uniqueArray(fc.nat(299)),
        picked,
        (query, some, recent) => {
          const models = some.flatMap((n) => many[n] ?? [])
          const { groups, found, hidden } = modelGroups(models, query, [...new Set(recent)])
          const shown = idsOf(groups).flat()
          expect(new Set(shown).size).toBe(shown.length)
          expect(shown.length + hidden).toBe(found)
          expect(found).toBe(
            models.filter(({ id, providerLabel }) =>
              query.split(' ').every((word) => `${id} ${providerLabel}`.toLowerCase().includes(word)),
            ).length,
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('keys in a list', () => {
  it('move through it, wrap around at its ends, and page up to them', () => {
    expect(positionAfter('ArrowDown', 2, 3)).toBe(0)
    expect(positionAfter('ArrowUp', 0, 3)).toBe(2)
    expect(positionAfter('ArrowDown', -1, 3)).toBe(0)
    expect(positionAfter('PageDown', 1, 30)).toBe(9)
    expect(positionAfter('PageUp', 1, 30)).toBe(0)
    expect(positionAfter('a', 1, 30)).toBeNull()
    expect(positionAfter('ArrowDown', -1, 0)).toBeNull()
  })
})
