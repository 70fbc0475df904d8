// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { ok } from '@/lib/base/result'
import { createPresetList, type PresetApi } from '@/lib/client/api/preset-list'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import { createClientStore } from '@/lib/client/state/store'
import type { Preset, PresetToAdd } from '@/lib/shared/conversation/settings/preset'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { PickKeys } from './options'
import PickHost from './pick-host'
import { pickTrigger, type PickTrigger } from './pick-trigger'

const world = vi.hoisted(() => ({
  list: null as unknown,
  servers: null as unknown,
}))
vi.mock('@/lib/client/wiring/presets.browser', () => ({ localPresets: () => world.list }))
vi.mock('@/lib/client/wiring/tools/tool-servers.browser', () => ({ toolServers: world.servers }))

const nothing: Offer = { prompts: [], resources: [], pieces: [] }

beforeEach(() => {
  localStorage.clear()
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.removeAttribute('open')
  }
})
afterEach(cleanup)

interface Scene {
  readonly presets?: readonly Preset[]
  readonly offer?: (ask: OfferRequest) => Offer
}

function setUp({ presets = [], offer }: Scene = {}) {
  let rows = [...presets]
  const api: Partial<PresetApi> = {
    list: () => Promise.resolve(ok(rows)),
    add: (preset: PresetToAdd) => {
      const row = { position: 9, ...preset }
      rows = [...rows, row]
      return Promise.resolve(ok(row))
    },
  }
  const list = createPresetList({
    api: api as PresetApi,
    newId: () => 'new',
    schedule: () => () => {},
    announce: () => {},
  })
  world.list = list
  const asked: OfferRequest[] = []
  const server = { id: 's1', name: 'Library', url: 'https://library.example/mcp', isOn: true }
  const known = [{ server }]
  if (offer) localStorage.setItem('tool-servers', '1')
  Object.assign(toolServers, {
    load: () => Promise.resolve(ok(known)),
    getState: () => known,
    subscribe: () => () => {},
    offer: (_: string, ask: OfferRequest) => {
      asked.push(ask)
      return Promise.resolve({ ok: true, value: offer?.(ask) ?? nothing })
    },
  })
  const updateSettings = vi.fn<ChatActions['updateSettings']>(() => Promise.resolve(null))
  const attached: File[] = []
  const chat = { updateSettings } as Partial<ChatActions> as ChatActions
  render(
    <ChatProvider value={{ store: createClientStore(), chat, calls: {} as CallActions }}>
      <Field onAttach={(files) => attached.push(...files)} />
    </ChatProvider>,
  )
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  return { field, asked, attached, updateSettings, rows: () => rows, list }
}

const toolServers: object = {}
world.servers = toolServers

function Field({ onAttach }: { onAttach: (files: readonly File[]) => void }) {
  const [text, setText] = useState('')
  const ref = useRef<HTMLTextAreaElement>(null)
  const keys = useRef<PickKeys>(null)
  const insert = (at: PickTrigger, words: string) => setText(text.slice(0, at.start) + words + text.slice(at.end))
  return (
    <>
      <PickHost
        trigger={pickTrigger(text, text.length)}
        field={ref}
        keys={keys}
        onInsert={insert}
        onAttach={onAttach}
      />
      <textarea
        ref={ref}
        aria-label="Message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => void keys.current?.(event)}
      />
    </>
  )
}

const preset = (name: string, over: Partial<Preset>): Preset => ({ id: name, name, setup: null, position: 1, ...over })

it('finds a prompt by a few letters, fills in its variables, and inserts it into the field', async () => {
  const user = userEvent.setup()
  const { field } = setUp({ presets: [preset('Weekly mail', { prompt: 'Write a mail to {{who}} about {{what}}.' })] })
  await user.type(field, '/we ma')
  const option = await screen.findByRole('option', { name: /Weekly mail/ })
  expect(option.getAttribute('aria-selected')).toBe('true')
  expect(field.getAttribute('aria-activedescendant')).toBe(option.id)
  await user.keyboard('{Enter}')
  const form = screen.getByRole('dialog', { name: 'Fill in the prompt' })
  await user.type(within(form).getByRole('textbox', { name: 'who' }), 'Ana')
  await user.type(within(form).getByRole('textbox', { name: 'what' }), 'rent{Enter}')
  expect(field.value).toBe('Write a mail to Ana about rent.')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field.hasAttribute('aria-activedescendant')).toBe(false)
})

it('moves with the arrow keys, closes on Esc, and ignores paths and unknown words', async () => {
  const user = userEvent.setup()
  const { field } = setUp({ presets: [preset('One', { prompt: 'first' }), preset('Two', { prompt: 'second' })] })
  await user.type(field, '/')
  await screen.findByRole('option', { name: /^One/ })
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field.value).toBe('second')
  await user.clear(field)
  await user.type(field, '/o')
  await screen.findByRole('option', { name: /^One/ })
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  await user.clear(field)
  await user.type(field, '/etc/hosts')
  expect(screen.queryByRole('listbox')).toBeNull()
  await user.clear(field)
  await user.type(field, '/qqq')
  expect(screen.queryByRole('listbox')).toBeNull()
})

it('applies the settings of a preset that has some, and says so', async () => {
  const user = userEvent.setup()
  const setup = { ...defaultSettings('demo/demo'), systemPrompt: 'Be a sailor.' }
  const { field, updateSettings } = setUp({ presets: [preset('Sailor', { setup })] })
  await user.type(field, '/sai')
  await user.click(await screen.findByRole('option', { name: /Sailor/ }))
  expect(updateSettings).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ systemPrompt: 'Be a sailor.' }))
  expect(field.value).toBe('')
  expect((await screen.findByRole('status')).textContent).toContain('This chat now has the settings of')
})

it('offers starter prompts, saves one as a preset when used, and hides them permanently on request', async () => {
  const user = userEvent.setup()
  const { field, rows, list } = setUp()
  await user.type(field, '/')
  await screen.findByRole('option', { name: /^Summarise/ })
  expect(screen.getAllByRole('option')).toHaveLength(11)
  expect(rows()).toEqual([])
  await user.keyboard('{Enter}')
  await user.click(screen.getByRole('button', { name: 'Insert' }))
  expect(field.value).toContain('{{file or text}}')
  await waitFor(() => expect(rows()).toMatchObject([{ id: 'starter-summarise', name: 'Summarise', setup: null }]))
  await waitFor(() => expect(list.getState().presets).toHaveLength(1))
  await user.clear(field)
  await user.type(field, '/')
  expect(screen.getAllByRole('option', { name: /^Summarise/ })).toHaveLength(1)
  await user.click(screen.getByRole('option', { name: 'Hide starter prompts' }))
  await user.type(field, '/')
  expect(screen.getAllByRole('option')).toHaveLength(1)
})

it('asks a server for its prompts only when the server is picked, and inserts the chosen prompt', async () => {
  const user = userEvent.setup()
  const args = [{ name: 'text', about: 'What to review', required: true }]
  const { field, asked, attached } = setUp({
    offer: (ask) =>
      ask.ask === 'prompts'
        ? { ...nothing, prompts: [{ name: 'review', title: 'Review\u202e it', about: 'Reviews', args }] }
        : {
            ...nothing,
            pieces: [
              { kind: 'text', text: 'Review this', by: 'user', uri: '' },
              { kind: 'text', text: 'a note', by: 'user', uri: 'notes://one/note.md' },
              { kind: 'bytes', base64: 'aGk=', mimeType: 'image/png', uri: '' },
              { kind: 'other', type: 'hologram' },
            ],
          },
  })
  await user.type(field, '/lib')
  const ask = await screen.findByRole('option', { name: /Show prompts of Library/ })
  expect(asked).toEqual([])
  await user.click(ask)
  await user.clear(field)
  await user.type(field, '/rev')
  const option = await screen.findByRole('option', { name: /\(review\)/ })
  expect(screen.getByText(/^From/).textContent).toContain('Library')
  expect(option.textContent).not.toContain('\u202e')
  await user.click(option)
  const form = screen.getByRole('dialog')
  expect(within(form).getByRole('button', { name: 'Insert' })).toHaveProperty('disabled', true)
  await user.type(within(form).getByRole('textbox', { name: 'text' }), 'this')
  await user.click(within(form).getByRole('button', { name: 'Insert' }))
  await waitFor(() => expect(field.value).toBe('Review this'))
  expect(asked).toEqual([{ ask: 'prompts' }, { ask: 'prompt', name: 'review', args: { text: 'this' } }])
  expect(attached.map(({ name, type }) => [name, type])).toEqual([
    ['note.md', 'text/plain'],
    ['review-3.png', 'image/png'],
  ])
  expect(screen.getByText(/1 part of this prompt is of an unknown kind/)).toBeTruthy()
})

it('attaches a resource picked with @, after its template is filled in', async () => {
  const user = userEvent.setup()
  const resource = { about: '', mimeType: '', size: 2_048, isTemplate: false }
  const { field, asked, attached } = setUp({
    offer: (ask) =>
      ask.ask === 'resources'
        ? {
            ...nothing,
            resources: [
              { ...resource, uri: 'notes://report', title: 'Report' },
              { ...resource, uri: 'notes://by/{name}', title: 'By name', isTemplate: true, size: null },
              { ...resource, uri: 'notes://{?q}', title: 'Hard', isTemplate: true },
            ],
          }
        : { ...nothing, pieces: [{ kind: 'text', text: 'words', by: 'user', uri: 'notes://x' }] },
  })
  await user.type(field, 'see @')
  await user.click(await screen.findByRole('option', { name: /Show resources of Library/ }))
  const option = await screen.findByRole('option', { name: /Report/ })
  expect(option.textContent).toContain('2 KB')
  expect(screen.queryByRole('option', { name: /Hard/ })).toBeNull()
  await user.click(option)
  await waitFor(() => expect(attached).toHaveLength(1))
  expect(field.value).toBe('see ')
  await user.type(field, '@by')
  await user.click(await screen.findByRole('option', { name: /By name/ }))
  await user.type(screen.getByRole('textbox', { name: 'name' }), 'a b{Enter}')
  await waitFor(() => expect(attached).toHaveLength(2))
  expect(asked).toEqual([
    { ask: 'resources' },
    { ask: 'resource', uri: 'notes://report' },
    { ask: 'resource', uri: 'notes://by/a%20b' },
  ])
})
