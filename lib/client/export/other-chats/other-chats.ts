import { isRecord } from '@/lib/base/json'
import type { PositionedChat, PositionedMessage } from '@/lib/shared/conversation/readable/export-of-readable'
import { linksOfSources } from './chatgpt-marks'
import { addMessage, listIn, MessageParts, recordsIn, textOf, timeOf } from './message-parts'
import type { SkippedCount } from './skipped'

/*
 * Open WebUI writes other parts than the answer as blocks into its text, with values escaped for HTML:
 *
 *   <details type="reasoning" done="true"><summary>Thought</summary>
 *   &gt; hm</details>
 *   <details type="tool_calls" name="search" arguments="&quot;{…}&quot;" result="…"><summary>…</summary></details>
 *   <details type="code_interpreter" output="…"><summary>…</summary>
 *   ```python
 *   …
 *   ```</details>
 */

const block =
  /<details type="(reasoning|tool_calls|code_interpreter)"([^>]*)>\s*(?:<summary>[^<]*<\/summary>)?([^]*?)<\/details>\s*/g
const attribute = /([\w-]+)="([^"]*)"/g
const entities: Readonly<Record<string, string>> = { gt: '>', lt: '<', amp: '&', quot: '"', '#39': "'", '#x27': "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(gt|lt|amp|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '')

/** Adds the text, with its blocks as thoughts and calls in their places. */
function addWithBlocks(into: MessageParts, text: string): void {
  let at = 0
  for (const found of text.matchAll(block)) {
    into.say('text', text.slice(at, found.index))
    const [whole, kind, given = '', inner = ''] = found
    const about = new Map(Array.from(given.matchAll(attribute), ([, name, value = '']) => [name, unescaped(value)]))
    if (kind === 'reasoning') into.say('thought', unescaped(inner).replaceAll(/^> ?/gm, ''))
    else {
      const isCode = kind === 'code_interpreter'
      const tool = isCode ? kind : (about.get('name') ?? '')
      into.call(tool, isCode ? unescaped(inner).trim() : about.get('arguments'))
      const result = about.get(isCode ? 'output' : 'result')
      if (result !== undefined) into.result(tool, plain(result))
    }
    at = found.index + whole.length
  }
  into.say('text', text.slice(at))
}

/** Decodes a text that was encoded as JSON. */
function plain(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'string' ? parsed : value
  } catch {
    return value
  }
}

/*
 * Chats of other programs, which share the essentials: messages with a role, text, and their parent.
 *
 *   Open WebUI   {"chat":{"title":…,"history":{"currentId":"b","messages":{"a":{"role":"user","content":…,"parentId":null},…}}}}
 *   LibreChat    {"title":…,"messages":[{"messageId":…,"isCreatedByUser":true,"text":…,"children":[…]}]}, or flat with
 *                "parentMessageId"
 *   LobeHub      {"state":{"messages":[{"role":…,"content":…,"topicId":…}],"topics":[{"id":…,"title":…}]}}: one chat per topic
 *   others       {"messages":[{"role":"user","content":"…" or [{"type":"text","text":"…"}]}]}, like requests to models
 */

type Json = Readonly<Record<string, unknown>>

export type OtherSource = 'openwebui' | 'librechat' | 'messages'

/** Which of them a chat is; null: none. */
export function otherSourceOf(value: Json): OtherSource | null {
  const { chat } = value
  if (isRecord(chat)) {
    const isTree = isRecord(chat['history']) && isRecord(chat['history']['messages'])
    return isTree || recordsIn(chat['messages']).length > 0 ? 'openwebui' : null
  }
  const [first] = recordsIn(value['messages'] ?? value['messagesTree'])
  if (!first) return null
  if ('messageId' in first || 'isCreatedByUser' in first) return 'librechat'
  return 'role' in first ? 'messages' : null
}

export function readOtherChat(value: Json, source: OtherSource, skipped: SkippedCount): PositionedChat {
  const inner = source === 'openwebui' && isRecord(value['chat']) ? value['chat'] : value
  const history = isRecord(inner['history']) ? inner['history'] : {}
  const isTree = isRecord(history['messages'])
  const given = isTree ? nodesOf(history, skipped) : linesOf(inner, skipped)
  const createdAt = timeOf(value['created_at'] ?? value['createdAt']) ?? 0
  const messages: PositionedMessage[] = []
  const places = new Map<string, string | null>()
  for (const { id: foreign, parent, message } of given) {
    const parentId = parent === null ? null : (places.get(parent) ?? null)
    const at = timeOf(message['timestamp'] ?? message['createdAt']) ?? createdAt
    const role = message['isCreatedByUser'] === true ? 'user' : textOf(message['role']) || 'assistant'
    const read = readMessage(message, role, skipped)
    if (role === 'system' || role === 'developer') {
      if (read.parts.length > 0) skipped.add('instructions')
      places.set(foreign, parentId)
      continue
    }
    const by = role === 'user' || role === 'human' ? 'person' : 'model'
    places.set(foreign, addMessage(messages, read, { by, parentId, at, model: textOf(message['model']) }))
  }
  const system = isRecord(inner['params']) ? (inner['params']['system'] ?? inner['system']) : inner['system']
  if (textOf(system).trim() !== '') skipped.add('instructions')
  return {
    title: textOf(value['title']) || textOf(inner['title']),
    createdAt,
    updatedAt: timeOf(value['updated_at'] ?? value['updatedAt']) ?? createdAt,
    systemPrompt: null,
    messages,
    headId: places.get(textOf(history['currentId'])) ?? null,
  }
}

interface Node {
  readonly id: string
  readonly parent: string | null
  readonly message: Json
}

/** For Open WebUI: each message after its parent. */
function nodesOf(history: Json, skipped: SkippedCount): readonly Node[] {
  const messages = isRecord(history['messages']) ? history['messages'] : {}
  const children = new Map<string, string[]>()
  const roots: string[] = []
  for (const [id, message] of Object.entries(messages)) {
    if (!isRecord(message)) {
      skipped.addLost('damaged', message)
      continue
    }
    const parent = textOf(message['parentId'])
    if (parent !== '' && isRecord(Object.hasOwn(messages, parent) ? messages[parent] : null)) {
      children.set(parent, [...(children.get(parent) ?? []), id])
    } else roots.push(id)
  }
  const nodes: Node[] = []
  const seen = new Set<string>()
  const walk = (from: readonly string[]) => {
    const open = from.map((id) => ({ id, parent: null as string | null })).toReversed()
    for (let next = open.pop(); next; next = open.pop()) {
      const { id, parent } = next
      const message = messages[id]
      if (seen.has(id) || !isRecord(message)) continue
      seen.add(id)
      nodes.push({ id, parent, message })
      for (const child of (children.get(id) ?? []).toReversed()) open.push({ id: child, parent: id })
    }
  }
  walk(roots)
  // Messages in a cycle have no first one: start at any of them.
  for (const id of Object.keys(messages)) walk([id])
  return nodes
}

/**
 * Reads a list, with children nested in a message or named by it; if no parents are named, each message answers the
 * previous one.
 */
function linesOf(value: Json, skipped: SkippedCount): readonly Node[] {
  const nodes: Node[] = []
  const seen = new Set<string>()
  const inList = (list: unknown, above: string | null) =>
    listIn(list)
      .map((message) => ({ message, above }))
      .toReversed()
  const open = inList(value['messages'] ?? value['messagesTree'], null)
  for (let next = open.pop(); next; next = open.pop()) {
    const { message, above } = next
    if (!isRecord(message)) {
      skipped.addLost('damaged', message)
      continue
    }
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
    open.push(...inList(message['children'], id))
  }
  return nodes
}

/** The content of a message, in any of the places where programs put it. */
function readMessage(message: Json, role: string, skipped: SkippedCount): MessageParts {
  const read = new MessageParts(skipped)
  const reasoning = message['reasoning']
  const thought = isRecord(reasoning) ? reasoning['content'] : (reasoning ?? message['reasoning_content'])
  if (hasContent(thought)) read.sayWords('thought', thought)
  const content = message['content'] ?? message['text'] ?? message['parts']
  if (role === 'tool' || role === 'function') {
    const plugin = isRecord(message['plugin']) ? message['plugin'] : {}
    read.result(message['name'] ?? plugin['apiName'], content)
  } else if (typeof content === 'string') addWithBlocks(read, content)
  else if (Array.isArray(content)) {
    read.read(content)
    if (read.parts.length === 0) read.say('text', textOf(message['text']))
  } else if (content !== null && content !== undefined) read.sayWords('text', content)
  const sources = recordsIn(message['sources']).map(({ source }) => {
    return isRecord(source) ? { ...source, title: source['title'] ?? source['name'] } : {}
  })
  const found = isRecord(message['search']) ? recordsIn(message['search']['citations']) : []
  read.say('text', linksOfSources([...sources, ...found]).trim())
  for (const call of recordsIn(message['tool_calls'] ?? message['tools'])) {
    const made = isRecord(call['function']) ? call['function'] : call
    read.call(made['name'] ?? made['apiName'], made['arguments'])
  }
  for (const name of ['files', 'attachments', 'fileList', 'imageList']) {
    for (const file of listIn(message[name])) {
      if (isRecord(file)) read.file(file, textOf(file['type']) || 'file')
      else skipped.addLost('files', file)
    }
  }
  // Every valid message has one of these: here the content is in an unknown place.
  if (!wordKeys.some((name) => name in message)) skipped.add('damaged')
  const { error } = message
  if (isRecord(error) || typeof error === 'string') read.sayWords('text', error)
  return read
}

const wordKeys = ['content', 'text', 'parts', 'reasoning', 'tool_calls', 'tools', 'files', 'attachments', 'error']
const hasContent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** The chats of a file that is one object: for LobeHub one per topic, else the object itself. */
export function chatsOfObject(value: Json): readonly unknown[] {
  if (Array.isArray(value['conversations'])) return value['conversations']
  const state = isRecord(value['state']) ? value['state'] : isRecord(value['data']) ? value['data'] : null
  if (!state || !Array.isArray(state['messages'])) return [value]
  const titles = new Map(recordsIn(state['topics']).map((topic) => [textOf(topic['id']), textOf(topic['title'])]))
  const systems = new Map(
    recordsIn(state['sessions']).map(({ id, config }) => [
      textOf(id),
      isRecord(config) ? textOf(config['systemRole']) : '',
    ]),
  )
  const topics = Map.groupBy(withTables(state), (message) =>
    isRecord(message) ? `${textOf(message['sessionId'])} ${textOf(message['topicId'])}` : '',
  )
  return Array.from(topics, ([key, given]) => {
    // Database order, if any message has no date.
    const isDated = given.every((message) => createdAtOf(message) > 0)
    const messages = isDated ? given.toSorted((a, b) => createdAtOf(a) - createdAtOf(b)) : given
    const first = messages.find(isRecord) ?? {}
    return {
      id: `lobehub ${key}`,
      title: titles.get(textOf(first['topicId'])) ?? '',
      created_at: first['createdAt'],
      updated_at: messages.findLast(isRecord)?.['createdAt'],
      system: systems.get(textOf(first['sessionId'])) ?? '',
      messages,
    }
  })
}

const createdAtOf = (message: unknown): number => (isRecord(message) ? (timeOf(message['createdAt']) ?? 0) : 0)

/** LobeHub's database keeps parts of a message in tables beside it. */
function withTables(state: Json): readonly unknown[] {
  const plugins = new Map(recordsIn(state['messagePlugins']).map((one) => [textOf(one['id']), one]))
  const files = new Map(recordsIn(state['files']).map((one) => [textOf(one['id']), one]))
  const attached = Map.groupBy(recordsIn(state['messagesFiles']), (one) => textOf(one['messageId']))
  return listIn(state['messages']).map((message) => {
    if (!isRecord(message)) return message
    const id = textOf(message['id'])
    const plugin = plugins.get(id)
    const own = attached.get(id) ?? []
    const fileList = own.map(({ fileId }) => files.get(textOf(fileId)) ?? { name: textOf(fileId) })
    return { ...message, ...(plugin && { plugin }), ...(fileList.length > 0 && { fileList }) }
  })
}
