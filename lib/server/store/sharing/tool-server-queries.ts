import { clockDifference } from '@/lib/base/clocks'
import {
  type ToolSetRef,
  hostOf,
  toolServerLimits as limits,
  type ToolServer,
} from '@/lib/shared/conversation/settings/tool-server'
import type { Kysely, Transaction } from 'kysely'
import { toolSetLine } from '@/lib/shared/conversation/wire/log-lines'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { decodeToolServer, decodeToolSet } from '@/lib/shared/mcp/tool-server-schema'
import { makeError } from '@/lib/i18n/t'
import { refuseFull } from '@/lib/server/store/database/conversation-bytes'
import { requireConversation } from '@/lib/server/store/database/lock-conversation'
import { writeLog } from '@/lib/server/store/calls/log-queries'
import type { DecodeSettings } from '@/lib/server/store/database/rows'
import type { Schema } from '@/lib/server/store/ports/schema'
import { endConsentTo, loadToolsAndSets } from '@/lib/server/store/calls/tool-queries'
import type { ToolServerStore } from '@/lib/server/store/ports/store'

export function toolServerQueries(db: Kysely<Schema>, decodeSettings: DecodeSettings): ToolServerStore {
  return {
    listToolServers: (owner) => serversOf(db, owner),

    saveToolServer: (owner, id, server, set, { maxBytes, now }) =>
      db.transaction().execute(async (trx) => {
        const all = await serversOf(trx, owner)
        const before = all.find((one) => one.id === id) ?? null
        const others = all.filter((one) => one.id !== id)
        refuseUnlessFits(server.prefix, others)
        await refuseFull(trx, owner, { maxBytes, now })
        const { url, name, isOn, era, declined } = server
        // Stored replies name its tools with the prefix that it was added with.
        const prefix = before?.prefix ?? server.prefix
        const saved = {
          url,
          name,
          prefix,
          isOn,
          era,
          declined,
          approvedHash: set?.hash ?? before?.approvedHash ?? null,
        }
        const body = JSON.stringify(saved)
        if (set) await keepSet(trx, owner, set)
        await trx
          .insertInto('mcp_servers')
          .values({ owner, id, added_at: now, body })
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet({ body }))
          .execute()
        await dropUnusedSets(trx, owner)
        return { id, ...saved }
      }),

    removeToolServer: (owner, id) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('mcp_servers').where('owner', '=', owner).where('id', '=', id).execute()
        await dropUnusedSets(trx, owner)
      }),

    async loadToolSet(owner, hash) {
      const row = await db
        .selectFrom('tool_sets')
        .select('body')
        .where('owner', '=', owner)
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row ? decodeToolSet(row.body) : null
    },

    useToolServers: (owner, conversationId, servers, now) =>
      db.transaction().execute(async (trx) => {
        const conversation = await requireConversation(trx, owner, conversationId)
        const before = await loadToolsAndSets(trx, owner, conversationId)
        const wanted = refsOf(await serversOf(trx, owner), servers)
        const changed = wanted.filter(
          ({ server, hash }) => before.toolSets.find((one) => one.server === server)?.hash !== hash,
        )
        if (changed.length === 0) return before
        for (const ref of changed) {
          const { server: server_id, hash, host, prefix } = ref
          await trx
            .insertInto('conversation_tool_sets')
            .values({ owner, conversation_id: conversationId, server_id, hash, host, prefix })
            .onConflict((conflict) =>
              conflict.columns(['owner', 'conversation_id', 'server_id']).doUpdateSet({ hash, host, prefix }),
            )
            .execute()
        }
        const after = await loadToolsAndSets(trx, owner, conversationId)
        for (const ref of changed) {
          const count = after.tools.filter(({ remote }) => remote?.server === ref.server).length
          await writeLog(trx, owner, conversationId, toolSetLine(ref, count), now)
        }
        await endConsentTo(trx, owner, conversation, decodeSettings, notAsBefore(before.tools, after.tools), now)
        await dropUnusedSets(trx, owner)
        return after
      }),
  }
}

async function serversOf(within: Kysely<Schema>, owner: string): Promise<readonly ToolServer[]> {
  const rows = await within
    .selectFrom('mcp_servers')
    .select(['id', 'added_at', 'body'])
    .where('owner', '=', owner)
    .execute()
  return rows
    .toSorted((a, b) => clockDifference(a.added_at, b.added_at) || (a.id < b.id ? -1 : 1))
    .flatMap(({ id, body }) => decodeToolServer(id, body) ?? [])
}

const refsOf = (all: readonly ToolServer[], ids: readonly string[]): readonly ToolSetRef[] =>
  all.flatMap(({ id, url, prefix, isOn, approvedHash }) =>
    isOn && approvedHash !== null && ids.includes(id)
      ? [{ server: id, host: hostOf(url), prefix, hash: approvedHash }]
      : [],
  )

/** Names of tools that have changed or are gone. */
function notAsBefore(before: readonly RegisteredTool[], after: readonly RegisteredTool[]): readonly string[] {
  const now = new Map(after.map((tool) => [tool.name, JSON.stringify(tool)]))
  return before.filter((tool) => now.get(tool.name) !== JSON.stringify(tool)).map(({ name }) => name)
}

async function keepSet(
  trx: Transaction<Schema>,
  owner: string,
  { hash, text }: { readonly hash: string; readonly text: string },
): Promise<void> {
  await trx
    .insertInto('tool_sets')
    .values({ owner, hash, body: text })
    .onConflict((conflict) => conflict.columns(['owner', 'hash']).doNothing())
    .execute()
  const { n } = await trx
    .selectFrom('tool_sets')
    .select((eb) => eb.fn.countAll<number | string>().as('n'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  if (Number(n) > limits.maxSets) throw makeError('conflict', 'store.too-many-tool-sets', { most: limits.maxSets })
}

/** Deletes sets that no server and no chat of the owner uses any more. */
async function dropUnusedSets(trx: Transaction<Schema>, owner: string): Promise<void> {
  const approved = (await serversOf(trx, owner)).flatMap(({ approvedHash }) => approvedHash ?? [])
  await trx
    .deleteFrom('tool_sets')
    .where('owner', '=', owner)
    .$if(approved.length > 0, (some) => some.where('hash', 'not in', approved))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('conversation_tool_sets')
            .select('conversation_tool_sets.hash')
            .where('conversation_tool_sets.owner', '=', owner)
            .whereRef('conversation_tool_sets.hash', '=', 'tool_sets.hash'),
        ),
      ),
    )
    .execute()
}

function refuseUnlessFits(prefix: string, others: readonly ToolServer[]): void {
  const twin = others.find((other) => other.prefix === prefix)
  if (twin) throw makeError('conflict', 'store.server-prefix-taken', { prefix, name: twin.name })
  if (others.length >= limits.maxServers) {
    throw makeError('conflict', 'store.too-many-servers', { most: limits.maxServers })
  }
}

/** Moves servers to another owner. Sets are copied first, because chats that move later still need them. */
export async function moveToolServers(trx: Transaction<Schema>, owner: string, to: string): Promise<void> {
  await trx
    .insertInto('tool_sets')
    .columns(['owner', 'hash', 'body'])
    .expression((eb) =>
      eb
        .selectFrom('tool_sets')
        .select((one) => [one.val(to).as('owner'), 'hash', 'body'])
        .where('owner', '=', owner),
    )
    .onConflict((conflict) => conflict.columns(['owner', 'hash']).doNothing())
    .execute()
  const own = await serversOf(trx, to)
  for (const server of await serversOf(trx, owner)) {
    const isThere = own.some(({ id, prefix }) => id === server.id || prefix === server.prefix)
    const row = trx.updateTable('mcp_servers').set({ owner: to })
    if (!isThere) await row.where('owner', '=', owner).where('id', '=', server.id).execute()
  }
  const left = await trx.selectFrom('conversations').select('id').where('owner', '=', owner).executeTakeFirst()
  if (!left) await forgetToolServers(trx, owner)
}

export async function forgetToolServers(trx: Transaction<Schema>, owner: string): Promise<void> {
  await trx.deleteFrom('mcp_servers').where('owner', '=', owner).execute()
  await trx.deleteFrom('tool_sets').where('owner', '=', owner).execute()
}
