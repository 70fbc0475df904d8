import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { checkRecord, depthOf, linesOf, MAX_LINE, type CheckedRecord } from './check-record'
import {
  createRecordChain,
  firstType,
  lastType,
  hashOfBytes,
  hashOfJson,
  jcs,
  recordable,
  sentHashes,
} from './record-chain'

const start = Date.UTC(2026, 0, 1)

async function recordOf(subjects: readonly JsonObject[]): Promise<readonly string[]> {
  const chain = createRecordChain('chat-1')
  const lines = [await chain.add({ type: firstType, at: start, subject: {} })]
  for (const [index, subject] of subjects.entries())
    lines.push(await chain.add({ type: 'log', at: start + index, subject }))
  lines.push(await chain.add({ type: lastType, at: start + 9_000, subject: {} }, 'end'))
  return lines.map((line) => line.slice(0, -1))
}

const check = (lines: readonly string[]): Promise<CheckedRecord> => checkRecord(lines)
const placeOf = async (lines: readonly string[]) => {
  const { broken } = await check(lines)
  return broken && [broken.entry, broken.kind]
}
const parsed = (line = '') => JSON.parse(line) as { [key: string]: JsonValue }

/** The line with its own hash recomputed, as a forger of one entry would write it. */
async function resealed(line: string, change: (entry: { [key: string]: JsonValue }) => void): Promise<string> {
  const { proof: _proof, ...entry } = parsed(line)
  change(entry)
  return jcs({ ...entry, proof: { type: 'sha256-jcs', hash: await hashOfJson(entry) } })
}

describe('canonical JSON (RFC 8785)', () => {
  it('writes the numbers of appendix B', () => {
    const numbers: readonly (readonly [string, string])[] = [
      ['0000000000000000', '0'],
      ['8000000000000000', '0'],
      ['0000000000000001', '5e-324'],
      ['8000000000000001', '-5e-324'],
      ['7fefffffffffffff', '1.7976931348623157e+308'],
      ['ffefffffffffffff', '-1.7976931348623157e+308'],
      ['4340000000000000', '9007199254740992'],
      ['c340000000000000', '-9007199254740992'],
      ['4430000000000000', '295147905179352830000'],
      ['44b52d02c7e14af5', '9.999999999999997e+22'],
      ['44b52d02c7e14af6', '1e+23'],
      ['44b52d02c7e14af7', '1.0000000000000001e+23'],
      ['444b1ae4d6e2ef4e', '999999999999999700000'],
      ['444b1ae4d6e2ef4f', '999999999999999900000'],
      ['444b1ae4d6e2ef50', '1e+21'],
      ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
      ['3eb0c6f7a0b5ed8d', '0.000001'],
      ['41b3de4355555553', '333333333.3333332'],
      ['41b3de4355555554', '333333333.33333325'],
      ['41b3de4355555555', '333333333.3333333'],
      ['41b3de4355555556', '333333333.3333334'],
      ['41b3de4355555557', '333333333.33333343'],
      ['becbf647612f3696', '-0.0000033333333333333333'],
      ['43143ff3c1cb0959', '1424953923781206.2'],
    ]
    const view = new DataView(new ArrayBuffer(8))
    for (const [bits, text] of numbers) {
      view.setBigUint64(0, BigInt(`0x${bits}`))
      expect(jcs(view.getFloat64(0))).toBe(text)
    }
    expect(() => jcs(Number.NaN)).toThrow(TypeError)
    expect(() => jcs(Infinity)).toThrow(TypeError)
  })

  it('writes the texts and sorts the keys of section 3.2', () => {
    const input = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    ) as JsonValue
    expect(jcs(input)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
    const keys = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 }
    expect(Object.values(JSON.parse(jcs(keys)) as object)).toHaveLength(7)
    expect([...jcs(keys).matchAll(/:(\d)/g)].map(([, digit]) => digit).join('')).toBe('2467153')
  })

  it('refuses a lone surrogate, and a record contains U+FFFD in its place', () => {
    expect(() => jcs('\ud800')).toThrow(TypeError)
    expect(() => jcs({ '\udc00': 1 })).toThrow(TypeError)
    expect(recordable({ 'a\ud800': ['\udc00'] })).toEqual({ 'a\ufffd': ['\ufffd'] })
  })

  it('cuts parts that are nested too deeply', () => {
    const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as JsonValue
    expect(JSON.stringify(recordable(deep))).toBe(`${'['.repeat(100)}"…"${']'.repeat(100)}`)
    expect(() => jcs(deep)).toThrow(TypeError)
  })
})

describe('a record', () => {
  const subject = fc.record({
    text: anyText(),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  })
  const records = fc.array(subject, { minLength: 1, maxLength: 6 })

  it('is complete as it was written, and names its head', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (subjects) => {
        const lines = await recordOf(subjects)
        const found = await check(lines)
        expect(found).toMatchObject({ broken: null, entries: lines.length })
        expect(found.head).toBe((parsed(lines.at(-1))['proof'] as JsonObject)['hash'])
      }),
      { numRuns: 30 },
    )
  })

  it('breaks at the position of any single change, removal, exchange or insertion', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.nat(), fc.nat(), fc.nat({ max: 5 }), async (subjects, where, column, how) => {
        const lines = await recordOf(subjects)
        const place = where % lines.length
        const line = lines[place] ?? ''
        if (how === 0) {
          // One changed character at any column.
          const at = column % line.length
          const changed = line.slice(0, at) + (line[at] === '7' ? '8' : '7') + line.slice(at + 1)
          expect((await check(lines.with(place, changed))).broken?.entry).toBe(place + 1)
        } else if (how === 1) {
          expect((await check(lines.toSpliced(place, 1))).broken?.entry).toBe(place + 1)
        } else if (how === 2) {
          const other = (place + 1) % lines.length
          const [low, high] = place < other ? [place, other] : [other, place]
          const swapped = lines.with(low, lines[high] ?? '').with(high, lines[low] ?? '')
          expect((await check(swapped)).broken?.entry).toBe(low + 1)
        } else if (how === 3) {
          // The same entry again, at any later place.
          const to = place + 1 + (column % (lines.length - place))
          expect((await check(lines.toSpliced(to, 0, line))).broken?.entry).toBe(to + 1)
        } else if (how === 4) {
          expect((await check(lines.slice(0, place))).broken).toMatchObject({ entry: place + 1, kind: 'no-end' })
        } else {
          // Changed and given a new hash of its own: the next entry does not name it. For the last one only the head
          // reveals it.
          const forged = await resealed(line, (one) => (one['subject'] = { text: 'forged' }))
          const found = await check(lines.with(place, forged))
          if (place < lines.length - 1) expect(found.broken).toMatchObject({ entry: place + 2, kind: 'previous' })
          else expect(found.head).not.toBe((await check(lines)).head)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('names the error of an entry', async () => {
    const lines = await recordOf([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
    const [begin = '', one = '', two = '', three = '', end = ''] = lines
    expect(await placeOf([begin, one.replace('one', 'won'), two, three, end])).toEqual([2, 'changed'])
    expect(await placeOf([begin, two, three, end])).toEqual([2, 'missing'])
    expect(await placeOf([begin, one, one, two, three, end])).toEqual([3, 'repeated'])
    expect(await placeOf([begin, one, three, two, end])).toEqual([3, 'moved'])
    expect(await placeOf([begin, three, one, two, end])).toEqual([2, 'moved'])
    expect(await placeOf([begin, three, two, end])).toEqual([2, 'missing'])
    expect(await placeOf([begin, one, two.slice(0, -40)])).toEqual([3, 'cut'])
    expect(await placeOf([begin, one, two.slice(0, -40), three])).toEqual([3, 'not-json'])
    const twin = await resealed(one, (entry) => {
      entry['subject'] = { text: 'won' }
    })
    expect(await placeOf([begin, one, twin, two, three, end])).toEqual([3, 'inserted'])
    const gap = (await check([begin, three, end])).broken
    expect(gap).toMatchObject({ expected: '2', found: '4', about: { type: 'log', at: parsed(three)['at'] } })
    expect(await placeOf([begin, one, two, three])).toEqual([5, 'no-end'])
    expect(await placeOf([])).toEqual([1, 'no-end'])
    expect(await placeOf([...lines, end])).toEqual([6, 'after-end'])
    expect(await placeOf([begin, `${one} `, two, three, end])).toEqual([2, 'not-canonical'])
    expect(await placeOf([begin, one.replace('"type":"log"', '"type":"log","type":"log"'), two])).toEqual([
      2,
      'not-canonical',
    ])
    const other = await resealed(two, (entry) => {
      entry['chain'] = { ...(entry['chain'] as JsonObject), chain_id: 'chat-2' }
    })
    expect(await placeOf([begin, one, other, three, end])).toEqual([3, 'other-chain'])
    const { broken } = await check([begin, one.replace('one', 'won'), two, three, end])
    expect(broken?.expected).toBe((parsed(one)['proof'] as JsonObject)['hash'])
    expect(broken?.found).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  it('reads records from any author', async () => {
    const [begin = '', one = ''] = await recordOf([{ text: 'one' }])
    expect(await placeOf(['nonsense'])).toEqual([1, 'not-json'])
    expect(await placeOf(['[]'])).toEqual([1, 'shape'])
    expect(await placeOf([one])).toEqual([1, 'shape'])
    expect(await placeOf(['['.repeat(1_000_000)])).toEqual([1, 'too-deep'])
    expect(await placeOf([begin, ' '.repeat(MAX_LINE + 1)])).toEqual([2, 'too-long'])
    // A Cyrillic letter in a key makes another key.
    expect(await placeOf([begin, one.replace('"type"', '"typе"')])).toEqual([2, 'shape'])
    expect(await placeOf([begin, one.replace('"sequence":2', '"sequence":"2"')])).toEqual([2, 'shape'])
    expect(await placeOf([begin, one.replace('"sequence":2', '"sequence":1e999')])).toEqual([2, 'shape'])
    expect(await placeOf([begin, one.replace('{"text":"one"}', '{"text":1e999}')])).toEqual([2, 'not-canonical'])
    expect(await placeOf([begin, one.replace('one', String.raw`\ud800`)])).toEqual([2, 'not-canonical'])
    expect(await placeOf([begin, one.replace('{"text":"one"}', '{"__proto__":{"type":"x"}}')])).toEqual([2, 'changed'])
    expect(depthOf(String.raw`{"a":"[[[\"[[["}`)).toBe(1)
  })

  it('is read from a file line by line, for any bytes', async () => {
    const lines = await recordOf([{ text: 'é\n日' }, { text: '\ufffd' }])
    const file = (...parts: BlobPart[]) => checkRecord(linesOf(new Blob(parts)))
    expect((await file(`${lines.join('\n')}\n`)).broken).toBeNull()
    expect((await file('\ufeff', `${lines.join('\n')}\n`)).broken).toMatchObject({ entry: 1, kind: 'not-json' })
    expect((await file(`${lines.join('\r\n')}\r\n`)).broken).toMatchObject({ entry: 1, kind: 'not-canonical' })
    // An invalid UTF-8 byte does not count as U+FFFD.
    const [before = '', after = ''] = lines.join('\n').split('\ufffd')
    expect((await file(before, new Uint8Array([0xff]), after)).broken).toMatchObject({ entry: 3, kind: 'not-json' })
    expect((await file('')).broken).toMatchObject({ entry: 1, kind: 'no-end' })
  })
})

it('hashes what a model got, the same tools in any order', async () => {
  const [first, second] = ['b', 'a'].map((name) => ({ name, description: name, parameters: {} }))
  const off = { name: 'c', description: '', parameters: {}, disabled: true }
  const input = { instructions: 'half \ud800', messages: [{ role: 'user' as const, content: 'hello' }] }
  const sent = await sentHashes(input, [first!, second!, off])
  expect(sent.prompt).toMatch(/^[0-9a-f]{64}$/)
  expect(await sentHashes(input, [second!, first!])).toEqual(sent)
  expect((await sentHashes({ ...input, instructions: 'other' }, [])).prompt).not.toBe(sent.prompt)
})

it('hashes bytes as other programs do', async () => {
  expect(await hashOfBytes(new TextEncoder().encode('abc'))).toBe(
    'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
