import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { contentOf, linkOf, readServerQuestion, type AskedField } from '@/lib/shared/mcp/server-question'

const host = 'tables.example.org'

/** The fields of a form with these properties. */
function fieldsOf(properties: JsonObject, required: readonly string[] = []): readonly AskedField[] {
  const requestedSchema = { type: 'object', properties, required }
  const question = readServerQuestion({ message: 'Which table?', requestedSchema }, host)
  if (question.kind !== 'form') throw new Error(question.kind)
  return question.fields
}

/** The value that a field with this schema sends for the typed text. */
function sent(schema: JsonObject, ...typed: readonly string[]): JsonValue {
  const read = contentOf(fieldsOf({ a: schema }, ['a']), [typed])
  return read.ok ? (read.value['a'] ?? null) : (read.error.get(0)?.why ?? null)
}

describe('a question of a server', () => {
  it('is a form with the names, hints and suggestions of the server', () => {
    const fields = fieldsOf(
      {
        seats: { type: 'integer', title: 'Seats', description: 'With children', minimum: 1, default: 2 },
        note: { type: 'string' },
        veg: { type: 'boolean', default: true },
        hall: { type: 'string', enum: ['a', 'b'], enumNames: ['Garden', 'Cellar'], default: 'b' },
        days: { type: 'array', items: { anyOf: [{ const: 'mo', title: 'Monday' }, { const: 'tu' }] }, default: ['tu'] },
      },
      ['seats'],
    )
    expect(fields).toMatchObject([
      { key: 'seats', label: 'Seats', hint: 'With children', required: true, initial: ['2'] },
      { key: 'note', label: 'note', hint: '', required: false, initial: [] },
      { initial: ['yes'] },
      { initial: ['b'], type: { options: [{ label: 'Garden' }, { value: 'b', label: 'Cellar' }] } },
      { initial: ['tu'], type: { options: [{ value: 'mo', label: 'Monday' }, { label: 'tu' }] } },
    ])
    const values = fields.map(({ initial }) => initial)
    expect(contentOf(fields, values)).toEqual({
      ok: true,
      value: { seats: 2, veg: true, hall: 'b', days: ['tu'] },
    })
  })

  it.each<[JsonObject, readonly string[], JsonValue]>([
    [{ type: 'string' }, ['a'], 'a'],
    [{ type: 'string' }, ['  '], 'missing'],
    [{ type: 'string', minLength: 2 }, ['\u{1f5fa}'], 'too-short'],
    [{ type: 'string', maxLength: 1 }, ['\u{1f5fa}'], '\u{1f5fa}'],
    [{ type: 'string', maxLength: 1 }, ['ab'], 'too-long'],
    [{ type: 'string', format: 'email' }, [' a@example.org '], 'a@example.org'],
    [{ type: 'string', format: 'email' }, ['a@b'], 'no-email'],
    [{ type: 'string', format: 'uri' }, ['example.org'], 'no-address'],
    [{ type: 'string', format: 'uri' }, ['https://example.org'], 'https://example.org'],
    [{ type: 'string', format: 'date' }, ['2026-02-28'], '2026-02-28'],
    [{ type: 'string', format: 'date' }, ['2026-02-30'], 'no-date'],
    [{ type: 'string', format: 'date-time' }, ['2026-02-28T10:00'], new Date('2026-02-28T10:00').toISOString()],
    [{ type: 'string', format: 'date-time' }, ['tomorrow'], 'no-date'],
    [{ type: 'number' }, ['1e3'], 'no-number'],
    [{ type: 'number' }, ['-0.5'], -0.5],
    [{ type: 'integer' }, ['1.5'], 'not-whole'],
    [{ type: 'integer', minimum: 1 }, ['0'], 'too-small'],
    [{ type: 'integer', maximum: 8 }, ['9'], 'too-large'],
    [{ type: 'boolean' }, ['no'], false],
    [{ type: 'string', enum: ['a'] }, ['b'], 'missing'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 }, [], 'too-few'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], 'too-many'],
  ])('checks typed text against %j: %j', (schema, typed, result) => {
    expect(sent(schema, ...typed)).toEqual(result)
  })

  it('keeps a field called __proto__ a field', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"}}') as JsonObject
    const read = contentOf(fieldsOf(properties), [['x']])
    expect(read.ok && Object.getOwnPropertyNames(read.value)).toEqual(['__proto__'])
  })

  it.each<[string, JsonValue]>([
    ['no schema', { message: 'x' }],
    ['a nested object', { message: 'x', requestedSchema: { properties: { a: { type: 'object', properties: {} } } } }],
    ['a choice of numbers', { message: 'x', requestedSchema: { properties: { a: { type: 'string', enum: [1] } } } }],
    ['an address that is none', { message: 'x', mode: 'url', url: 1 }],
    [
      '21 fields',
      {
        message: 'x',
        requestedSchema: {
          properties: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, { type: 'string' }])),
        },
      },
    ],
  ])('is not shown as a form with %s', (_what, params) => {
    expect(readServerQuestion(params, host)).toEqual({ kind: 'unreadable', host, message: 'x' })
  })

  it('is an address that only an https link may open', () => {
    const url = 'https://pay.example.org/1'
    expect(readServerQuestion({ mode: 'url', message: 'Pay', url }, host)).toEqual({
      kind: 'address',
      host,
      message: 'Pay',
      url,
    })
    expect(linkOf(url)?.host).toBe('pay.example.org')
    expect(linkOf('http://localhost:8080/x')?.host).toBe('localhost:8080')
    const refused = ['http://pay.example.org', 'javascript:alert(1)', 'data:text/html,x', 'https://nod@evil.org', 'pay']
    expect(refused.map(linkOf)).toEqual(refused.map(() => null))
  })
})
