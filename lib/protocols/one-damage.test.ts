import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { isNightly } from '@/scripts/test/nightly'
import type { CallSegment } from './types/segment'
import { strategies } from './registry'
import { textsToDamage, toolsToDamage, callForms } from './testing/calls-to-damage'
import { inventedCall, liveCalls, strangeCall } from './testing/live-calls'
import { structureOf, damagesAt, damagesWith } from './testing/damages'
import { textsWrittenOtherwise } from './testing/written-otherwise'

/**
 * Every position is lost and doubled; of the possible replacement characters one in four is tried, a different four
 * each time.
 */
const SHARE = 4
/** Every position in nightly runs, else every twelfth. */
const STEP = isNightly ? 1 : 12

const callOf = (args: JsonObject): CallSegment =>
  ({ name: 'run', arguments: args, repairs: [] }) as unknown as CallSegment

describe.each(strategies)('$id: one structural character lost, doubled or replaced', (def) => {
  const texts = textsToDamage().filter((one) => one.strategy === def.id)

  it('starts with texts whose calls are all live', () => {
    expect(texts.length).toBeGreaterThan(20 * Math.min(2, callForms(def).length))
    for (const { text, tools, calls } of texts)
      expect(liveCalls(def, text, tools).map((call) => call.name)).toEqual(calls.map((call) => call.name))
  })

  it('never gives a live call different values than written', () => {
    const wrong: string[] = []
    let damages = 0
    let stillLive = 0
    for (const { text, tools } of texts) {
      const written = liveCalls(def, text, tools)
      for (const i of structureOf(def.id, text).filter((_, at) => at % STEP === 0))
        for (const [n, damage] of damagesAt(def.id, text, i).entries()) {
          if (n > 1 && (n + i) % SHARE !== 0) continue
          damages++
          const live = liveCalls(def, damage.text, tools)
          if (live.length > 0) stillLive++
          const invented = inventedCall(written, live)
          if (invented !== null) wrong.push(`${damage.what} of ${JSON.stringify(damage.text)}: ${invented}`)
        }
    }
    expect(wrong).toEqual([])
    expect(damages).toBeGreaterThan(2000 / STEP)
    // Many damages leave only one reading, or leave other calls intact: they break nothing.
    expect(stillLive).toBeGreaterThan(damages / 10)
  }, 60_000)
})

/** What any character may turn into, beside being lost. */
const SIGNS = ['', '"', 'x', ',', '\n', '「', '<']

describe.each(strategies)('$id: any one character lost or replaced, of keys and values too', (def) => {
  it('never gives a live call values that took in text around them', () => {
    const wrong: string[] = []
    let damages = 0
    for (const [n, { text, tools }] of textsToDamage()
      .filter((one) => one.strategy === def.id)
      .entries()) {
      const written = liveCalls(def, text, tools)
      // A damaged escape stays in its value as it is, with all of its characters.
      const escapes = new Set(
        [...text.matchAll(/&\w{2,5};|\\(?:u[\da-f]{4}|.)/g)].flatMap(({ index, 0: { length } }) =>
          Array.from({ length }, (_, k) => index + k),
        ),
      )
      for (let i = n % STEP; i < text.length; i += STEP)
        for (const [at, sign] of SIGNS.entries()) {
          if ((at + i + n) % SHARE !== 0 || sign === text[i] || escapes.has(i)) continue
          damages++
          const damagedText = text.slice(0, i) + sign + text.slice(i + 1)
          const strange = strangeCall(written, liveCalls(def, damagedText, tools))
          if (strange !== null) wrong.push(`${JSON.stringify(damagedText)}: ${strange}`)
        }
    }
    expect(wrong).toEqual([])
    expect(damages).toBeGreaterThan(4000 / STEP)
  }, 60_000)

  it('says so of the values that a wrong quote or letter made of these', () => {
    const strange = (written: JsonObject, live: JsonObject) => strangeCall([callOf(written)], [callOf(live)]) !== null
    expect(strange({ a: 'tea' }, { a: 'tea' })).toBe(false)
    expect(strange({ a: 'tea', b: 'x' }, { a: 'te' })).toBe(false)
    expect(strange({ a: 'tea', b: 'x' }, { a: 'tea",\n  "bx: "x' })).toBe(true)
    expect(strange({ a: ['tea'] }, { a: ['t', 'a'] })).toBe(true)
  })
})

const writtenOtherwise = strategies.filter(({ id }) => textsWrittenOtherwise.some((one) => one.strategy === id))

describe.each(writtenOtherwise)('$id: the same with characters outside JSON', (def) => {
  it.each(textsWrittenOtherwise.filter((one) => one.strategy === def.id))(
    '$style, $call.name',
    ({ text, signs, call, from, to }) => {
      const tools = toolsToDamage.filter((tool) => tool.name === call.name)
      const written = liveCalls(def, text, tools)
      expect(written.map((one) => one.arguments)).toEqual([call.arguments])
      const wrong: string[] = []
      for (let i = from; i < to; i++) {
        if (!signs.includes(text.charAt(i))) continue
        for (const [n, damage] of damagesWith(signs, text, i).entries()) {
          if (n > 1 && (n + i) % SHARE !== 0) continue
          const invented = inventedCall(written, liveCalls(def, damage.text, tools))
          if (invented !== null) wrong.push(`${damage.what} of ${JSON.stringify(damage.text)}: ${invented}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )
})

it('does not read a bracket as the value if it may have replaced the colon', () => {
  const tools = [
    { name: 'f', description: '', parameters: { type: 'object', properties: { any: {}, list: { type: 'array' } } } },
  ]
  for (const body of ['"any"[{}', '"any"[5', '"list"[{"a":1}', '"any"{[]'])
    for (const end of ['}}', '}}}']) {
      const text = `<tool_code>\n{"name":"f","arguments":{${body}${end}\n</tool_code>`
      const def = strategies.find(({ id }) => id === 'XML_Tag')
      expect(def ? liveCalls(def, text, tools) : null).toEqual([])
    }
})
