import { readFileSync } from 'node:fs'
import path from 'node:path'
import { formatted } from '../setup/formatted.mjs'
import { describe, expect, it } from 'vitest'
import { answerTypes } from './http-api/answer-types'
import { apiPageOf, httpRoutes, openApiOf } from './http-api/document'
import { operations } from './http-api/operations'

const root = path.resolve(import.meta.dirname, '../..')
const routes = await httpRoutes()

describe('the HTTP API reference', () => {
  it('describes every route, and no other', () => {
    expect(routes.length).toBeGreaterThan(50)
    expect(routes.map(({ key }) => key).toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  it('takes a body’s schema from the route that validates it', () => {
    const chat = routes.find(({ key }) => key === 'POST /api/chat')
    expect(chat?.body).toMatchObject({ type: 'object', properties: { conversationId: { type: 'string' } } })
  })

  it('is an OpenAPI document with a path for each route', () => {
    const { openapi, paths } = openApiOf(routes, '1.0.0') as { openapi: string; paths: Record<string, object> }
    expect(openapi).toBe('3.1.0')
    const written = Object.entries(paths).flatMap(([address, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${address.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(written.toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  it('lists the fields of every type in a response, and of the types that these name', () => {
    const types = new Map(answerTypes(routes.map(({ answer = '' }) => answer)).map((type) => [type.name, type]))
    const named = routes.flatMap(({ answer = '' }) => answer.match(/\b[A-Z][a-z]\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(30)
    expect([...new Set(named)].filter((name) => !types.has(name))).toEqual([])
    expect(types.get('ConversationsResponse')?.fields).toContain('conversations: ConversationSummary[]')
    expect(types.get('ConversationSummary')?.fields).toContain('waitingCalls: number')
  })

  it('writes a type on one line, with separated members', () => {
    for (const { fields } of answerTypes(['RunEvent', 'CallOutcome', 'UseView']))
      for (const field of fields) expect(field).toMatch(/^(?!\|)[^\n]*$/)
    const [budgets] = answerTypes(['UseView']).find(({ name }) => name === 'UseView')?.fields ?? []
    expect(budgets).toBe('budgets: { models: string; mine: boolean; limit: number; left: number }[]')
  })

  it('is up to date; otherwise run `npm run generate -- http-api --write`', async () => {
    const file = path.join(root, 'docs/generated/http-api.md')
    const text = await formatted(file, apiPageOf(routes))
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})
