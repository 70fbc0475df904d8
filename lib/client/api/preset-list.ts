import {
  isUnreadable,
  type ChatSetup,
  type Preset,
  type PresetChange,
  type PresetContent,
  type PresetToAdd,
} from '@/lib/shared/conversation/settings/preset'
import { undoDeletionMs } from '@/lib/shared/conversation/search/list-filter'
import { ok } from '@/lib/base/result'
import { createApiClient } from './api-client'
import { createServerList } from './server-list'

export interface PresetListState {
  /** Null: not loaded yet. */
  readonly presets: readonly Preset[] | null
  /** Why what was asked last could not be done, a sentence. */
  readonly problem: string | null
  /** The last one that was deleted here and can be had back. */
  readonly deleted: Preset | null
}

/** The presets of anyone who sits here, as the server has them. What is done shows when the server has done it. */
export interface PresetList {
  /** The same object while nothing changes. */
  readonly getState: () => PresetListState
  readonly subscribe: (listener: () => void) => () => void
  readonly load: () => Promise<void>
  /** Each gives whether it was done; `problem` says why not. `id`: the same one again is the same preset. */
  readonly add: (name: string, content: PresetContent, id?: string) => Promise<boolean>
  readonly change: (id: string, change: PresetChange) => Promise<boolean>
  readonly remove: (preset: Preset) => Promise<boolean>
  /** Brings the deleted one back to its place. */
  readonly undo: () => Promise<boolean>
  readonly letGo: () => void
  /** One place up (-1) or down (1). */
  readonly move: (id: string, by: -1 | 1) => Promise<boolean>
}

export interface PresetListPorts {
  readonly api: PresetApi
  readonly newId: () => string
  readonly schedule: (task: () => void, ms: number) => () => void
  /** Tells the other tabs. */
  readonly announce: () => void
}

export function createPresetList({ api, newId, schedule, announce }: PresetListPorts): PresetList {
  const { getState, subscribe, put, load, done } = createServerList<PresetListState>(
    { presets: null, problem: null, deleted: null },
    async () => {
      const answer = await api.list()
      return answer.ok ? ok({ presets: answer.value }) : answer
    },
    announce,
  )
  let forget = (): void => {}
  const offer = (deleted: Preset | null) => {
    forget()
    put({ deleted })
    if (deleted) forget = schedule(() => put({ deleted: null }), undoDeletionMs)
  }

  return {
    getState,
    subscribe,
    load,
    add: (name, content, id = newId()) => done(api.add({ id, name, ...content })),
    change: (id, change) => done(api.change(id, change)),
    async remove(preset) {
      const isGone = await done(api.remove(preset.id))
      // What can't be read can't be sent again.
      if (isGone) offer(isUnreadable(preset) ? null : preset)
      return isGone
    },
    async undo() {
      const { deleted } = getState()
      if (!deleted) return false
      const isBack = await done(api.add(deleted satisfies PresetToAdd))
      if (isBack) offer(null)
      return isBack
    },
    letGo: () => offer(null),
    move(id, by) {
      const ids = (getState().presets ?? []).map((preset) => preset.id)
      const at = ids.indexOf(id)
      const to = at + by
      if (at < 0 || to < 0 || to >= ids.length) return Promise.resolve(false)
      ids.splice(at, 1)
      ids.splice(to, 0, id)
      return done(api.order(ids))
    },
  }
}

export type PresetApi = Readonly<ReturnType<typeof createPresetApi>>

/** What presets and the settings of new chats ask of the server; nothing of it is needed before someone looks for it. */
export function createPresetApi(fetchFrom: typeof fetch) {
  const { ask, askFor, tell } = createApiClient(fetchFrom)
  const at = (id: string) => `/api/presets/${encodeURIComponent(id)}`
  return {
    list: () => askFor<readonly Preset[]>('presets', 'GET', '/api/presets'),
    /** The same id again is the same request. */
    add: (preset: PresetToAdd) => askFor<Preset>('preset', 'POST', '/api/presets', { body: preset }),
    change: (id: string, change: PresetChange) => askFor<Preset>('preset', 'PATCH', at(id), { body: change }),
    remove: (id: string) => tell('DELETE', at(id)),
    order: (ids: readonly string[]) =>
      askFor<readonly Preset[]>('presets', 'PATCH', '/api/presets', { body: { order: ids } }),
    /** Null: as Nod gives them. */
    setNewChats: (setup: ChatSetup | null) => ask<unknown>('PUT', '/api/new-chats', { body: { setup } }),
  }
}
