import { isRecord } from '@/lib/base/json'
import type { PositionedChat, PositionedMessage } from '@/lib/shared/conversation/readable/export-of-readable'
import type { ReadablePart } from '@/lib/shared/conversation/readable/readable-chat'

/*
 * Chats of other programs, which are alike in what matters: messages with a role, words, and the message that they answer.
 *
 *   Open WebUI   {"chat":{"title":…,"history":{"currentId":"b","messages":{"a":{"role":"user","content":…,"parentId":null},…}}}}
 *   LibreChat    {"title":…,"messages":[{"messageId":…,"isCreatedByUser":true,"text":…,"children":[…]}]}, or flat with
 *                "parentMessageId"
 *   LobeHub      {"state":{"messages":[{"role":…,"content":…,"topicId":…}],"topics":[{"id":…,"title":…}]}}: made one file a topic
 *   others       {"messages":[{"role":"user","content":"…" or [{"type":"text","text":"…"}]}]}, as requests to models are written
 */

type Json = Readonly<Record<string, unknown>>

export type OtherSource = 'openwebui' | 'librechat' | 'messages'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const recordsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Which of them a chat is; null: none. */
export function otherSourceOf(value: Json): OtherSource | null {
  const { chat, messages } = value
  if (isRecord(chat) && isRecord(chat['history']) && isRecord(chat['history']['messages'])) return 'openwebui'
  const [first] = recordsIn(messages)
  if (!first) return null
  if ('messageId' in first || 'isCreatedByUser' in first) return 'librechat'
  return 'role' in first ? 'messages' : null
}

export function readOtherChat(value: Json, source: OtherSource): PositionedChat {
  const inner = source === 'openwebui' && isRecord(value['chat']) ? value['chat'] : value
  const history = isRecord(inner['history']) ? inner['history'] : {}
  const given = source === 'openwebui' ? nodesOf(history) : linesOf(value)
  const createdAt = timeOf(value['created_at'] ?? value['createdAt']) ?? 0
  const messages: PositionedMessage[] = []
  const systems: string[] = []
  const places = new Map<string, string | null>()
  for (const { id: foreign, parent, message } of given) {
    const parentId = parent === null ? null : (places.get(parent) ?? null)
    const id = `n${messages.length}`
    const place = { id, parentId, at: timeOf(message['timestamp'] ?? message['createdAt']) ?? createdAt }
    const role = message['isCreatedByUser'] === true ? 'user' : textOf(message['role'] ?? 'assistant')
    const parts = partsOf(message)
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n')
    if (role === 'system' || role === 'developer') systems.push(text)
    else if (role === 'user' && text !== '') messages.push({ ...place, by: 'person', text, files: [] })
    else if (role !== 'user' && parts.length > 0) {
      messages.push({ ...place, by: 'model', model: textOf(message['model']), ended: 'finished', parts })
    }
    places.set(foreign, messages.at(-1)?.id === id ? id : parentId)
  }
  return {
    title: textOf(value['title']) || textOf(inner['title']),
    createdAt,
    updatedAt: timeOf(value['updated_at'] ?? value['updatedAt']) ?? createdAt,
    systemPrompt: systems.join('\n\n') || null,
    messages,
    headId: places.get(textOf(history['currentId'])) ?? null,
  }
}

interface Node {
  readonly id: string
  readonly parent: string | null
  readonly message: Json
}

/** Of Open WebUI: each after the one that it answers. */
function nodesOf(history: Json): readonly Node[] {
  const messages = isRecord(history['messages']) ? history['messages'] : {}
  const children = new Map<string, string[]>()
  const roots: string[] = []
  for (const [id, message] of Object.entries(messages)) {
    if (!isRecord(message)) continue
    const parent = textOf(message['parentId'])
    if (parent !== '' && Object.hasOwn(messages, parent)) children.set(parent, [...(children.get(parent) ?? []), id])
    else roots.push(id)
  }
  const nodes: Node[] = []
  const open = roots.map((id) => ({ id, parent: null as string | null })).toReversed()
  const seen = new Set<string>()
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, parent } = next
    const message = messages[id]
    if (seen.has(id) || !isRecord(message)) continue
    seen.add(id)
    nodes.push({ id, parent, message })
    for (const child of (children.get(id) ?? []).toReversed()) open.push({ id: child, parent: id })
  }
  return nodes
}

/** Of a list, with the answers of a message in it or named by them; where nothing is named, one answers the other. */
function linesOf(value: Json): readonly Node[] {
  const nodes: Node[] = []
  const seen = new Set<string>()
  const open = recordsIn(value['messages'])
    .map((message) => ({ message, above: null as string | null }))
    .toReversed()
  for (let next = open.pop(); next; next = open.pop()) {
    const { message, above } = next
    const own = textOf(message['messageId'] ?? message['id'])
    const id = own === '' || seen.has(own) ? `line ${nodes.length}` : own
    const named = textOf(message['parentMessageId'] ?? message['parentId'])
    const isNested = above !== null
    const parent = isNested
      ? above
      : seen.has(named)
        ? named
        : 'parentMessageId' in message
          ? null
          : (nodes.at(-1)?.id ?? null)
    seen.add(id)
    nodes.push({ id, parent, message })
    for (const child of recordsIn(message['children']).toReversed()) open.push({ message: child, above: id })
  }
  return nodes
}

const thoughtBlock = /<details type="reasoning"[^>]*>\s*(?:<summary>[^<]*<\/summary>)?([^]*?)<\/details>\s*/g
const entities: Readonly<Record<string, string>> = { gt: '>', lt: '<', amp: '&', quot: '"', '#39': "'", '#x27': "'" }

function partsOf(message: Json): readonly ReadablePart[] {
  const parts: ReadablePart[] = []
  const add = (kind: 'text' | 'thought', text: string) => {
    if (text.trim() !== '') parts.push({ kind, text: text.trim() })
  }
  const reasoning = message['reasoning']
  add('thought', textOf(isRecord(reasoning) ? reasoning['content'] : (reasoning ?? message['reasoning_content'])))
  const content = message['content'] ?? message['text']
  if (typeof content === 'string') {
    let at = 0
    for (const found of content.matchAll(thoughtBlock)) {
      add('text', content.slice(at, found.index))
      const plain = (found[1] ?? '').replaceAll(
        /&(gt|lt|amp|quot|#39|#x27);/g,
        (_, name: string) => entities[name] ?? '',
      )
      add('thought', plain.replaceAll(/^> ?/gm, ''))
      at = found.index + found[0].length
    }
    add('text', content.slice(at))
  }
  for (const part of recordsIn(content)) {
    const text = isRecord(part['text']) ? part['text']['value'] : part['text']
    if (part['type'] === 'think') add('thought', textOf(part['think']))
    else if (typeof text === 'string') add('text', text)
    else if (typeof part['type'] === 'string') add('text', `[${part['type'].slice(0, 100)}]`)
  }
  if (Array.isArray(content) && parts.length === 0) add('text', textOf(message['text']))
  for (const call of recordsIn(message['tool_calls'])) {
    const made = isRecord(call['function']) ? call['function'] : {}
    const tool = textOf(made['name']).slice(0, 300)
    parts.push({ kind: 'call', tool, state: 'done', arguments: null, written: textOf(made['arguments']), result: null })
  }
  return parts
}

/** The chats of a file that is one object: of LobeHub each topic, else the one that it is. */
export function chatsOfObject(value: Json): readonly Json[] {
  if (Array.isArray(value['conversations'])) return recordsIn(value['conversations'])
  const state = isRecord(value['state']) ? value['state'] : isRecord(value['data']) ? value['data'] : null
  if (!state || !Array.isArray(state['messages'])) return [value]
  const named = new Map(recordsIn(state['topics']).map((topic) => [textOf(topic['id']), textOf(topic['title'])]))
  const topics = Map.groupBy(
    recordsIn(state['messages']),
    (message) => `${textOf(message['sessionId'])} ${textOf(message['topicId'])}`,
  )
  return Array.from(topics, ([key, messages]) => ({
    id: `lobehub ${key}`,
    title: named.get(textOf(messages[0]?.['topicId'])) ?? '',
    created_at: messages[0]?.['createdAt'],
    updated_at: messages.at(-1)?.['createdAt'],
    messages,
  }))
}

/** Seconds, milliseconds or a date, as milliseconds. */
function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(time) || time <= 0 || time > 1e14) return null
  return Math.round(time < 1e11 ? time * 1_000 : time)
}
