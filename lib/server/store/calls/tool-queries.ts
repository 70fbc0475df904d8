import type { Kysely, Transaction } from 'kysely'
import { foldToolName } from '@/lib/base/text/nearest-path'
import { grantLine, removedToolLine, settingsLine, toolLine } from '@/lib/shared/conversation/wire/log-lines'
import { registeredToolLimits as limits, type RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { decodeRegisteredTool } from '@/lib/shared/conversation/settings/settings-schemas'
import { makeError } from '@/lib/i18n/t'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import { decodeToolSet } from '@/lib/shared/mcp/tool-server-schema'
import { toolsOfSet, withSetTools } from '@/lib/shared/mcp/tools-of-set'
import { growConversation, grownBy, moreBytes, refuseFull } from '../database/conversation-bytes'
import { requireConversation, type ChatKey } from '../database/lock-conversation'
import { writeLog } from './log-queries'
import { prepared } from '../database/database-time'
import { grantFromRow, type DecodeSettings } from '../database/rows'
import type { ConversationTable, ConversationToolSetTable, Schema } from '../ports/schema'
import type { Store } from '../ports/store'

/** The registered tools of a conversation, including those of its tool sets, by name. */
export const loadTools = async (
  trx: Kysely<Schema>,
  owner: string,
  conversationId: string,
): Promise<readonly RegisteredTool[]> => (await loadToolsAndSets(trx, owner, conversationId)).tools

/** Also returns the tool sets, by server. */
export async function loadToolsAndSets(
  trx: Kysely<Schema>,
  owner: string,
  conversationId: string,
): Promise<{ readonly tools: readonly RegisteredTool[]; readonly toolSets: readonly ToolSetRef[] }> {
  const { rows } = await setsOf(trx, { owner, conversationId })
  const sets = rows.toSorted((a, b) => (a.server_id < b.server_id ? -1 : 1))
  const ofSets = sets.flatMap(({ body, ...row }) => madeOfSet(refOf(row), () => decodeToolSet(body)))
  const tools = withSetTools(await loadOwnTools(trx, owner, conversationId), ofSets)
  return { tools, toolSets: sets.map(refOf) }
}

async function loadOwnTools(
  trx: Kysely<Schema>,
  owner: string,
  conversationId: string,
): Promise<readonly RegisteredTool[]> {
  const { rows } = await toolsOf(trx, { owner, conversationId })
  // Sorted here, because the databases sort text differently.
  return rows.map(({ name, body }) => decodeRegisteredTool(name, body)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const setsOf = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('conversation_tool_sets as used')
    .innerJoin('tool_sets as sets', (join) =>
      join.onRef('sets.owner', '=', 'used.owner').onRef('sets.hash', '=', 'used.hash'),
    )
    .select(['used.server_id', 'used.hash', 'used.host', 'used.prefix', 'sets.body'])
    .where('used.owner', '=', owner)
    .where('used.conversation_id', '=', conversationId),
)

type SetRow = Pick<ConversationToolSetTable, 'server_id' | 'hash' | 'host' | 'prefix'>

const refOf = ({ server_id: server, hash, host, prefix }: SetRow): ToolSetRef => ({ server, host, prefix, hash })

const toolsOf = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('conversation_tools')
    .select(['name', 'body'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId),
)

/** Returns the added bytes. */
export async function insertTools(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  tools: readonly RegisteredTool[],
): Promise<number> {
  if (tools.length === 0) return 0
  const rows = tools.map((tool) => ({
    owner,
    conversation_id: conversationId,
    name: tool.name,
    body: JSON.stringify(tool),
  }))
  await trx.insertInto('conversation_tools').values(rows).execute()
  return moreBytes(rows.map(({ body }) => body))
}

/** A conversation's own tools, which are deleted with it. */
export function toolQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
): Pick<Store, 'registerTool' | 'removeTool'> {
  return {
    registerTool: (owner, conversationId, tool, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const conversation = await requireConversation(trx, owner, conversationId)
        const known = await loadOwnTools(trx, owner, conversationId)
        const before = known.find(({ name }) => name === tool.name) ?? null
        if (before && JSON.stringify(before) === JSON.stringify(tool)) return known
        const others = known.filter((one) => one !== before)
        refuseUnlessFits(tool, others)
        await refuseFull(trx, owner, { maxBytes, now })
        const gone = await deleteTool(trx, owner, conversationId, tool.name)
        const grown = await insertTools(trx, owner, conversationId, [tool])
        await growConversation(trx, owner, conversationId, grown - gone)
        await writeLog(trx, owner, conversationId, toolLine(tool, before), now)
        if (before) {
          await revokeGrantsOf(trx, owner, conversationId, tool.name, now)
          await dropRulesOf(trx, owner, conversation, decodeSettings, tool.name, now)
        }
        return [...others, tool].toSorted((a, b) => (a.name < b.name ? -1 : 1))
      }),

    removeTool: (owner, conversationId, name, now) =>
      db.transaction().execute(async (trx) => {
        const conversation = await requireConversation(trx, owner, conversationId)
        const known = await loadOwnTools(trx, owner, conversationId)
        const tool = known.find((one) => one.name === name)
        if (!tool) return known
        const gone = await deleteTool(trx, owner, conversationId, name)
        await growConversation(trx, owner, conversationId, -gone)
        await writeLog(trx, owner, conversationId, removedToolLine(tool), now)
        await revokeGrantsOf(trx, owner, conversationId, name, now)
        await dropRulesOf(trx, owner, conversation, decodeSettings, name, now)
        return known.filter((one) => one !== tool)
      }),
  }
}

/** Returns the freed bytes. */
async function deleteTool(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  name: string,
): Promise<number> {
  const rows = await trx
    .deleteFrom('conversation_tools')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('name', '=', name)
    .returning('body')
    .execute()
  return moreBytes(rows.map(({ body }) => body))
}

/** Ends grants and rules of tools that have changed: consent to the old tool does not apply to the new one. */
export async function endConsentTo(
  trx: Transaction<Schema>,
  owner: string,
  conversation: Pick<ConversationTable, 'id' | 'settings'>,
  decodeSettings: DecodeSettings,
  tools: readonly string[],
  now: number,
): Promise<void> {
  for (const tool of tools) {
    await revokeGrantsOf(trx, owner, conversation.id, tool, now)
    // Read again, because the previous tool may have changed them.
    const { settings } = await requireConversation(trx, owner, conversation.id)
    await dropRulesOf(trx, owner, { id: conversation.id, settings }, decodeSettings, tool, now)
  }
}

/** Revokes grants for the old tool of this name, because they don't apply to the new one. */
async function revokeGrantsOf(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  tool: string,
  now: number,
): Promise<void> {
  const rows = await trx
    .selectFrom('grants')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('revoked_at', 'is', null)
    .execute()
  for (const grant of rows.map(grantFromRow)) {
    // An unreadable grant covers nothing.
    if (!('tool' in grant.scope) || grant.scope.tool !== tool) continue
    await trx
      .updateTable('grants')
      .set({ revoked_at: now })
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .where('id', '=', grant.id)
      .execute()
    await writeLog(trx, owner, conversationId, grantLine('grant-revoked', { ...grant, revokedAt: now }), now)
  }
}

async function dropRulesOf(
  trx: Transaction<Schema>,
  owner: string,
  conversation: Pick<ConversationTable, 'id' | 'settings'>,
  decodeSettings: DecodeSettings,
  tool: string,
  now: number,
): Promise<void> {
  const { id: conversationId, settings: stored } = conversation
  const { settings } = decodeSettings(stored)
  const { [tool]: dropped, ...toolRules } = settings.tools.toolRules
  const after = { ...settings, tools: { ...settings.tools, toolRules } }
  const line = dropped && settingsLine(settings, after)
  if (!line) return
  const text = JSON.stringify(after)
  await trx
    .updateTable('conversations')
    .set({ settings: text, bytes: grownBy(moreBytes([text], [stored])) })
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .execute()
  await writeLog(trx, owner, conversationId, line, now)
}

function refuseUnlessFits(tool: RegisteredTool, others: readonly RegisteredTool[]): void {
  const { name } = tool
  const twin = others.find((other) => foldToolName(other.name) === foldToolName(name))
  if (twin) throw makeError('conflict', 'store.tool-twin', { known: twin.name, name })
  if (others.length >= limits.maxTools) throw makeError('conflict', 'store.too-many-tools', { most: limits.maxTools })
  if (JSON.stringify([...others, tool]).length > limits.maxTotalChars) {
    throw makeError('conflict', 'store.tools-too-long', { most: limits.maxTotalChars, name })
  }
}

/** Caches the tools of a set, so that the same set gives the same array. */
const made = new Map<string, readonly RegisteredTool[]>()
const MAX_MADE = 128

function madeOfSet(ref: ToolSetRef, read: () => readonly McpTool[] | null): readonly RegisteredTool[] {
  const key = `${ref.hash} ${ref.server} ${ref.host} ${ref.prefix}`
  const known = made.get(key)
  if (known) return known
  const tools = toolsOfSet(ref, read() ?? [])
  const [oldest] = made.keys()
  if (made.size >= MAX_MADE && oldest !== undefined) made.delete(oldest)
  made.set(key, tools)
  return tools
}
