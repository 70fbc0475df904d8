import { ok } from '@/lib/base/result'
import { undoDeletionMs } from '@/lib/shared/conversation/search/list-filter'
import {
  type Memory,
  type MemoryChange,
  type MemoryPlace,
  type Project,
  type ProjectChange,
  type ProjectToAdd,
  type PromptContext,
  usesMemory,
} from '@/lib/shared/conversation/settings/project'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ApiAnswer } from './api-failure'
import { createApiClient } from './api-client'
import { createServerList } from './server-list'

export type ProjectApi = Readonly<ReturnType<typeof createProjectApi>>

/** The requests for projects and memories. Loaded when someone first needs them. */
export function createProjectApi(fetchFrom: typeof fetch) {
  const { askFor, tell } = createApiClient(fetchFrom)
  const at = (id: string) => `/api/projects/${encodeURIComponent(id)}`
  const memoryAt = (place: MemoryPlace) => {
    const query = new URLSearchParams(
      'chat' in place ? { chat: place.chat, of: place.kind } : place.project === null ? {} : { project: place.project },
    )
    return query.size === 0 ? '/api/memory' : `/api/memory?${query}`
  }
  return {
    list: () => askFor<readonly Project[]>('projects', 'GET', '/api/projects'),
    /** The same id again is the same request. */
    add: (project: ProjectToAdd) => askFor<Project>('project', 'POST', '/api/projects', { body: project }),
    change: (id: string, change: ProjectChange) => askFor<Project>('project', 'PATCH', at(id), { body: change }),
    remove: (id: string) => tell('DELETE', at(id)),
    memory: (place: MemoryPlace) => askFor<Memory>('memory', 'GET', memoryAt(place)),
    changeMemory: (place: MemoryPlace, change: MemoryChange) =>
      askFor<Memory>('memory', 'PUT', memoryAt(place), { body: change }),
  }
}

/** Memories as the server has them, by project; '' is the owner's own. Only those that were requested are included. */
export interface Memories {
  /** Returns the same object while nothing changes. */
  readonly getState: () => ReadonlyMap<string, Memory>
  readonly subscribe: (listener: () => void) => () => void
  /** Returns a sentence if it failed, else null. `project` null: the owner's own memory. */
  readonly load: (project: string | null) => Promise<string | null>
  readonly change: (project: string | null, change: MemoryChange) => Promise<string | null>
  /** Reloads the memories that are loaded, after a call or another tab changed one. */
  readonly refresh: () => Promise<void>
}

export function createMemories(api: Pick<ProjectApi, 'memory' | 'changeMemory'>, announce: () => void): Memories {
  const listeners = new Set<() => void>()
  let state: ReadonlyMap<string, Memory> = new Map()
  const taken = (project: string | null, answer: ApiAnswer<Memory>): string | null => {
    if (!answer.ok) return answer.error.message
    state = new Map(state).set(project ?? '', answer.value)
    for (const listener of listeners) listener()
    return null
  }
  const load = async (project: string | null) => taken(project, await api.memory({ project }))
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    load,
    async change(project, change) {
      const problem = taken(project, await api.changeMemory({ project }, change))
      if (problem === null) announce()
      return problem
    },
    async refresh() {
      await Promise.all([...state.keys()].map((project) => load(project === '' ? null : project)))
    },
  }
}

/** The parts of a chat, besides its settings, that decide its prompt. */
export interface ChatOfContext {
  readonly settings: Pick<ConversationSettings, 'tools'>
  readonly project: string | undefined
}

/** Builds the context as the server does, from what this page has loaded. */
export function contextOf(
  { settings, project: id }: ChatOfContext,
  projects: readonly Project[] | null,
  memories: ReadonlyMap<string, Memory>,
): PromptContext | undefined {
  const project = projects?.find((one) => one.id === id)
  const textOf = (of: string | undefined) => (of === undefined ? '' : (memories.get(of)?.text ?? ''))
  const memory = usesMemory(settings) && { user: textOf(''), project: textOf(project?.id) }
  if (!project && !memory) return undefined
  return { ...(project && { project }), ...(memory && { memory }) }
}

/** A project that was deleted here and can be restored, with the chats that were deleted with it. */
interface DeletedProject {
  readonly project: ProjectToAdd
  readonly chats: readonly string[]
}

export interface ProjectListState {
  /** Null: not loaded yet. */
  readonly projects: readonly Project[] | null
  /** A sentence that says why the last request failed. */
  readonly problem: string | null
  readonly deleted: DeletedProject | null
}

/** The owner's projects, as the server has them. A change shows once the server has made it. */
export interface ProjectList {
  /** Returns the same object while nothing changes. */
  readonly getState: () => ProjectListState
  readonly subscribe: (listener: () => void) => () => void
  readonly load: () => Promise<void>
  /** Each returns whether it succeeded; `problem` says why not. */
  readonly add: (project: ProjectToAdd) => Promise<boolean>
  readonly change: (id: string, change: ProjectChange) => Promise<boolean>
  /** `chats`: the project's chats that are deleted with it; the others stay. */
  readonly remove: (project: Project, chats: readonly string[]) => Promise<boolean>
  /** Adds the deleted project again, with its memory and its chats. */
  readonly undo: () => Promise<boolean>
  readonly dismissUndo: () => void
}

interface ProjectListPorts {
  readonly api: ProjectApi
  /** Deletes chats, or restores them. Returns a sentence if it failed, else null. */
  readonly deleteChats: (ids: readonly string[], deleted: boolean) => Promise<string | null>
  /** Called when the project can no longer be restored, so that its files in this browser can be deleted. */
  readonly forgetFiles: (projectId: string) => void
  readonly schedule: (task: () => void, ms: number) => () => void
  /** Notifies this page and the other tabs that lists of chats changed. */
  readonly announce: () => void
}

export function createProjectList({
  api,
  deleteChats,
  forgetFiles,
  schedule,
  announce,
}: ProjectListPorts): ProjectList {
  const { getState, subscribe, put, load, done } = createServerList<ProjectListState>(
    { projects: null, problem: null, deleted: null },
    async () => {
      const answer = await api.list()
      return answer.ok ? ok({ projects: answer.value, problem: null }) : answer
    },
    announce,
  )
  let forget = (): void => {}
  const dismissUndo = () => {
    forget()
    const { deleted } = getState()
    put({ deleted: null })
    if (deleted) forgetFiles(deleted.project.id)
  }
  const offer = (deleted: DeletedProject) => {
    dismissUndo()
    put({ deleted })
    forget = schedule(dismissUndo, undoDeletionMs)
  }

  return {
    getState,
    subscribe,
    load,
    add: (project) => done(api.add(project)),
    change: (id, change) => done(api.change(id, change)),
    async remove({ id, name, instructions, setup }, chats) {
      const memory = await api.memory({ project: id })
      if (!memory.ok) {
        put({ problem: memory.error.message })
        return false
      }
      const problem = chats.length === 0 ? null : await deleteChats(chats, true)
      if (problem !== null) {
        put({ problem })
        return false
      }
      const isGone = await done(api.remove(id))
      if (isGone) offer({ project: { id, name, instructions, setup, memory: memory.value.text }, chats })
      return isGone
    },
    async undo() {
      const { deleted } = getState()
      if (!deleted) return false
      const problem = deleted.chats.length === 0 ? null : await deleteChats(deleted.chats, false)
      const isBack = await done(api.add(deleted.project))
      if (problem !== null) put({ problem })
      if (isBack) {
        forget()
        put({ deleted: null })
      }
      return isBack
    },
    dismissUndo,
  }
}
