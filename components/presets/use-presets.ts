'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type { PresetList, PresetListState } from '@/lib/client/api/preset-list'
import { localPresets } from '@/lib/client/wiring/presets.browser'

const nothing: PresetListState = { presets: null, problem: null, deleted: null }

/** The presets of whoever sits here, loaded anew where they are looked at. */
export function usePresets(): PresetListState & { readonly list: PresetList } {
  const list = localPresets()
  const state = useSyncExternalStore(list.subscribe, list.getState, () => nothing)
  useEffect(() => void list.load(), [list])
  return { ...state, list }
}
