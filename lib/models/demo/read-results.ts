import { isJsonObject } from '@/lib/base/json'
import type { JsonValue } from '@/lib/base/json'
import type { ToolResultStatus } from '@/lib/strategies/tool-context-def'
import type { SeenResult } from './turn'

interface Frame extends SeenResult {
  readonly end: number
}

/** A user message in two: the results that stand in a strategy's frames, and the user's words after them. */
export function readUserMessage(text: string): { readonly results: readonly SeenResult[]; readonly words: string } {
  const frames = [readJsonFrames, readNativeFrames, readActionFrames, readXmlFrames, readVcpFrames]
    .map((read) => read(text))
    .find(({ length }) => length > 0)
  if (frames === undefined) return { results: [], words: text.trim() }
  const end = Math.max(...frames.map((frame) => frame.end))
  return {
    results: frames.map(({ name, status, result }) => ({ name, status, result })),
    words: wordsAfter(text, end),
  }
}

/** What a user wrote begins in a paragraph of its own; up to there it is the frame's own end. */
function wordsAfter(text: string, end: number): string {
  const paragraph = text.indexOf('\n\n', end)
  return paragraph < 0 ? '' : text.slice(paragraph).trim()
}

/** `{"tool_call_result": {"toolCallId", "name", "status", "result"}}`, one a call. */
const readJsonFrames = (text: string) => readKeyFrames(text, 'tool_call_result')

/** `{"tool_result": {"toolCallId", "name", "status", "result"}}`, a line a call. */
const readNativeFrames = (text: string) => readKeyFrames(text, 'tool_result')

function readKeyFrames(text: string, name: string): readonly Frame[] {
  const frames: Frame[] = []
  const key = `"${name}"`
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    const start = text.lastIndexOf('{', at)
    const end = jsonEnd(text, start)
    const value = end < 0 ? null : parseJson(text.slice(start, end))
    const inner = isJsonObject(value) ? value[name] : undefined
    if (!isJsonObject(inner)) continue
    frames.push({
      name: textOf(inner['name']),
      status: statusOf(textOf(inner['status'])),
      result: inner['result'] ?? null,
      end,
    })
    at = end - 1
  }
  return frames
}

/** `{"action": "tool_result", "toolCallId", "name", "status", "result"}`, one a call, each in a code fence. */
function readActionFrames(text: string): readonly Frame[] {
  const frames: Frame[] = []
  const opener = '{"action":"tool_result"'
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
    const end = jsonEnd(text, at)
    const value = end < 0 ? null : parseJson(text.slice(at, end))
    if (!isJsonObject(value)) continue
    frames.push({
      name: textOf(value['name']),
      status: statusOf(textOf(value['status'])),
      result: value['result'] ?? null,
      end,
    })
    at = end - 1
  }
  return frames
}

/** `<tool_result id="…" name="…" status="…">JSON</tool_result>`, or `tool_action_result` */
function readXmlFrames(text: string): readonly Frame[] {
  const frames: Frame[] = []
  const opener = /<tool_(?:action_)?result\b([^>]*)>/g
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const attributes = found[1] ?? ''
    const bodyStart = found.index + found[0].length
    const closer = text.indexOf(`</${found[0].slice(1).split(/\s/)[0] ?? ''}`, bodyStart)
    if (closer < 0) break
    const end = text.indexOf('>', closer) + 1
    const body = text.slice(bodyStart, closer).trim()
    frames.push({
      name: attribute(attributes, 'name'),
      status: statusOf(attribute(attributes, 'status')),
      result: parseJson(body) ?? body,
      end,
    })
    opener.lastIndex = end
  }
  return frames
}

const attribute = (text: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? ''

/** `[[VCP调用结果信息汇总:` … `VCP调用结果结束]]` around all results, a line a field, each result begun by its tool. */
function readVcpFrames(text: string): readonly Frame[] {
  const start = text.indexOf('[[VCP调用结果信息汇总:')
  const closer = 'VCP调用结果结束]]'
  const close = start < 0 ? -1 : text.indexOf(closer, start)
  if (close < 0) return []
  const frames: Frame[] = []
  let fields = new Map<string, string>()
  const add = () => {
    if (fields.size > 0) frames.push(frameOf(fields, close + closer.length))
    fields = new Map()
  }
  for (const [, label = '', value = ''] of text
    .slice(start, close)
    .matchAll(/^- (工具名称|执行状态|返回内容): (.*)$/gm)) {
    if (label === '工具名称') add()
    fields.set(label, value)
  }
  add()
  return frames
}

const frameOf = (fields: ReadonlyMap<string, string>, end: number): Frame => ({
  name: textOf(parseJson(fields.get('工具名称') ?? '') ?? undefined),
  status: statusOf(fields.get('执行状态') ?? ''),
  result: parseJson(fields.get('返回内容') ?? ''),
  end,
})

const statuses: readonly ToolResultStatus[] = [
  'completed',
  'error',
  'denied',
  'skipped',
  'interrupted',
  'cancelled',
  'not_found',
  'unfinished',
]
export const statusOf = (text: string): ToolResultStatus =>
  statuses.find((status) => text.includes(status)) ?? 'completed'

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

export function parseJson(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return null
  }
}

/** Where the JSON value that begins at `start` ends, or -1. */
function jsonEnd(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let index = Math.max(start, 0); index < text.length; index++) {
    const char = text[index]
    if (inString) {
      if (char === '\\') index += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return -1
}
