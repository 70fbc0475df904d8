import { describe, expect, it } from 'vitest'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { ExactOfModel } from '@/lib/shared/models/model'
import { exactModel } from '@/lib/shared/models/testing/exact-model'
import { exactStatus } from './exact-section'

const settings = { ...defaultSettings('own/it'), strategy: 'XML_Tag' } as const
const grammar: ExactOfModel = { takes: 'grammar', byDefault: true }
const schema: ExactOfModel = { takes: 'json-schema', byDefault: false }

describe('what a chat says about constrained replies', () => {
  it('says that there is nothing to switch, and why', () => {
    const why = (over: Partial<typeof settings> | { strategy: 'Native' }, one = exactModel(grammar)) =>
      exactStatus({ ...settings, ...over }, one)
    expect(why({ strategy: 'Native' })).toMatchObject({
      on: null,
      sentence: expect.stringContaining('there is nothing to enforce'),
    })
    expect(why({ tools: { ...settings.tools, enabled: false } })).toMatchObject({ on: null })
    expect(why({}, exactModel())).toEqual({
      on: null,
      sentence: 'Nod cannot send a grammar to the server of It. Calls are read and repaired as usual.',
    })
    expect(why({}, exactModel(schema))).toMatchObject({
      on: null,
      sentence: expect.stringContaining('Choose JSON_Action'),
    })
    expect(exactStatus(settings, undefined)).toMatchObject({ on: null })
  })

  it('follows the model’s default until the chat has its own setting', () => {
    expect(exactStatus(settings, exactModel(grammar))).toMatchObject({ on: true })
    expect(exactStatus({ ...settings, exact: false }, exactModel(grammar))).toMatchObject({ on: false })
    const paid = exactModel({ ...grammar, byDefault: false })
    expect(exactStatus(settings, paid)).toMatchObject({ on: false, sentence: expect.stringContaining('may cost') })
    expect(exactStatus({ ...settings, exact: true }, paid)).toMatchObject({ on: true })
  })

  it('can be switched on if a schema can express the strategy, and says how that affects text', () => {
    const chat = { ...settings, strategy: 'JSON_Action' } as const
    const off = { on: false, sentence: expect.stringContaining('the whole reply becomes JSON') }
    expect(exactStatus(chat, exactModel(schema))).toMatchObject(off)
    expect(exactStatus({ ...chat, exact: false }, exactModel(schema))).toMatchObject(off)
    for (const found of [undefined, 'honoured', 'half', 'ignored', 'refused'] as const) {
      const { on, sentence } = exactStatus({ ...chat, exact: true }, exactModel({ ...schema, ...(found && { found }) }))
      expect(on).toBe(true)
      expect(sentence).toContain('The chat shows its text as text')
    }
  })

  it('names the engine of a model that runs in the browser', () => {
    const found = { ...grammar, found: 'honoured' } as const
    expect(exactStatus(settings, exactModel(found)).sentence).toMatch(/^The server of It enforces this/)
    const own = { ...exactModel(found), id: 'browser/wllama:abc' }
    expect(exactStatus(settings, own).sentence).toMatch(
      /^The engine of It \(in this browser\) enforces this.* about a fifth slower/,
    )
    expect(exactStatus(settings, exactModel(found)).sentence).not.toContain('slower')
  })

  it('says what was observed, in a sentence for each case', () => {
    const found = (['honoured', 'half', 'ignored', 'refused'] as const).map(
      (one) => exactStatus(settings, exactModel({ ...grammar, found: one })).sentence,
    )
    expect(new Set([...found, exactStatus(settings, exactModel(grammar)).sentence]).size).toBe(5)
  })
})
