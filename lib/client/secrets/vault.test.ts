import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownValues, spellings, type KnownSecret } from './vault'

const secret = (number: number, value: string, over: Partial<KnownSecret> = {}): KnownSecret => ({
  number,
  value,
  kind: 'key',
  replies: [],
  isShown: false,
  ...over,
})

describe('known values in a text', () => {
  it('are replaced; where several begin, the longest is', () => {
    const found = new Set<KnownSecret>()
    const [one, two, three] = [secret(1, 'abcdefgh'), secret(2, 'abcdefghijkl'), secret(3, 'unusual')]
    const text = 'abcdefghijklabcdefgh, abcdefg'
    expect(knownValues([one, two, three]).replace(text, found)).toBe('⟦secret-2⟧⟦secret-1⟧, abcdefg')
    expect([...found]).toEqual([two, one])
  })

  it('stay if the user let the model see them, or if they are too short', () => {
    expect(knownValues([secret(1, 'abcdefgh', { isShown: true }), secret(2, 'abcd')]).replace('abcdefgh')).toBe(
      'abcdefgh',
    )
  })

  it('are all replaced, in any spelling and at any position', () => {
    const value = fc.string({ minLength: 6, maxLength: 20, unit: 'grapheme' }).filter((text) => text.length >= 6)
    const noise = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('', 'secret', '⟦', 'aaaaaa'))
    fc.assert(
      fc.property(
        fc.uniqueArray(value, { minLength: 1, maxLength: 5 }),
        fc.array(fc.tuple(noise, fc.nat(), fc.nat()), { maxLength: 12 }),
        (values, pieces) => {
          const secrets = values.map((one, index) => secret(index + 1, one))
          const written = pieces.map(([around, which, how]) => {
            const spelled = spellings(secrets[which % secrets.length] as KnownSecret)
            return `${around}\n${spelled[how % spelled.length] ?? ''}\n`
          })
          const left = knownValues(secrets).replace(written.join(''))
          const rest = left.replaceAll(/⟦secret-\d+⟧/g, '\u0000')
          for (const one of secrets) for (const text of spellings(one)) expect(rest).not.toContain(text)
        },
      ),
      { numRuns: 300 },
    )
  })
})
