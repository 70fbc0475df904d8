// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createDrafts } from '@/lib/client/outbox/drafts'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, refused, replyRow, stored, userRow } from '@/lib/client/chats/testing/rows'
import { Composer } from './composer'
import { viewOf } from '@/lib/client/state/open-conversations'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Scene {
  readonly pointer?: 'fine' | 'coarse'
}

function setUp({ pointer = 'fine' }: Scene = {}) {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === `(pointer: ${pointer})` }))
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({
    type: 'view-loaded',
    view: {
      conversation: conversationRow({ headId: 'a1' }),
      messages: [userRow('u1', null), replyRow('a1', 'u1')],
      calls: [],
      amendments: [],
      grants: [],
      activeRunId: null,
    },
  })
  const saved = new Map<string, string>()
  const storage = {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
  }
  const drafts = createDrafts({ storage, schedule: () => () => {} })
  const append = vi.fn<ChatActions['append']>((text) => {
    if (viewOf(store.getState()).sending || text.trim() === '') return Promise.resolve(refused)
    store.dispatch({ type: 'send-started', conversationId, message: userRow('u2', 'a1', { text }), headId: 'a1' })
    drafts.remove(conversationId)
    return Promise.resolve(stored)
  })
  const stop = vi.fn<ChatActions['stop']>()
  const onEditLast = vi.fn<() => void>()
  const chat = { append, stop } as Partial<ChatActions> as ChatActions
  const calls = {} as Partial<CallActions> as CallActions
  const field = <Composer drafts={drafts} onEditLast={onEditLast} onSent={() => {}} onOpenSettings={() => {}} />
  render(<ChatProvider value={{ store, chat, calls }}>{field}</ChatProvider>)
  return {
    store,
    drafts,
    append,
    stop,
    onEditLast,
    field: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }),
  }
}

describe('the composer', () => {
  it('is focused when the page opens, so that typing works immediately', () => {
    const { field } = setUp()
    expect(document.activeElement).toBe(field)
  })

  it('does not take the focus on a touch screen or from another field', () => {
    setUp({ pointer: 'coarse' })
    expect(document.activeElement).toBe(document.body)
    cleanup()
    const search = document.body.appendChild(document.createElement('input'))
    search.focus()
    setUp()
    expect(document.activeElement).toBe(search)
    search.remove()
  })

  it('sends on Enter, clears the field and the draft', async () => {
    const user = userEvent.setup()
    const { field, append, drafts } = setUp()
    await user.type(field, 'one{Shift>}{Enter}{/Shift}two{Enter}')
    expect(append).toHaveBeenCalledExactlyOnceWith('one\ntwo', [])
    expect(field.value).toBe('')
    expect(drafts.get(conversationId)).toBe('')
  })

  it('does not send during input method composition', () => {
    const { field, append } = setUp()
    fireEvent.change(field, { target: { value: 'にほ' } })
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
    expect(append).not.toHaveBeenCalled()
    expect(field.value).toBe('にほ')
  })

  it('replaces Send with Stop while a reply is written, sends the next message, and stops on Escape', async () => {
    const user = userEvent.setup()
    const { field, append, stop } = setUp()
    await user.type(field, 'first{Enter}')
    expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull()
    await user.type(field, 'second')
    await user.click(screen.getByRole('button', { name: 'Send next' }))
    expect(append).toHaveBeenLastCalledWith('second', [])
    await user.clear(field)
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(stop).toHaveBeenCalledTimes(2)
  })

  it('inserts a line break on Enter with an on-screen keyboard, unless another key was chosen', async () => {
    const user = userEvent.setup()
    const { field, append } = setUp({ pointer: 'coarse' })
    await user.type(field, 'one{Enter}two')
    expect(append).not.toHaveBeenCalled()
    expect(field.value).toBe('one\ntwo')
    document.documentElement.dataset['send'] = 'enter'
    await user.type(field, '{Enter}')
    delete document.documentElement.dataset['send']
    expect(append).toHaveBeenCalledExactlyOnceWith('one\ntwo', [])
  })

  it('dims Send while there is nothing to send', async () => {
    const { field } = setUp()
    const isFilled = () => / bg-ink /.test(` ${screen.getByRole('button', { name: 'Send' }).className} `)
    expect(isFilled()).toBe(false)
    await userEvent.type(field, ' ')
    expect(isFilled()).toBe(false)
    await userEvent.type(field, 'x')
    expect(isFilled()).toBe(true)
  })

  it('edits the last message on Up in an empty field', async () => {
    const user = userEvent.setup()
    const { field, onEditLast } = setUp()
    await user.type(field, '{ArrowUp}')
    expect(onEditLast).toHaveBeenCalledOnce()
    await user.type(field, 'x{ArrowUp}')
    expect(onEditLast).toHaveBeenCalledOnce()
  })

  it('sends nothing without text and focuses the field', async () => {
    const { field, store } = setUp()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Send' }))
    expect(viewOf(store.getState()).sending).toBe(false)
    expect(document.activeElement).toBe(field)
  })

  it('restores a text that could not be sent', () => {
    const { field, drafts } = setUp()
    act(() => drafts.restore(conversationId, 'not sent'))
    expect(field.value).toBe('not sent')
  })
})
