import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { lifetimeText } from '@/lib/shared/calls/grant-text'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import { t, textOfKey } from '@/lib/i18n/t'

/*
 * Log entries as sentences. `detail` is free JSON that other versions may have written: missing or malformed parts are
 * left out of the sentence, and never hide the entry.
 */

type Put = (part: SentencePart) => string

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
const numberOf = (value: JsonValue | undefined): number | null => (typeof value === 'number' ? value : null)
const objectOf = (value: JsonValue | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {})
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/** A user-written text; '' if there is none. */
const reasonText = (put: Put, words: JsonValue | undefined): string => {
  const text = textOf(words)
  return text === null ? '' : put(text)
}

/**
 * The name if it is one of these, which selects the form of a sentence; '' otherwise, including names that every object
 * has.
 */
const oneOf = (names: readonly string[], name: JsonValue | undefined): string =>
  typeof name === 'string' && names.includes(name) ? name : ''

const deciders = ['click', 'auto', 'grant', 'reviewer', 'unknown']
const keepers = ['overtaken', 'imported', 'unknown']
const statuses = ['completed', 'error', 'cancelled', 'interrupted', 'not_found']

/** The event as a sentence; names and paths are marked as code. */
export function logSentence({ event, tool, detail, at }: LogEntry): readonly SentencePart[] {
  const called: SentencePart = tool === null ? t('log.a-call') : { code: tool }
  return withParts((put) => {
    const name = put(called)
    switch (event) {
      case 'call-amended':
        return tool === null ? t('log.read-as') : t('log.amended', { name })
      case 'tool-registered':
        return t(detail['before'] ? 'log.tool-changed' : 'log.tool-new', { name })
      case 'tool-removed':
        return t('log.tool-removed', { name })
      case 'tool-set-used':
        return t('log.tool-set-used', {
          host: put({ code: textOf(detail['host']) ?? '?' }),
          count: Number(detail['count']),
        })
      case 'amendment-undone':
        return t('log.amendment-undone', { name })
      case 'call-decided':
        return byPage(put, decided(put, name, detail), detail)
      case 'denial-explained':
        return t('log.why-denied', { name, reason: reasonText(put, detail['reason']) })
      case 'call-stopped':
        return detail['begun'] === false
          ? t('log.stopped-before', { name })
          : t('log.stopped', { name, attempt: attemptOf(detail) })
      case 'call-finished':
        return byPage(put, finished(name, detail), detail)
      case 'result-released':
        return released(put, name, detail)
      case 'results-sent':
        return sent(put, detail)
      case 'grant-given':
        return t('log.grant', { span: lastingFor(at, detail), scope: scope(put, tool, detail) })
      case 'grant-revoked':
        return t('log.grant-ended', { scope: scope(put, tool, detail) })
      case 'grant-used':
        return t('log.grant-used', { files: numberOf(detail['files']) ?? 0 })
      case 'message-deleted':
        return t('log.message-deleted')
      case 'message-restored':
        return t('log.message-restored')
      case 'imported':
        return t('log.imported')
      case 'settings-changed':
        return settings(put, detail)
      default:
        // A newer server may have more events.
        return put(String(event))
    }
  })
}

/** A call that the page of another one asked for (MCP Apps). */
function byPage(put: Put, entry: string, detail: JsonObject): string {
  const tool = textOf(detail['pageOf'])
  return tool === null ? entry : t('log.by-page', { entry, tool: put({ code: tool }) })
}

function decided(put: Put, name: string, detail: JsonObject): string {
  switch (detail['decision']) {
    case 'deny':
      return t('log.denied', { name, ...reviewerOf(put, detail), reason: reasonText(put, detail['reason']) })
    case 'skip':
      return leftOut(name, objectOf(detail['by']))
    default:
      return t('log.allowed', {
        name,
        ...reviewerOf(put, detail),
        by: oneOf(deciders, objectOf(detail['by'])['kind']),
        changed: isJsonObject(detail['changed'] ?? null),
        attempt: attemptOf(detail),
      })
  }
}

/** Another account that decided. Its name is foreign text. */
function reviewerOf(put: Put, detail: JsonObject) {
  const { kind, name } = objectOf(detail['by'])
  const reviewer = textOf(name)
  return kind === 'reviewer' && reviewer !== null
    ? { by: 'reviewer', reviewer: put({ code: reviewer }) }
    : { by: '', reviewer: '' }
}

function leftOut(name: string, { kind, maxCalls }: JsonObject): string {
  switch (kind) {
    case 'overtaken':
      return t('log.nobody', { name })
    case 'limit':
      return t('log.nobody-limit', { name, limit: numberOf(maxCalls) })
    default:
      return t('log.left-out', { name, by: oneOf(['unknown'], kind) })
  }
}

const attemptOf = (detail: JsonObject): number => Math.max(1, numberOf(detail['attempt']) ?? 1)

const finished = (name: string, detail: JsonObject): string =>
  detail['begun'] === false
    ? t('log.never-began', { name })
    : t('log.finished', {
        name,
        status: oneOf(statuses, detail['status']),
        ms: numberOf(detail['durationMs']),
        size: numberOf(detail['resultBytes']),
        gated: detail['gated'] === true,
      })

function released(put: Put, name: string, detail: JsonObject): string {
  const note = reasonText(put, detail['note'])
  switch (detail['release']) {
    case 'withheld':
      return t('log.kept-back', { name, by: oneOf(keepers, objectOf(detail['by'])['kind']), note })
    case 'changed': {
      const changes = listOf(detail['changes']).flatMap(
        (change) => (typeof change === 'string' ? textOfKey(`log.change.${change}`) : null) ?? [],
      )
      const all = changes.reduce((first, second) => (first === '' ? second : t('log.changes', { first, second })), '')
      return t('log.released-changed', { name, changes: all, note })
    }
    default:
      return t('log.released', { name, note })
  }
}

function sent(put: Put, detail: JsonObject): string {
  const results = listOf(detail['results']).map(objectOf)
  const isOpen = (result: JsonObject) => result['status'] === 'unfinished'
  const namesIn = (some: readonly JsonObject[]): readonly string[] =>
    some.flatMap((result) => textOf(result['name']) ?? []).map((code) => put({ code }))
  const names = namesIn([...results.filter((result) => !isOpen(result)), ...listOf(detail['late']).map(objectOf)])
  const open = namesIn(results.filter(isOpen))
  const [count, openCount] = [names.length, open.length]
  if (count === 0) return openCount === 0 ? t('log.sent-some') : t('log.told-open', { open, openCount })
  return openCount === 0 ? t('log.sent', { count, names }) : t('log.sent-and-open', { count, names, open, openCount })
}

/** A decision with an end names its duration, because the end has no event of its own. */
function lastingFor(at: number, detail: JsonObject): string {
  const expiresAt = numberOf(detail['expiresAt'])
  return expiresAt === null ? '' : lifetimeText(Math.round((expiresAt - at) / 60_000) * 60_000)
}

function scope(put: Put, tool: string | null, detail: JsonObject): string {
  const { kind, folder, label, tool: named, end } = objectOf(detail['scope'])
  if (kind === 'copy') {
    const [changed, kept] = ['changed', 'kept'].map((key) => numberOf(objectOf(end)[key]) ?? 0)
    return t('log.scope-copy', { ended: isJsonObject(end) ? 'yes' : 'no', changed: changed ?? 0, kept: kept ?? 0 })
  }
  if (kind === 'effects') return t('log.scope-effects')
  const name = put({ code: tool ?? textOf(named) ?? t('log.a-tool') })
  if (kind === 'folder') return t('log.scope-folder', { name, folder: put({ code: textOf(folder) ?? '?' }) })
  if (kind !== 'arguments') return t('log.scope-tool', { name })
  const words = textOf(label)
  return t('log.scope-arguments', { name, label: words === null ? '' : put({ code: words }) })
}

/** The new value, if it fits in a few words. */
function valueWords(key: string, value: JsonValue | undefined): string | null {
  const isSwitch = key === 'tools.requireConfirmation' || key === 'exact'
  if (isSwitch && typeof value === 'boolean') return t(value ? 'log.on' : 'log.off')
  if (key !== 'tools.grantLifetimeMs' || value === undefined) return null
  const ms = numberOf(value)
  return ms === null ? t('log.as-long') : lifetimeText(ms)
}

function settings(put: Put, detail: JsonObject): string {
  const changes = Object.entries(detail).map(([key, change]) => {
    const setting = textOfKey(`log.setting.${key.replaceAll('.', '-')}`) ?? put(key)
    const value = valueWords(key, objectOf(change)['to'])
    return value === null ? setting : t('log.setting-to', { setting, value })
  })
  return changes.length === 0 ? t('log.settings') : t('log.settings-to', { changes })
}
