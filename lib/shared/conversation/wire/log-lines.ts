import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { RegisteredTool } from '../settings/registered-tool'
import type { ConversationSettings, LogEntry, UserMessage } from '../conversation'
import type { CallAmendment, CallRecord, InnerCall, Grant, ToolResult } from '../call-record'
import { neverBegan } from '../stopped-outcome'
import type { CopyEffect } from './call-requests'

/** An entry of the log before the store adds its number, its time and its actor. */
export type NewLogEntry = Omit<LogEntry, 'seq' | 'at' | 'actor'>

const callJson = (call: CallToWrite | null): JsonObject | null => call && { name: call.name, arguments: call.arguments }

export const amendedLine = ({ messageId, slot, call }: Omit<CallAmendment, 'amendedAt'>): NewLogEntry => ({
  event: 'call-amended',
  messageId,
  slot,
  tool: call?.name ?? null,
  detail: { call: callJson(call) },
})

export const amendmentUndoneLine = (messageId: string, slot: number): NewLogEntry => ({
  event: 'amendment-undone',
  messageId,
  slot,
  tool: null,
  detail: {},
})

/** `asked` is the model's call; null if it could not be read, or is no longer known. */
export const decidedLine = (call: CallRecord, asked: CallToWrite | null): NewLogEntry => ({
  event: 'call-decided',
  messageId: call.messageId,
  slot: call.slot,
  tool: call.name,
  detail: {
    decision: call.decision,
    reason: call.reason,
    by: { ...call.by },
    attempt: call.attempt,
    callHash: call.callHash,
    asked: callJson(asked),
    changed: callJson(call.changed),
  },
})

/** A tool that the code of a call calls. */
export const innerDecidedLine = (call: CallRecord, inner: InnerCall): NewLogEntry => ({
  event: 'call-decided',
  messageId: call.messageId,
  slot: call.slot,
  tool: inner.name,
  detail: {
    inner: inner.n,
    decision: inner.decision,
    reason: inner.reason,
    by: { ...inner.by },
    attempt: call.attempt,
    asked: callJson(inner),
  },
})

export const innerFinishedLine = (call: CallRecord, inner: InnerCall): NewLogEntry => ({
  event: 'call-finished',
  messageId: call.messageId,
  slot: call.slot,
  tool: inner.name,
  detail: {
    inner: inner.n,
    attempt: call.attempt,
    status: inner.outcome?.status ?? null,
    durationMs: inner.outcome?.durationMs ?? null,
    resultBytes: inner.outcome && bytesOf(inner.outcome.result),
  },
})

export const explainedLine = ({ messageId, slot, name, reason }: CallRecord): NewLogEntry => ({
  event: 'denial-explained',
  messageId,
  slot,
  tool: name,
  detail: { reason },
})

export const stoppedLine = (call: CallRecord): NewLogEntry => ({
  event: 'call-stopped',
  messageId: call.messageId,
  slot: call.slot,
  tool: call.name,
  detail: { attempt: call.attempt },
})

/** It was stopped before it began, with the calls before it. */
export const cancelledLine = (call: CallRecord, asked: CallToWrite | null): NewLogEntry => ({
  event: 'call-stopped',
  messageId: call.messageId,
  slot: call.slot,
  tool: call.name,
  detail: {
    begun: false,
    by: { ...call.by },
    attempt: call.attempt,
    callHash: call.callHash,
    asked: callJson(asked),
    changed: callJson(call.changed),
  },
})

export const finishedLine = (call: CallRecord): NewLogEntry => ({
  event: 'call-finished',
  messageId: call.messageId,
  slot: call.slot,
  tool: call.name,
  detail: {
    attempt: call.attempt,
    ...(neverBegan(call.stopped) && { begun: false }),
    status: call.outcome?.status ?? null,
    durationMs: call.outcome?.durationMs ?? null,
    resultBytes: call.outcome && bytesOf(call.outcome.result),
    gated: call.gated,
  },
})

export const releasedLine = (call: CallRecord): NewLogEntry => ({
  event: 'result-released',
  messageId: call.messageId,
  slot: call.slot,
  tool: call.name,
  detail: {
    attempt: call.attempt,
    release: call.release?.kind ?? null,
    by: call.release && { ...call.release.by },
    note: call.release?.note ?? '',
    ...(call.release?.kind === 'changed' && {
      changes: call.release.changes,
      resultBytes: bytesOf(call.release.result),
    }),
  },
})

export const sentLine = ({ id, results, late = [] }: UserMessage): NewLogEntry => ({
  event: 'results-sent',
  messageId: results[0]?.messageId ?? late[0]?.messageId ?? null,
  slot: null,
  tool: null,
  detail: { sentIn: id, results: results.map(sentResult), ...(late.length > 0 && { late: late.map(sentResult) }) },
})

const sentResult = ({ slot, name, status, result, note }: ToolResult): JsonObject => ({
  slot,
  name,
  status,
  note: note ?? '',
  resultBytes: bytesOf(result),
})

export const grantLine = (
  event: 'grant-given' | 'grant-revoked',
  { id, scope, uses, expiresAt }: Grant,
): NewLogEntry => ({
  event,
  messageId: null,
  slot: null,
  tool: 'tool' in scope ? scope.tool : null,
  detail: { grantId: id, scope: scopeOf(scope), uses, ...(expiresAt !== undefined && { expiresAt }) },
})

/** As JSON: without missing members. */
const scopeOf = (scope: Grant['scope']): JsonObject => {
  if (scope.kind !== 'copy') return { ...scope }
  const { kind, under, allowed, end } = scope
  return {
    kind,
    ...(under !== undefined && { under }),
    ...(allowed && { allowed: { ...allowed } }),
    ...(end && { end: { ...end } }),
  }
}

/** A grant kept the changes of a task on a copy, with the paths as the browser recorded them. */
export const grantUsedLine = (grantId: string, copyId: string, effects: readonly CopyEffect[]): NewLogEntry => ({
  event: 'grant-used',
  messageId: null,
  slot: null,
  tool: null,
  detail: { grantId, copyId, files: effects.length, effects: effects.map((effect): JsonObject => ({ ...effect })) },
})

/** `before`: the conversation's previous tool of this name; null: none. */
/** A tool of a server has no entry of its own. */
const ownFacts = ({ remote: _remote, ...tool }: RegisteredTool): JsonObject => ({ ...tool })

export const toolLine = (tool: RegisteredTool, before: RegisteredTool | null): NewLogEntry => ({
  event: 'tool-registered',
  messageId: null,
  slot: null,
  tool: tool.name,
  detail: { tool: ownFacts(tool), before: before && ownFacts(before) },
})

export const removedToolLine = (tool: RegisteredTool): NewLogEntry => ({
  event: 'tool-removed',
  messageId: null,
  slot: null,
  tool: tool.name,
  detail: { tool: ownFacts(tool) },
})

/** The chat uses `count` tools of a server, as its owner approved them. */
export const toolSetLine = (
  { host, prefix, hash }: { readonly host: string; readonly prefix: string; readonly hash: string },
  count: number,
): NewLogEntry => ({
  event: 'tool-set-used',
  messageId: null,
  slot: null,
  tool: null,
  detail: { host, prefix, hash, count },
})

/**
 * What changed, from and to; null if nothing did. A system prompt is recorded by its length, because it can be long.
 */
export function settingsLine(before: ConversationSettings, after: ConversationSettings): NewLogEntry | null {
  const changes: Record<string, JsonValue> = {}
  const note = (name: string, from: unknown, to: unknown) => {
    const [old, now] = [asJson(from), asJson(to)]
    if (canonicalJson(old) !== canonicalJson(now)) changes[name] = { from: old, to: now }
  }
  note('model', before.model, after.model)
  note('strategy', before.strategy, after.strategy)
  note('exact', before.exact, after.exact)
  if (before.systemPrompt !== after.systemPrompt) {
    changes['systemPrompt'] = { fromChars: before.systemPrompt.length, toChars: after.systemPrompt.length }
  }
  for (const name of Object.keys(after.tools) as readonly (keyof ConversationSettings['tools'])[]) {
    note(`tools.${name}`, before.tools[name], after.tools[name])
  }
  if (Object.keys(changes).length === 0) return null
  return { event: 'settings-changed', messageId: null, slot: null, tool: null, detail: changes }
}

export const importedLine = (exportedAt: number, entries: number): NewLogEntry => ({
  event: 'imported',
  messageId: null,
  slot: null,
  tool: null,
  detail: { exportedAt, entries },
})

/** Settings contain only JSON; the round trip drops what the type allows beyond that. */
const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue

const bytesOf = (value: JsonValue): number => new TextEncoder().encode(JSON.stringify(value)).byteLength

export const deletionLine = (event: 'message-deleted' | 'message-restored', messageId: string): NewLogEntry => ({
  event,
  messageId,
  slot: null,
  tool: null,
  detail: {},
})
