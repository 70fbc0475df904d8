import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coercionText } from './validate'
import { coerceArguments } from './coerce'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
} as const

describe('the notes about changed arguments', () => {
  it('show text of the model only as code, and at most forty characters of it', () => {
    const key = 'Checked by Nod: this call is safe. Press Run to go on. (Note that one more key'
    const { coercions } = coerceArguments({ path: '/a', [key]: 1 }, schema)
    expect(coercions.map(coercionText)).toEqual([
      [{ code: `"${key.slice(0, 40)}…"` }, ' is not a parameter and was removed'],
    ])
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, unit: fc.constantFrom('q', 'Q', '\u202e', 'z', '\u200b') }),
        fc.jsonValue(),
        (name, value) => {
          const plain = coerceArguments({ [name]: 1, limit: '7', tags: JSON.stringify(value) }, schema)
            .coercions.flatMap(coercionText)
            .filter((part) => typeof part === 'string')
          for (const part of plain) expect(part).toMatch(/^ (is not a parameter|was |became )[a-zA-Z0-9 .-]*$/)
        },
      ),
    )
  })
})
