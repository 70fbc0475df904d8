import type { Client } from '@modelcontextprotocol/client'
import { looseObject } from 'zod/mini'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { readPageText, type PageText } from '@/lib/shared/mcp/tool-page'

/*
 * A server's offers to people: prompts for the composer and resources as attachments. They are requested only when the
 * user chooses them, and reach a model only in a message that the user sends.
 */

export type OfferRequest =
  | { readonly ask: 'prompts' | 'resources' }
  | { readonly ask: 'prompt'; readonly name: string; readonly args: Readonly<Record<string, string>> }
  /** `page`: the page that shows the results of a tool. */
  | { readonly ask: 'resource' | 'page'; readonly uri: string }
  | { readonly ask: 'skills' }
  /** All files of a skill. `uri`: the URI of its SKILL.md. */
  | { readonly ask: 'skill'; readonly uri: string }

/** All of these are foreign texts. */
export interface OfferedPrompt {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly args: readonly { readonly name: string; readonly about: string; readonly required: boolean }[]
}

export interface OfferedResource {
  /** With `{variables}` where `isTemplate`. */
  readonly uri: string
  readonly isTemplate: boolean
  readonly title: string
  readonly about: string
  readonly mimeType: string
  /** In bytes, as the server says; null: it does not. */
  readonly size: number | null
}

export interface OfferedSkill {
  /** The URI of its SKILL.md. */
  readonly uri: string
  readonly name: string
  readonly about: string
  /** Their number, and their total bytes. */
  readonly files: number
  readonly bytes: number
}

export type OfferedPiece =
  | { readonly kind: 'text'; readonly text: string; readonly by: 'user' | 'assistant'; readonly uri: string }
  | { readonly kind: 'bytes'; readonly base64: string; readonly mimeType: string; readonly uri: string }
  /** A kind of content that is not supported. */
  | { readonly kind: 'other'; readonly type: string }

export interface Offer {
  readonly prompts: readonly OfferedPrompt[]
  readonly resources: readonly OfferedResource[]
  readonly pieces: readonly OfferedPiece[]
  /** Null: the response was no page. */
  readonly page?: PageText | null
  /** Left out: not requested. */
  readonly skills?: readonly OfferedSkill[]
  /** The files of a skill, by paths relative to its folder, as the server gives them. */
  readonly files?: readonly { readonly path: string; readonly base64: string }[]
}

const MAX_PAGES = 20
const MAX_ENTRIES = 500
const MAX_PIECES = 200
const MAX_NAME = 300
const MAX_ABOUT = 2_000

const anyResult = looseObject({})
const nothing: Offer = { prompts: [], resources: [], pieces: [] }

const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '')
const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isJsonObject) : []

/** Makes one request. Rejects as the SDK does. */
export async function offerOf(
  client: Pick<Client, 'request' | 'getServerCapabilities'>,
  asked: OfferRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Offer> {
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> =>
    (await client.request({ method, params }, anyResult, {
      timeout: timeoutMs,
      ...(signal && { signal }),
    })) as JsonObject
  const all = async (method: string, key: string): Promise<readonly JsonObject[]> => {
    const found: JsonObject[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES && found.length < MAX_ENTRIES; page += 1) {
      const { [key]: some, nextCursor } = await ask(method, cursor === undefined ? {} : { cursor })
      found.push(...objects(some))
      // A repeated cursor would be followed forever.
      if (typeof nextCursor !== 'string' || seen.has(nextCursor)) break
      seen.add(nextCursor)
      cursor = nextCursor
    }
    return found.slice(0, MAX_ENTRIES)
  }
  const can = client.getServerCapabilities()
  switch (asked.ask) {
    case 'prompts':
      return can?.prompts ? { ...nothing, prompts: (await all('prompts/list', 'prompts')).flatMap(promptOf) } : nothing
    case 'resources': {
      if (!can?.resources) return nothing
      const listed = await all('resources/list', 'resources')
      // Many servers have no templates, and some report that as an error.
      const templates = await all('resources/templates/list', 'resourceTemplates').catch(() => [])
      const resources = [...listed.map(resourceOf), ...templates.map(resourceOf)]
      return { ...nothing, resources: resources.filter(({ uri }) => uri !== '') }
    }
    case 'prompt': {
      const { messages } = await ask('prompts/get', { name: asked.name, arguments: { ...asked.args } })
      return { ...nothing, pieces: objects(messages).slice(0, MAX_PIECES).map(pieceOfMessage) }
    }
    case 'resource': {
      const { contents } = await ask('resources/read', { uri: asked.uri })
      return {
        ...nothing,
        pieces: objects(contents)
          .slice(0, MAX_PIECES)
          .map((one) => pieceOfResource(one, 'user')),
      }
    }
    case 'skills':
    case 'skill':
      // `server-skills.ts`, so that the page loads no part of the SDK.
      return nothing
    case 'page': {
      const { contents } = await ask('resources/read', { uri: asked.uri })
      return { ...nothing, page: readPageText(objects(contents)) }
    }
  }
}

function promptOf({ name, title, description, arguments: args }: JsonObject): readonly OfferedPrompt[] {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return []
  const listed = objects(args).flatMap((one) =>
    typeof one['name'] === 'string' && one['name'] !== ''
      ? [
          {
            name: text(one['name'], MAX_NAME),
            about: text(one['description'], MAX_ABOUT),
            required: one['required'] === true,
          },
        ]
      : [],
  )
  return [{ name, title: text(title, MAX_NAME) || name, about: text(description, MAX_ABOUT), args: listed }]
}

function resourceOf({ uri, uriTemplate, name, title, description, mimeType, size }: JsonObject): OfferedResource {
  const address = text(uri, MAX_ABOUT) || text(uriTemplate, MAX_ABOUT)
  return {
    uri: address,
    isTemplate: typeof uri !== 'string',
    title: text(title, MAX_NAME) || text(name, MAX_NAME) || address,
    about: text(description, MAX_ABOUT),
    mimeType: text(mimeType, MAX_NAME),
    size: typeof size === 'number' && Number.isFinite(size) && size >= 0 ? size : null,
  }
}

function pieceOfMessage({ role, content }: JsonObject): OfferedPiece {
  const by = role === 'assistant' ? 'assistant' : 'user'
  if (!isJsonObject(content)) return { kind: 'other', type: '' }
  const { type, text: words, data, mimeType, resource, uri } = content
  if (type === 'text' && typeof words === 'string') return { kind: 'text', text: words, by, uri: '' }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { kind: 'bytes', base64: data, mimeType: text(mimeType, MAX_NAME), uri: '' }
  }
  if (type === 'resource' && isJsonObject(resource)) return pieceOfResource(resource, by)
  // It is not fetched, since that would be a decision of its own: its address is shown.
  if (type === 'resource_link' && typeof uri === 'string')
    return { kind: 'text', text: text(uri, MAX_ABOUT), by, uri: '' }
  return { kind: 'other', type: text(type, MAX_NAME) }
}

function pieceOfResource(resource: JsonObject, by: 'user' | 'assistant'): OfferedPiece {
  const uri = text(resource['uri'], MAX_ABOUT)
  if (typeof resource['text'] === 'string') return { kind: 'text', text: resource['text'], by, uri }
  if (typeof resource['blob'] !== 'string') return { kind: 'other', type: '' }
  return { kind: 'bytes', base64: resource['blob'], mimeType: text(resource['mimeType'], MAX_NAME), uri }
}

const expression = /\{([^{}]*)\}/gu

/** The variables of a URI template if it is simple (`{name}` and `{+name}` of RFC 6570); null: it is not. */
export function templateVariables(template: string): readonly string[] | null {
  const names = [...template.matchAll(expression)].map(([, name = '']) => name)
  return names.every((name) => /^\+?\w+$/u.test(name)) ? [...new Set(names.map((name) => name.replace('+', '')))] : null
}

export const expandTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(expression, (_, name: string) =>
    name.startsWith('+') ? encodeURI(values[name.slice(1)] ?? '') : encodeURIComponent(values[name] ?? ''),
  )
