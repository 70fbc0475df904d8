import { plural } from '@/lib/base/locale'
import { formatBytes } from '@/lib/base/format-bytes'
import { formatDuration } from '@/lib/base/format-duration'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { LogEntry } from '@/lib/conversation/conversation'
import { lifetimeWords } from '@/lib/calls/grant-words'
import type { SentencePart } from '@/lib/base/sentence-part'

/*
 * Lines of the log as sentences. `detail` is free JSON that other versions may have written: what is missing or of
 * another kind is left out of the sentence, never a reason to show nothing.
 */

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
const numberOf = (value: JsonValue | undefined): number | null => (typeof value === 'number' ? value : null)
const objectOf = (value: JsonValue | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {})
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

const said = (words: JsonValue | undefined): string => {
  const text = textOf(words)
  return text === null ? '' : `: “${text}”`
}

const deciders: Readonly<Record<string, string>> = {
  click: ' by a click',
  auto: ' by the rule for its tool',
  grant: ' by a remembered answer',
  unknown: '; by whom is not known',
}

const keepers: Readonly<Record<string, string>> = {
  overtaken: ': you wrote something else instead',
  imported: ': it came along when this chat was imported',
  unknown: '; by whom is not known',
}

const statuses: Readonly<Record<string, string>> = {
  completed: ' ran',
  error: ' failed',
  cancelled: ' was stopped',
  interrupted: ' was interrupted',
  not_found: ' is no tool that exists',
}

const byName = (names: Readonly<Record<string, string>>, name: JsonValue | undefined): string | null =>
  typeof name === 'string' && Object.hasOwn(names, name) ? (names[name] ?? null) : null

/** What happened, in words; names and paths are set in code type. */
export function logSentence({ event, tool, detail, at }: LogEntry): readonly SentencePart[] {
  const name: SentencePart = tool === null ? 'a call' : { code: tool }
  switch (event) {
    case 'call-amended':
      return ['The call ', ...(tool === null ? ['was taken as it is read'] : ['was changed; it is now one to ', name])]
    case 'tool-registered':
      return detail['before']
        ? ['What this chat knows of its own tool ', name, ' was changed']
        : ['This chat got a tool of its own: ', name]
    case 'amendment-undone':
      return ['The change of ', name, ' was taken back']
    case 'call-decided':
      return [name, ...decided(detail)]
    case 'denial-explained':
      return ['Why ', name, ` was denied${said(detail['reason'])}`]
    case 'call-stopped':
      return detail['begun'] === false
        ? [name, ' was cancelled before it began: you stopped the calls before it']
        : [name, ' was stopped by you', attemptWords(detail)]
    case 'call-finished':
      return [name, ...finished(detail)]
    case 'result-released':
      return ['The result of ', name, released(detail)]
    case 'results-sent':
      return sent(detail)
    case 'grant-given':
      return [allowedFor(at, detail), ...scope(tool, detail)]
    case 'grant-revoked':
      return ['Not allowed any more: ', ...scope(tool, detail)]
    case 'imported':
      return ['This chat was imported; what follows was logged where it came from']
    case 'settings-changed':
      return settings(detail)
    default:
      // A newer server may know more events.
      return [String(event)]
  }
}

function decided(detail: JsonObject): readonly SentencePart[] {
  switch (detail['decision']) {
    case 'deny':
      return [` was denied${said(detail['reason'])}`]
    case 'skip':
      return [leftOut(objectOf(detail['by']))]
    default: {
      const by = byName(deciders, objectOf(detail['by'])['kind']) ?? ''
      const changed = isJsonObject(detail['changed'] ?? null) ? ', with changed arguments' : ''
      return [` was allowed${by}${changed}${attemptWords(detail)}`]
    }
  }
}

function leftOut({ kind, maxCalls }: JsonObject): string {
  switch (kind) {
    case 'overtaken':
      return ' was decided by nobody: you wrote something else'
    case 'limit': {
      const limit = numberOf(maxCalls)
      return limit === null
        ? ' was decided by nobody: no more calls of one reply may run'
        : ` was decided by nobody: ${plural(limit, { one: 'one call', other: `${limit} calls` })} of one reply may run`
    }
    case 'unknown':
      return ' was left out; by whom is not known'
    default:
      return ' was left out'
  }
}

function attemptWords(detail: JsonObject): string {
  const attempt = numberOf(detail['attempt']) ?? 1
  return attempt > 1 ? `, attempt ${attempt}` : ''
}

function finished(detail: JsonObject): readonly SentencePart[] {
  if (detail['begun'] === false) return [' ended as cancelled: nothing of it ran']
  const durationMs = numberOf(detail['durationMs'])
  const bytes = numberOf(detail['resultBytes'])
  const facts = [
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(bytes === null ? [] : [`a result of ${formatBytes(bytes)}`]),
    ...(detail['gated'] === true ? ['its result waits for a look'] : []),
  ]
  return [[byName(statuses, detail['status']) ?? ' ended', ...facts].join(', ')]
}

const changeWords: Readonly<Record<string, string>> = {
  trimmed: 'trimmed',
  redacted: 'redacted',
  edited: 'edited',
  'file-reference': 'replaced by a file’s name',
}

function released(detail: JsonObject): string {
  const note = said(detail['note'])
  switch (detail['release']) {
    case 'withheld':
      return ` was kept back${byName(keepers, objectOf(detail['by'])['kind']) ?? ''}${note}`
    case 'changed': {
      const changes = listOf(detail['changes']).flatMap((change) => byName(changeWords, change) ?? [])
      return ` may go, ${changes.length > 0 ? changes.join(' and ') : 'changed'}${note}`
    }
    default:
      return ` may go as it is${note}`
  }
}

function sent(detail: JsonObject): readonly SentencePart[] {
  const results = listOf(detail['results']).map(objectOf)
  const isOpen = (result: JsonObject) => result['status'] === 'unfinished'
  const went = namesIn([...results.filter((result) => !isOpen(result)), ...listOf(detail['late']).map(objectOf)])
  const open = namesIn(results.filter(isOpen))
  const told: readonly SentencePart[] =
    open.length === 0
      ? []
      : [
          'The model was told that ',
          ...listed(open),
          plural(open.length, { one: ' is unfinished', other: ' are unfinished' }),
        ]
  if (went.length === 0) return told.length > 0 ? told : ['Results went to the model']
  const head = plural(went.length, {
    one: 'One result went to the model: ',
    other: `${went.length} results went to the model: `,
  })
  return [head, ...listed(went), ...(told.length > 0 ? ['. ', ...told] : [])]
}

const namesIn = (results: readonly JsonObject[]): readonly string[] =>
  results.flatMap((result) => textOf(result['name']) ?? [])

const listed = (names: readonly string[]): readonly SentencePart[] =>
  names.flatMap((code, at): SentencePart[] => (at === 0 ? [{ code }] : [', ', { code }]))

/** An answer that ends says when it is given for how long: its end is no event of its own. */
function allowedFor(at: number, detail: JsonObject): string {
  const expiresAt = numberOf(detail['expiresAt'])
  if (expiresAt === null) return 'Allowed from now on: '
  return `Allowed from now on, for ${lifetimeWords(Math.round((expiresAt - at) / 60_000) * 60_000)}: `
}

function scope(tool: string | null, detail: JsonObject): readonly SentencePart[] {
  const { kind, folder, label, tool: named } = objectOf(detail['scope'])
  const name: SentencePart = { code: tool ?? textOf(named) ?? 'a tool' }
  if (kind === 'folder') return [name, ' in ', { code: textOf(folder) ?? '?' }, ' and all below it']
  if (kind === 'arguments') {
    const words = textOf(label)
    return [name, ' with the same arguments', ...(words === null ? [] : [', ', { code: words }])]
  }
  return ['every call of ', name]
}

const settingWords: Readonly<Record<string, string>> = {
  model: 'model',
  strategy: 'strategy',
  exact: 'exact calls',
  systemPrompt: 'system prompt',
  'tools.enabled': 'tools on or off',
  'tools.mode': 'approval',
  'tools.requireConfirmation': 'every call waits for a click',
  'tools.grantLifetimeMs': 'how long a remembered yes stands',
  'tools.toolToggles': 'offered tools',
  'tools.defaultToolEnabled': 'new tools',
  'tools.toolRules': 'rules of tools',
  'tools.resultGate': 'results that are shown first',
  'tools.maxIterations': 'rounds',
  'tools.maxCallsPerReply': 'calls of one reply',
  'tools.timeoutMs': 'time limit',
  'tools.parallelExecution': 'side by side',
  'tools.approvalUi': 'where it asks',
}

/** What it is now, where few words say it. */
function valueWords(key: string, value: JsonValue | undefined): string {
  const isSwitch = key === 'tools.requireConfirmation' || key === 'exact'
  if (isSwitch && typeof value === 'boolean') return value ? ': on' : ': off'
  if (key !== 'tools.grantLifetimeMs' || value === undefined) return ''
  const ms = numberOf(value)
  return ms === null ? ': as long as the chat' : `: ${lifetimeWords(ms)}`
}

function settings(detail: JsonObject): readonly SentencePart[] {
  const changed = Object.entries(detail).map(
    ([key, change]) => `${byName(settingWords, key) ?? key}${valueWords(key, objectOf(change)['to'])}`,
  )
  return [changed.length === 0 ? 'The settings were changed' : `Settings changed: ${changed.join(', ')}`]
}
