'use client'

import { useCallback, useRef, useState } from 'react'
import { useChat, useClientStore } from '@/components/context/chat-context'
import { settingsOfSetup, type ChatSetup } from '@/lib/conversation/chat-setup'
import { defaultSettings } from '@/lib/conversation/settings'
import type { ModelsResponse } from '@/lib/conversation/api-types'
import { setNewChats } from '@/lib/wiring/presets.browser'
import type { SaveSettings } from '../use-save-settings'

const usual: ChatSetup = { ...defaultSettings(''), model: null }

export interface NewChats {
  /** Null: nothing differs from what Nod gives. */
  readonly chosen: ChatSetup | null
  readonly setup: ChatSetup
  /** Null: as Nod gives it. False: it is not stored; `problem` says why, and what stood before stands. */
  readonly put: (change: (now: ChatSetup) => ChatSetup | null) => Promise<boolean>
  readonly save: SaveSettings['save']
  readonly problem: string | null
}

/** What new chats begin with: each change is made to the newest state and stored behind those before it, so that quick clicks add up. */
export function useNewChats(): NewChats {
  const store = useClientStore()
  const stored = useChat((state) => state.models?.newChats ?? null)
  const [shown, setShown] = useState<{ readonly setup: ChatSetup | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(shown)
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const chosen = shown ? shown.setup : stored

  const put = useCallback<NewChats['put']>(
    async (change) => {
      const now = latest.current ? latest.current.setup : (store.getState().models?.newChats ?? null)
      const mine = { setup: change(now ?? usual) }
      latest.current = mine
      setShown(mine)
      const sent = line.current.then(() => setNewChats(mine.setup))
      line.current = sent
      const why = await sent
      setProblem(why)
      if (latest.current === mine) {
        // From here on what the server has counts; the page hears of it by itself.
        const { models } = store.getState()
        if (why === null && models) store.dispatch({ type: 'models-loaded', models: withNewChats(models, mine.setup) })
        latest.current = null
        setShown(null)
      }
      return why === null
    },
    [store],
  )
  const save = useCallback<SaveSettings['save']>(
    (change) =>
      put((now) => {
        const { models } = store.getState()
        // The model is chosen apart: a section gets one that is here, and leaves it as it is.
        return { ...change(settingsOfSetup(now, models)), model: now.model }
      }),
    [put, store],
  )
  return { chosen, setup: chosen ?? usual, put, save, problem }
}

const withNewChats = (models: ModelsResponse, newChats: ChatSetup | null): ModelsResponse => ({ ...models, newChats })
