import { describe, expect, it } from 'vitest'
import { toolRegistry } from '@/lib/tools/registry'
import { fieldText, formFields, withField, type FormField } from './form-fields'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where.' },
    content: { type: 'string' },
    limit: { type: 'integer' },
    deep: { type: 'boolean' },
    mode: { enum: ['line', 3] },
    points: { type: 'array', items: { type: 'number' } },
  },
  required: ['path'],
}
const fields = formFields(schema)
const field = (key: string): FormField => {
  const found = fields.find((one) => one.key === key)
  if (!found) throw new Error(key)
  return found
}

describe('a form from a schema', () => {
  it('has a field of the right kind for every parameter', () => {
    expect(fields.map(({ key, kind, required }) => [key, kind, required])).toEqual([
      ['path', 'text', true],
      ['content', 'long-text', false],
      ['limit', 'number', false],
      ['deep', 'boolean', false],
      ['mode', 'choice', false],
      ['points', 'json', false],
    ])
    for (const tool of toolRegistry.list()) expect(formFields(tool.parameters).length).toBeGreaterThan(0)
  })

  it.each([
    ['path', '/a', '/a'],
    ['limit', '3', 3],
    ['limit', 'three', 'three'],
    ['deep', 'true', true],
    ['mode', '3', 3],
    ['points', '[1, 2]', [1, 2]],
    ['points', '[1,', '[1,'],
  ])('reads %s from %s', (key, typed, value) => {
    expect(withField({}, field(key), typed)).toEqual({ [key]: value })
  })

  it('leaves an emptied optional field out, and keeps a required text', () => {
    expect(withField({ path: '/a', limit: 3 }, field('limit'), '')).toEqual({ path: '/a' })
    expect(withField({ path: '/a' }, field('path'), '')).toEqual({ path: '' })
  })

  it('keeps the other arguments and their order, unknown ones too', () => {
    const changed = withField({ path: '/a', other: null, limit: 1 }, field('path'), '/b')
    expect(JSON.stringify(changed)).toBe('{"path":"/b","other":null,"limit":1}')
  })

  it('shows what is there', () => {
    expect(fieldText(field('path'), '/a')).toBe('/a')
    expect(fieldText(field('points'), [1])).toBe('[1]')
    expect(fieldText(field('limit'), undefined)).toBe('')
  })
})
