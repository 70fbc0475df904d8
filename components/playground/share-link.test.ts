import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { isSharedReading, packReading, unpackReading } from './share-link'

const state = { strategy: 'XML_Tag', text: 'Grüße 發票 \ud83d\ude00', choice: { read_file: 'off' } } as const

describe('a link to a reading', () => {
  it('restores what it was made of, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 400 }), async (text) => {
        const packed = await packReading({ ...state, text })
        if (!packed.ok) throw new Error(packed.error.message)
        expect(packed.value).toMatch(/^read=1\.[\w-]+$/)
        expect(await unpackReading(packed.value)).toEqual({ ok: true, value: { ...state, text } })
      }),
      { numRuns: 60 },
    )
  })

  it('says that a reply is too long for it', async () => {
    let seed = 1
    const noise = Array.from({ length: 60_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return String.fromCharCode(33 + (seed % 90))
    }).join('')
    expect(await packReading({ ...state, text: noise })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/too long for a link: it needs [\d,]+ characters/) },
    })
  })

  it('says that it is damaged wherever it is cut, and loads nothing from it', async () => {
    const packed = await packReading(state)
    const whole = packed.ok ? packed.value : ''
    for (let at = 5; at < whole.length; at += 3) {
      expect(await unpackReading(whole.slice(0, at))).toMatchObject({
        ok: false,
        error: { reason: 'inspector.link-damaged' },
      })
    }
  })

  it.each(['read=', 'read=2.abc', 'read=1.***', 'read=1.e30', 'read=1.AAAA'])(
    'says that %s is damaged',
    async (fragment) => {
      expect(isSharedReading(fragment)).toBe(true)
      expect(await unpackReading(fragment)).toMatchObject({ ok: false })
    },
  )

  it('limits the unpacked size', async () => {
    const bomb = await packReading({ ...state, text: 'a'.repeat(5_000_000) })
    expect(bomb.ok).toBe(true)
    expect(await unpackReading(bomb.ok ? bomb.value : '')).toMatchObject({
      ok: false,
      error: { reason: 'inspector.link-unpacks' },
    })
  })
})
