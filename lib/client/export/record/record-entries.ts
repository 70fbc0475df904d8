import type { JsonObject, JsonValue } from '@/lib/base/json'
import { parsedReply } from '@/lib/client/state/parsed-reply'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { messageCalls, type MessageCall } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallRecord, InnerCall, ResultRelease } from '@/lib/shared/conversation/call-record'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import { branchTexts, callToMark, holdsUntrusted, noMarks, type CallMarks } from '@/lib/shared/origin/branch-origin'
import type { OriginMarker } from '@/lib/shared/origin/mark-calls'
import {
  firstType,
  type RecordEntry,
  definitionOf,
  hashOfJson,
  recordable,
  sortedDefinitions,
} from '@/lib/shared/record/record-chain'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import type { ChangeSet } from '@/lib/vfs/vfs-history'
import type { Effects } from './effects'

/*
 * The events of a chat, as entries of a record in the order of their times: what the user and the models wrote, each
 * call with who decided on it and its effects, and the chat's log. The names of `action`, `authorization` and `outcome`
 * are those of the Agent Receipts Protocol (agentreceipts.ai/spec/v0.4.0), so that readers of one can read the other.
 */

export const recordFormat = 'nod-record'
export const recordVersion = 1

export interface RecordSources {
  readonly exported: ConversationExport
  /** All tools of the chat. */
  readonly tools: ToolSet
  /** The changes to the files that this browser has, oldest first. */
  readonly changes: readonly ChangeSet[]
  readonly effects: Effects
  readonly marker: OriginMarker
}

/** All entries except those for the zip's members and the end. */
export async function recordEntries(sources: RecordSources): Promise<readonly RecordEntry[]> {
  const { exported, changes, effects } = sources
  const definitions = await definitionEntries(sources)
  const offered = await hashOfJson(sortedDefinitions(offeredTools(sources)))
  const entries: RecordEntry[] = []
  for (const message of exported.messages) {
    entries.push(message.role === 'user' ? promptEntry(message) : await replyEntry(message, offered))
  }
  entries.push(...(await callEntries(sources)))
  for (const set of changes) {
    if (set.origin.kind !== 'user') continue
    const subject = { action: set.origin.action, undone: set.undone, changes: await effects.changesOf(set) }
    entries.push({ type: 'files', at: set.at, subject })
  }
  entries.push(...logEntries(exported))
  // The sort is stable: entries with the same time keep the order above.
  const inOrder = entries.toSorted((a, b) => a.at - b.at)
  const started = Math.min(exported.conversation.createdAt, inOrder[0]?.at ?? Infinity)
  return [await startEntry(exported, started), ...inOrder, ...definitions]
}

const plain = (value: object | null): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue

async function startEntry({ conversation, exportedAt }: ConversationExport, at: number): Promise<RecordEntry> {
  const { id, title, createdAt, importedAt, settings } = conversation
  const subject = {
    format: recordFormat,
    version: recordVersion,
    exported_at: exportedAt,
    chat: { id, title, created_at: createdAt, imported_at: importedAt ?? null },
    model: settings.model,
    call_format: settings.strategy,
    instructions: settings.systemPrompt,
    instructions_hash: await hashOfJson(settings.systemPrompt),
  }
  return { type: firstType, at, subject }
}

const offeredTools = ({ exported, tools }: RecordSources) =>
  discoverTools(tools, exported.conversation.settings.tools).filter(({ disabled }) => disabled !== true)

async function definitionEntries(sources: RecordSources): Promise<readonly RecordEntry[]> {
  const { exported, tools } = sources
  const registered = new Map((exported.tools ?? []).map((tool) => [tool.name, tool]))
  const offered = new Set(offeredTools(sources).map(({ name }) => name))
  return Promise.all(
    tools.list().map(async ({ spec, policy }) => {
      const own = registered.get(spec.name)
      const definition = definitionOf(spec)
      const subject = {
        name: spec.name,
        source: own ? (own.remote ? `server ${own.remote.host}` : own.origin) : 'built in',
        risk_level: policy.permission,
        offered: offered.has(spec.name),
        definition: recordable(definition),
        definition_hash: await hashOfJson(definition),
      }
      return { type: 'tool', at: exported.exportedAt, subject }
    }),
  )
}

function promptEntry(message: Extract<Message, { role: 'user' }>): RecordEntry {
  const { id, parentId, createdAt, text, attachments = [], results, deleted } = message
  return {
    type: 'prompt',
    at: createdAt,
    subject: {
      message_id: id,
      parent_id: parentId,
      text,
      attachments: attachments.map(({ path, mediaType, size }) => ({ path, media_type: mediaType, bytes: size })),
      results: results.map(({ messageId, slot, name, status }) => ({
        message_id: messageId,
        slot,
        tool: name,
        status,
      })),
      ...(deleted && { deleted }),
    },
  }
}

async function replyEntry(message: AssistantMessage, offered: string): Promise<RecordEntry> {
  const { id, parentId, createdAt, text, model, strategy, outcome, sent, promptTokens, deleted } = message
  return {
    type: 'reply',
    at: createdAt,
    subject: {
      message_id: id,
      parent_id: parentId,
      model,
      call_format: strategy,
      status: outcome,
      text,
      // The prompt is not stored; its hash is, since the server began to store it.
      prompt_hash: sent ? `sha256:${sent.prompt}` : null,
      prompt_tokens: promptTokens ?? null,
      tools_hash: sent ? `sha256:${sent.tools}` : null,
      tools_as_listed: sent ? `sha256:${sent.tools}` === offered : null,
      ...(deleted && { deleted }),
    },
  }
}

async function callEntries(sources: RecordSources): Promise<readonly RecordEntry[]> {
  const { exported, tools, marker } = sources
  const { conversation, messages, amendments, grants } = exported
  const config = conversation.settings.tools
  const specs = discoverTools(tools, config)
  const tree = treeOf(messages)
  const callsOf = (message: AssistantMessage): readonly MessageCall[] =>
    messageCalls(parsedReply(message, config, tools), {
      amendments: amendments.filter(({ messageId }) => messageId === message.id),
      read: (call) => toolContextBuilder.readCall(call, specs),
    })
  const marksOf = async (reply: AssistantMessage, calls: readonly MessageCall[]): Promise<CallMarks> => {
    const path = treePathTo(tree, reply.id)
    const registered = exported.tools ?? []
    const branch = { path, callsOf, toolOf: tools.get, registered, importedAt: conversation.importedAt }
    const toMark = calls.flatMap(({ slot, call }) => {
      const marked = callToMark({ call }, tools.get(call.name))
      return marked ? [{ slot, call: marked }] : []
    })
    if (toMark.length === 0 || !holdsUntrusted(branch)) return noMarks
    return marker.marks({ ...branchTexts(branch), calls: toMark })
  }
  const grantOf = new Map(grants.map((grant) => [grant.id, grant]))
  const byReply = Map.groupBy(exported.calls, ({ messageId }) => messageId)
  const entries: RecordEntry[] = []
  for (const message of messages) {
    const records = byReply.get(message.id)
    if (!records || message.role !== 'assistant') continue
    const calls = callsOf(message)
    const marks = await marksOf(message, calls)
    for (const record of records) {
      const read = calls.find(({ slot }) => slot === record.slot)
      const grant = record.by.kind === 'grant' ? grantOf.get(record.by.grantId) : undefined
      const subject = {
        action: await actionOf(record, read, tools),
        authorization: {
          decision: record.decision,
          by: grant?.scope.kind === 'copy' ? 'copy' : record.by.kind,
          ...(record.by.kind === 'reviewer' && { reviewer: record.by.name }),
          grant_ref: record.by.kind === 'grant' ? record.by.grantId : null,
          scope: grant ? plain(grant.scope) : null,
          granted_at: record.decidedAt,
          reason: record.reason,
        },
        origin: plain(marks.get(record.slot) ?? null),
        outcome: await outcomeOf(record),
        review: await reviewOf(record.release),
        effects: await effectsOf(record, sources),
        ...(record.inner && { inner: await Promise.all(record.inner.map((one) => innerEntry(one, tools))) }),
        sent_in: record.postedIn,
      }
      entries.push({ type: 'call', at: record.decidedAt, subject })
    }
  }
  return entries
}

/** A tool that the code of a call called, or the page that shows its result. */
async function innerEntry(
  { n, attempt, name, arguments: args, page, decision, reason, decidedAt, by, outcome }: InnerCall,
  tools: ToolSet,
) {
  const tool = tools.get(name)
  return {
    number: n,
    attempt,
    type: name,
    asked_by: page ? 'page' : 'code',
    risk_level: tool?.policy.permission ?? null,
    parameters: recordable(args),
    parameters_hash: await hashOfJson(args),
    definition_hash: tool ? await hashOfJson(definitionOf(tool.spec)) : null,
    decision,
    by: by.kind,
    grant_ref: by.kind === 'grant' ? by.grantId : null,
    granted_at: decidedAt,
    reason,
    status: outcome?.status ?? null,
    result_hash: outcome ? await hashOfJson(outcome.result) : null,
  }
}

async function actionOf(record: CallRecord, read: MessageCall | undefined, tools: ToolSet): Promise<JsonObject> {
  const { messageId, slot, callId, name, attempt, callHash, changed } = record
  const args = changed?.arguments ?? read?.call.arguments
  const asked = read?.asked ?? (changed ? read?.call : undefined)
  const tool = tools.get(name)
  return {
    id: callId,
    message_id: messageId,
    slot,
    attempt,
    type: name,
    risk_level: tool?.policy.permission ?? null,
    // Null: the reply no longer reads as a call, for example if its tool is gone.
    parameters: args ? recordable(args) : null,
    parameters_hash: args ? await hashOfJson(args) : null,
    approved_hash: callHash === null ? null : `sha256:${callHash}`,
    asked: asked ? { type: asked.name, parameters: recordable(asked.arguments) } : null,
    definition_hash: tool ? await hashOfJson(definitionOf(tool.spec)) : null,
  }
}

async function outcomeOf({ outcome, finishedAt, stopped, gated }: CallRecord): Promise<JsonObject | null> {
  if (!outcome) return stopped ? { status: 'stopped', stopped_at: stopped.at } : null
  const { status, result, durationMs } = outcome
  return {
    status,
    result_hash: await hashOfJson(result),
    result_bytes: new TextEncoder().encode(JSON.stringify(result)).byteLength,
    duration_ms: durationMs,
    finished_at: finishedAt,
    reviewed: gated,
  }
}

async function reviewOf(release: ResultRelease | null): Promise<JsonObject | null> {
  if (!release) return null
  const { kind, by, note, releasedAt } = release
  const changes =
    release.kind === 'changed' ? { changes: release.changes, result_hash: await hashOfJson(release.result) } : {}
  return { kind, by: by.kind, note, at: releasedAt, ...changes }
}

/**
 * From the history of the files, which knows contents; if that pruned the call, from its outcome, which knows sizes.
 */
async function effectsOf({ messageId, slot, outcome }: CallRecord, { changes, effects }: RecordSources) {
  const sets = changes.filter(
    ({ origin }) => origin.kind === 'call' && origin.messageId === messageId && origin.slot === slot,
  )
  if (sets.length > 0) {
    const made = await Array.fromAsync(sets, async (set) => ({
      undone: set.undone,
      changes: await effects.changesOf(set),
    }))
    return { source: 'history', sets: made }
  }
  if (!outcome?.files) return { source: 'none recorded' }
  const { kept, total, changes: listed } = outcome.files
  const seen = listed.map(({ path, change, kind, size }) => ({ path, change, kind, bytes_after: size }))
  return { source: 'outcome', kept, total, changes: seen }
}

/** Clocks of servers may differ: no line of the log comes before the previous one. */
function logEntries({ log }: ConversationExport): readonly RecordEntry[] {
  let latest = 0
  return log.map(({ seq, at, actor, event, messageId, slot, tool, detail }) => {
    latest = Math.max(latest, at)
    const subject = { seq, logged_at: at, event, actor, message_id: messageId, slot, tool, detail: recordable(detail) }
    return { type: 'log', at: latest, subject }
  })
}
