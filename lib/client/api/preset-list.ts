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
  /** A sentence that says why the last request failed. */
  readonly problem: string | null
  /** The preset that was deleted last and can be restored. */
  readonly deleted: Preset | null
}

/** The user's presets, as the server has them. A change shows once the server has made it. */
export interface PresetList {
  /** Returns the same object while nothing changes. */
  readonly getState: () => PresetListState
  readonly subscribe: (listener: () => void) => () => void
  readonly load: () => Promise<void>
  /** Each returns whether it succeeded; `problem` says why not. `id`: the same id again is the same preset. */
  readonly add: (name: string, content: PresetContent, id?: string) => Promise<boolean>
  readonly change: (id: string, change: PresetChange) => Promise<boolean>
  readonly remove: (preset: Preset) => Promise<boolean>
  /** Restores the deleted preset in its place. */
  readonly undo: () => Promise<boolean>
  readonly dismissUndo: () => void
  /** Moves a preset one place up (-1) or down (1). */
  readonly move: (id: string, by: -1 | 1) => Promise<boolean>
}

export interface PresetListPorts {
  readonly api: PresetApi
  readonly newId: () => string
  readonly schedule: (task: () => void, ms: number) => () => void
  /** Notifies the other tabs. */
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
      // A preset that can't be read can't be sent again.
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
    dismissUndo: () => offer(null),
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

/** The requests for presets and the settings of new chats. Loaded when someone first needs them. */
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
    /** Null: Nod's defaults. */
    setNewChats: (setup: ChatSetup | null) => ask<unknown>('PUT', '/api/new-chats', { body: { setup } }),
  }
}
