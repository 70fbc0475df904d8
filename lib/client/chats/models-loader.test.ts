import { expect, it } from 'vitest'
import { ok } from '@/lib/base/result'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { createModelsLoader } from './models-loader'
import { newConversation, settingsOfNew } from './new-conversation'
import type { NodApi } from '../api/nod-api'
import { viewOf } from '../state/open-conversations'
import { createClientStore } from '../state/store'

const model = { id: 'demo/demo', label: 'Demo' } as ModelsResponse['models'][number]
const listed = (newChats: ModelsResponse['newChats']): ModelsResponse => ({
  models: [model],
  defaultModel: model.id,
  problems: [],
  ...(newChats !== undefined && { newChats }),
})

function page() {
  const store = createClientStore()
  let answer = listed(null)
  const api = { models: () => Promise.resolve(ok(answer)) } as unknown as NodApi
  const loader = createModelsLoader({ store, api, wait: () => Promise.resolve() })
  store.dispatch({
    type: 'view-new',
    conversation: { ...newConversation('c1', '', 1), settings: settingsOfNew(null) },
  })
  return {
    store,
    settings: () => viewOf(store.getState()).conversation?.settings,
    reload: async (newChats: ModelsResponse['newChats']) => {
      answer = listed(newChats)
      await loader.reload()
    },
  }
}
const chosen = { ...defaultSettings(model.id), model: null, systemPrompt: 'Be brief.' }

it('an untouched new chat uses the current defaults, also when they change elsewhere', async () => {
  const { settings, reload } = page()
  await reload(null)
  expect(settings()).toEqual(defaultSettings(model.id))
  await reload(chosen)
  expect(settings()).toEqual({ ...chosen, model: model.id })
  await reload(null)
  expect(settings()).toEqual(defaultSettings(model.id))
})

it('a new chat with changed settings keeps them', async () => {
  const { store, settings, reload } = page()
  await reload(null)
  const own = { ...defaultSettings(model.id), strategy: 'VCP' as const }
  store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: own })
  await reload(chosen)
  expect(settings()).toEqual(own)
})

it('a change made before the models were known is kept, and the chat gets its model', async () => {
  const { store, settings, reload } = page()
  const own = { ...settingsOfNew(null), strategy: 'VCP' as const }
  store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: own })
  await reload(chosen)
  expect(settings()).toEqual({ ...chosen, strategy: 'VCP', model: model.id })
})

it('a tool switched off before is off, and the other tools are as in the defaults', async () => {
  const { store, settings, reload } = page()
  const unknown = settingsOfNew(null)
  const tools = { ...unknown.tools, toolToggles: { read_file: false }, codeChanges: 'ask' as const }
  store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: { ...unknown, tools } })
  const usual = { ...chosen.tools, toolToggles: { edit_memory: true, read_file: true }, maxIterations: 3 }
  await reload({ ...chosen, tools: usual })
  const toolToggles = { edit_memory: true, read_file: false }
  expect(settings()).toEqual({ ...chosen, model: model.id, tools: { ...usual, toolToggles, codeChanges: 'ask' } })
})
