import { sql, type Kysely, type Transaction } from 'kysely'
import { isJsonObject } from '@/lib/base/json'
import {
  cleanProjectName,
  maxEarlierMemories,
  maxProjects,
  type Memory,
  type Project,
  type ProjectContent,
  type PromptContext,
} from '@/lib/shared/conversation/settings/project'
import { makeError } from '@/lib/i18n/t'
import { refuseFull, touchOwner } from '../database/conversation-bytes'
import type { ChatKey } from '../database/lock-conversation'
import { prepared } from '../database/database-time'
import type { ProjectStore } from '../ports/store'
import type { MemoryTable, ProjectTable, Schema } from '../ports/schema'
import { parsedJson, setupOf } from './preset-queries'

/** Instead of a project's id, for the owner's own memory. */
const OF_OWNER = ''

type Body = Pick<ProjectTable, 'id' | 'body'>

function contentOf({ body }: Pick<ProjectTable, 'body'>): ProjectContent {
  const stored = parsedJson(body)
  const { name, instructions, setup } = isJsonObject(stored) ? stored : {}
  return {
    name: typeof name === 'string' ? cleanProjectName(name) : '',
    instructions: typeof instructions === 'string' ? instructions : '',
    setup: setupOf(setup),
  }
}

const bodyOf = ({ name, instructions, setup }: ProjectContent): string =>
  JSON.stringify({ name: cleanProjectName(name), instructions, setup })

function memoryOf(row: Pick<MemoryTable, 'body' | 'version'> | undefined): Memory {
  const stored = row && parsedJson(row.body)
  const { text, earlier } = isJsonObject(stored) ? stored : {}
  return {
    text: typeof text === 'string' ? text : '',
    version: row?.version ?? 0,
    earlier: (Array.isArray(earlier) ? earlier : []).flatMap((one) => {
      if (!isJsonObject(one)) return []
      const { text: before, at } = one
      return typeof before === 'string' && typeof at === 'number' ? [{ text: before, at }] : []
    }),
  }
}

const memoryRow = (db: Kysely<Schema>, owner: string, projectId: string) =>
  db
    .selectFrom('memories')
    .select(['body', 'version'])
    .where('owner', '=', owner)
    .where('project_id', '=', projectId)
    .executeTakeFirst()

const projectRow = (db: Kysely<Schema>, owner: string, id: string): Promise<Body | undefined> =>
  db.selectFrom('projects').select(['id', 'body']).where('owner', '=', owner).where('id', '=', id).executeTakeFirst()

const chatsOf = async (db: Kysely<Schema>, owner: string, id: string): Promise<number> => {
  const { n } = await db
    .selectFrom('conversations')
    .select((eb) => eb.fn.countAll<number | string>().as('n'))
    .where('owner', '=', owner)
    .where('project_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

async function putMemory(
  trx: Transaction<Schema>,
  owner: string,
  projectId: string,
  { text, version, earlier }: Memory,
): Promise<void> {
  const body = JSON.stringify({ text, earlier })
  await trx
    .insertInto('memories')
    .values({ owner, project_id: projectId, version, body })
    .onConflict((conflict) => conflict.columns(['owner', 'project_id']).doUpdateSet({ version, body }))
    .execute()
}

/** Projects, and the memories that models are shown. */
export function projectQueries(db: Kysely<Schema>): ProjectStore {
  return {
    async listProjects(owner) {
      const rows = await db
        .selectFrom('projects')
        .select((eb) => [
          'projects.id',
          'projects.body',
          eb
            .selectFrom('conversations as c')
            .select((count) => count.fn.countAll<number | string>().as('n'))
            .where('c.owner', '=', owner)
            .whereRef('c.project_id', '=', 'projects.id')
            .where('c.deleted_at', 'is', null)
            .as('chats'),
        ])
        .where('projects.owner', '=', owner)
        .execute()
      return rows
        .map(({ id, chats, ...row }): Project => ({ id, ...contentOf(row), chats: Number(chats ?? 0) }))
        .toSorted((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1))
    },

    addProject: (owner, { id, memory = '', ...content }, { now, maxBytes }) =>
      db.transaction().execute(async (trx) => {
        // Locks the owner's row, so that concurrent requests are counted one after another.
        await touchOwner(trx, owner, now)
        const known = await projectRow(trx, owner, id)
        if (known) return { id, ...contentOf(known), chats: await chatsOf(trx, owner, id) }
        const { n } = await trx
          .selectFrom('projects')
          .select((eb) => eb.fn.countAll<number | string>().as('n'))
          .where('owner', '=', owner)
          .executeTakeFirstOrThrow()
        if (Number(n) >= maxProjects) throw makeError('bad-request', 'store.too-many-projects', { most: maxProjects })
        await refuseFull(trx, owner, { maxBytes, now, isHeld: true })
        await trx
          .insertInto('projects')
          .values({ owner, id, body: bodyOf(content) })
          .execute()
        if (memory !== '') await putMemory(trx, owner, id, { text: memory, version: 1, earlier: [] })
        return { id, ...content, name: cleanProjectName(content.name), chats: await chatsOf(trx, owner, id) }
      }),

    changeProject: (owner, id, change, { now, maxBytes }) =>
      db.transaction().execute(async (trx) => {
        await touchOwner(trx, owner, now)
        const known = await projectRow(trx, owner, id)
        if (!known) return null
        const content = { ...contentOf(known), ...change }
        const body = bodyOf(content)
        if (body.length > known.body.length) await refuseFull(trx, owner, { maxBytes, now, isHeld: true })
        await trx.updateTable('projects').set({ body }).where('owner', '=', owner).where('id', '=', id).execute()
        return { id, ...content, name: cleanProjectName(content.name), chats: await chatsOf(trx, owner, id) }
      }),

    removeProject: (owner, id) =>
      db.transaction().execute(async (trx) => {
        // Its chats keep its id, so that they are in it again after a restore.
        await trx.deleteFrom('projects').where('owner', '=', owner).where('id', '=', id).execute()
        await trx.deleteFrom('memories').where('owner', '=', owner).where('project_id', '=', id).execute()
      }),

    async loadMemory(owner, project) {
      if (project !== null && !(await projectRow(db, owner, project))) return null
      return memoryOf(await memoryRow(db, owner, project ?? OF_OWNER))
    },

    changeMemory: (owner, project, { text, version }, { now, maxBytes }) =>
      db.transaction().execute(async (trx) => {
        await touchOwner(trx, owner, now)
        if (project !== null && !(await projectRow(trx, owner, project))) return null
        const before = memoryOf(await memoryRow(trx, owner, project ?? OF_OWNER))
        // A repeated request, or a change to an existing project.
        if (before.text === text) return before
        if (before.version !== version) throw makeError('conflict', 'store.memory-changed')
        if (text.length > before.text.length) await refuseFull(trx, owner, { maxBytes, now, isHeld: true })
        const earlier = [{ text: before.text, at: now }, ...before.earlier].slice(0, maxEarlierMemories)
        const after = { text, version: version + 1, earlier: version === 0 ? [] : earlier }
        await putMemory(trx, owner, project ?? OF_OWNER, after)
        return after
      }),

    promptContext: (owner, conversationId) => loadPromptContext(db, { owner, conversationId }),
  }
}

const contextOf = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('conversations as c')
    .leftJoin('projects as p', (join) => join.on('p.owner', '=', owner).onRef('p.id', '=', 'c.project_id'))
    .leftJoin('memories as own', (join) => join.on('own.owner', '=', owner).on('own.project_id', '=', OF_OWNER))
    .leftJoin('memories as shared', (join) =>
      join.on('shared.owner', '=', owner).onRef('shared.project_id', '=', 'p.id'),
    )
    .select(['p.id', 'p.body', 'own.body as user', 'shared.body as project'])
    .where('c.owner', '=', owner)
    .where('c.id', '=', conversationId)
    // A temporary chat gets no memory.
    .where('c.temporary_until', 'is', null),
)

/** The parts of a chat's system prompt outside of its own settings; null: none. */
export async function loadPromptContext(db: Kysely<Schema>, chat: ChatKey): Promise<PromptContext | null> {
  const [row] = (await contextOf(db, chat)).rows
  if (!row) return null
  const project = row.id !== null && row.body !== null ? { id: row.id, ...contentOf({ body: row.body }) } : null
  const textOf = (body: string | null) => (body === null ? '' : memoryOf({ body, version: 0 }).text)
  const memory = { user: textOf(row.user), project: textOf(row.project) }
  const hasMemory = memory.user !== '' || memory.project !== ''
  if (!project && !hasMemory) return null
  return {
    ...(project && { project: { id: project.id, name: project.name, instructions: project.instructions } }),
    ...(hasMemory && { memory }),
  }
}

export async function forgetProjects(trx: Transaction<Schema>, owner: string): Promise<void> {
  await trx.deleteFrom('projects').where('owner', '=', owner).execute()
  await trx.deleteFrom('memories').where('owner', '=', owner).execute()
}

/** Moves projects to another owner, whose existing ones are kept. */
export async function moveProjects(trx: Transaction<Schema>, owner: string, to: string): Promise<void> {
  for (const [table, key] of [
    ['projects', 'id'],
    ['memories', 'project_id'],
  ] as const) {
    await sql`update ${sql.table(table)} set owner = ${to} where owner = ${owner} and ${sql.ref(key)} not in
      (select ${sql.ref(key)} from ${sql.table(table)} where owner = ${to})`.execute(trx)
  }
}
