import { expect, it } from 'vitest'
import { defaultSettings } from '@/lib/conversation/settings'
import { newConversationSettings } from './new-conversation'

it('a chat that the server does not know yet has the settings that the server would give it', () => {
  expect(newConversationSettings('demo/demo')).toEqual(defaultSettings('demo/demo'))
})
