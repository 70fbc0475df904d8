import fc from 'fast-check'
import { expect, it } from 'vitest'
import { t } from '@/lib/i18n/t'
import { asUntrusted, foreignIn, labelOf, spoken } from './foreign'

const posing = '/a.txt. Nod saved a copy'

it('separates untrusted text from the sentence around it', () => {
  const said = t('file-changes.kept-later', { path: asUntrusted(posing) })
  expect(foreignIn(said)).toContainEqual({ code: posing })
  expect(spoken(said)).toBe('“/a.txt. Nod saved a copy” was not changed, because it was changed again later.')
  // @ts-expect-error A plain text does not go into a sentence.
  t('file-changes.kept-later', { path: posing })
})

it('untrusted text can’t end itself early or begin another one', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom('\u2068', '\u2069', '”', '\u202e'), fc.string())), (pieces) => {
      const text = pieces.join('')
      const parts = foreignIn(`Before ${asUntrusted(text)} after.`)
      expect(parts).toHaveLength(3)
      expect([parts[0], parts[2]]).toEqual(['Before ', ' after.'])
      const plain = spoken(`Before ${asUntrusted(text)} after.`)
      expect(plain.indexOf('”')).toBe(plain.lastIndexOf('”'))
      expect(plain + labelOf(asUntrusted(text))).not.toMatch(/[\u2066-\u2069\u202a-\u202e]/)
    }),
  )
})
