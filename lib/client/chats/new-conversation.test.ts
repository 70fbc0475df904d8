import { expect, it } from 'vitest'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { newConversationSettings, settingsOfNew } from './new-conversation'

it('gives a chat that the server does not know yet the settings that the server would give it', () => {
  expect(newConversationSettings('demo/demo')).toEqual(defaultSettings('demo/demo'))
})

const chosen = { ...defaultSettings('own/model'), systemPrompt: 'Be brief.' }
const listed = (ids: readonly string[], newChats: ModelsResponse['newChats']): ModelsResponse => ({
  models: ids.map((id) => ({ id, label: id })) as unknown as ModelsResponse['models'],
  defaultModel: 'demo/demo',
  problems: [],
  ...(newChats !== undefined && { newChats }),
})

it('starts a new chat as its owner chose, with the server’s model if the chosen one is gone', () => {
  expect(settingsOfNew(null).model).toBe('')
  expect(settingsOfNew(listed(['demo/demo'], null))).toEqual(defaultSettings('demo/demo'))
  expect(settingsOfNew(listed(['demo/demo', 'own/model'], chosen))).toEqual(chosen)
  expect(settingsOfNew(listed(['demo/demo'], chosen))).toEqual({ ...chosen, model: 'demo/demo' })
  expect(settingsOfNew(listed(['demo/demo', 'own/model'], { ...chosen, model: null })).model).toBe('demo/demo')
})
