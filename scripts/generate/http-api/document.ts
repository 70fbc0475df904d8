import path from 'node:path'
import { globSync } from 'tinyglobby'
import { z } from 'zod'
import { routeBodies } from '@/app/api/with-owner'
import { answerTypes } from './answer-types'
import { operations, type Operation } from './operations'

const root = path.resolve(import.meta.dirname, '../../..')
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

interface Route extends Partial<Operation> {
  /** `POST /api/chat` */
  readonly key: string
  readonly method: string
  /** With `:name` for a variable segment. */
  readonly path: string
  /** JSON Schema of its body; null without one. */
  readonly body: Readonly<Record<string, unknown>> | null
}

/** Every method that a route file exports, with the body schema that its handler validates, sorted by path. */
export async function httpRoutes(): Promise<readonly Route[]> {
  const files = globSync('app/api/**/route.ts', { cwd: root })
  const found = await Promise.all(files.map(routesOf))
  return found.flat().toSorted((a, b) => a.path.localeCompare(b.path) || order(a) - order(b))
}

const order = ({ method }: Route): number => METHODS.indexOf(method)

async function routesOf(file: string): Promise<readonly Route[]> {
  const handlers = (await import(path.join(root, file))) as Readonly<Record<string, unknown>>
  const address = `/${path.dirname(file).split(path.sep).slice(1).join('/')}`.replaceAll(/\[(\w+)\]/g, ':$1')
  return METHODS.flatMap((method) => {
    const handler = handlers[method]
    if (typeof handler !== 'function') return []
    const schema = routeBodies.get(handler)
    const key = `${method} ${address}`
    return [{ key, method, path: address, body: schema ? jsonSchemaOf(schema) : null, ...operations[key] }]
  })
}

/** A client's input; a custom check of ours has no JSON Schema and allows anything. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

/** The routes as an OpenAPI 3.1 document. Responses are described, not typed: their types are in `api-types.ts`. */
export function openApiOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path: address, summary, answer, query, headers, body } of routes) {
    const parameters = [
      ...[...address.matchAll(/:(\w+)/g)].map(([, name]) => parameter('path', name ?? '', undefined)),
      ...Object.entries(query ?? {}).map(([name, description]) => parameter('query', name, description)),
      ...Object.entries(headers ?? {}).map(([name, description]) => parameter('header', name, description)),
    ]
    const item = (paths[address.replaceAll(/:(\w+)/g, '{$1}')] ??= {})
    item[method.toLowerCase()] = {
      summary,
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
      responses: {
        default: { description: answer },
        '4XX': { description: 'an error', content: { 'application/json': { schema: errorSchema } } },
      },
    }
  }
  return { openapi: '3.1.0', info: { title: 'Nod', version }, paths }
}

const errorSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        reason: { type: 'string' },
        values: { type: 'object' },
        message: { type: 'string' },
        headId: { type: ['string', 'null'] },
      },
      required: ['code', 'reason', 'values', 'message'],
    },
  },
  required: ['error'],
}

const parameter = (place: 'path' | 'query' | 'header', name: string, description: string | undefined): object => ({
  in: place,
  name,
  ...(description !== undefined && { description }),
  ...(place === 'path' && { required: true }),
  schema: { type: 'string' },
})

/** The routes as a Markdown page. */
export function apiPageOf(routes: readonly Route[]): string {
  const rows = routes.map(({ key, summary = '', answer = '', query, idempotentBy, body }) => {
    const asked = Object.entries(query ?? {}).map(([name, description]) => `\`?${name}=\` ${description}`)
    const again = idempotentBy === undefined ? [] : [`idempotent by ${idempotentBy}`]
    const notes = [...asked, ...again].join('; ')
    return `| \`${key}\` | ${summary} | ${fieldsOf(body)} | ${answer.replaceAll('|', '\\|')} | ${notes} |`
  })
  return [
    '# HTTP API: all routes',
    '',
    'Written by `npm run generate -- http-api --write` from the routes, their zod schemas and the types of answers. `npm run -s generate -- http-api` prints an OpenAPI document with all body schemas;',
    '[HTTP API](../reference/http-api.md) explains errors, authentication and streams.',
    '',
    '| route | what it does | body | answer | notes |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## Types of answers',
    '',
    'A field with `?` can be missing. Types that are not listed are TypeScript’s own, or JSON.',
    '',
    '| type | fields, or one of |',
    '| --- | --- |',
    ...answerTypes(routes.map(({ answer = '' }) => answer)).map(
      ({ name, fields }) => `| \`${name}\` | ${fields.map(code).join(', ')} |`,
    ),
    '',
  ].join('\n')
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

/** `id`, `settings?`: the top fields of a body. */
function fieldsOf(body: Route['body']): string {
  if (!body) return ''
  const required = new Set((body['required'] as readonly string[] | undefined) ?? [])
  const names = Object.keys((body['properties'] as object | undefined) ?? {})
  return names.length === 0
    ? 'one of several shapes'
    : names.map((name) => `\`${name}${required.has(name) ? '' : '?'}\``).join(', ')
}
