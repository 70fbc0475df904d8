// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { choose } from '@/components/tool-call/testing/choose'
import { conversation, reply } from '@/components/tool-call/testing/fixtures'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { emptyView, initialState } from '@/lib/client/state/state'
import { showConversation as showing } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import {
  type ExecutionApprovalRequest,
  type ExecutionDecision,
  type ResultDecision,
  createQuestionList,
} from '@/lib/client/calls/approval/approval-ui'
import { approvalUIContract } from '@/lib/client/calls/approval/approval-ui.contract'
import { call } from '@/lib/client/calls/testing/world-calls'
import { ApprovalDialogHost } from '../chat/chat-app'

vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

// Approval requests come from outside React; the tests wait for the result.
const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
// Loads the lazy code beforehand, because load time is not under test.
beforeAll(() => import('./dialog-questions'))
beforeEach(() => {
  environment.IS_REACT_ACT_ENVIRONMENT = false
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close = function close() {
    this.removeAttribute('open')
  }
})
afterEach(cleanup)

function open(approvalUi: 'inline' | 'dialog' = 'dialog') {
  const settings = { ...conversation.settings, tools: { ...conversation.settings.tools, approvalUi } }
  const message = reply({ text: 'call 0' })
  const store = createClientStore(
    showing(initialState, {
      ...emptyView,
      id: 'c1',
      phase: 'ready',
      conversation: { ...conversation, settings },
      tree: new Map([[message.id, message]]),
      path: [message],
    }),
  )
  const amend = vi.fn<CallActions['amend']>(() => Promise.resolve(null))
  const questions = createQuestionList()
  const value = { store, chat: {} as ChatActions, calls: { amend } as unknown as CallActions }
  render(
    <ChatProvider value={value}>
      <ToolRuntimeProvider value={() => Promise.reject(new Error('no files here'))}>
        <input aria-label="Message" />
        <ApprovalDialogHost questions={questions} />
      </ToolRuntimeProvider>
    </ChatProvider>,
  )
  /** Sets in the settings how approval is asked. */
  const ask = (how: 'inline' | 'dialog') =>
    act(() =>
      store.dispatch({
        type: 'settings-changed',
        conversationId: 'c1',
        settings: { ...settings, tools: { ...settings.tools, approvalUi: how } },
      }),
    )
  return { questions, amend, ask, user: userEvent.setup() }
}

const press = async (user: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

const asked = () => screen.findByRole('group', { name: /^Tool call: / })

/** Answers the dialog as a user would. */
async function decide(user: ReturnType<typeof userEvent.setup>, decision: ExecutionDecision): Promise<void> {
  switch (decision.kind) {
    case 'run':
      if (!decision.remember) return press(user, /^Run/)
      return choose(user, await asked(), 'Don’t ask again…', /^every [a-z_]+$/)
    case 'deny':
      await choose(user, await asked(), /^Deny with a reason/)
      return user.type(await screen.findByRole('textbox', { name: 'Reason' }), `${decision.reason}{Enter}`)
    case 'skip':
      throw new Error('not here')
    case 'later':
      return press(user, /^Later/)
  }
}

const release = (user: ReturnType<typeof userEvent.setup>, { kind }: ResultDecision) =>
  press(user, kind === 'sent' ? /^Send result/ : kind === 'withheld' ? 'Don’t send' : /^Later/)

approvalUIContract(
  'The dialog',
  () => {
    const { questions, user } = open()
    return {
      adapter: questions,
      async decide(request, decision) {
        await screen.findAllByText(`/notes/${request.call.slot}.md`)
        await decide(user, decision)
      },
      release: (_, decision) => release(user, decision),
    }
  },
  {
    cannot: {
      skip: 'Calls are left out in the line above the cards, where all of them are in view.',
      review: 'Changes to files are looked at in the card that made them.',
      rounds: 'The line below the cards names the calls that would go on.',
    },
  },
)

const never = new AbortController().signal
const request = (slot: number): ExecutionApprovalRequest => ({
  conversationId: 'c1',
  messageId: 'm1',
  call: {
    slot,
    call: call(slot, { name: 'write_file', arguments: { path: `/${slot}.md`, content: 'Hello' } }),
    runnable: true,
    asked: null,
    changed: false,
    promoted: false,
  },
  repeats: 3,
  rememberable: [],
  problem: null,
})

describe('the approval dialog', () => {
  it('shows what the card shows: the reply’s first call first, and how many more wait', async () => {
    const { questions } = open()
    void questions.showToolExecutionApproval(request(1), never)
    void questions.showToolExecutionApproval(request(0), never)
    const dialog = await screen.findByRole('dialog', { name: 'Run write_file?' })
    await waitFor(() => expect(dialog.textContent).toContain('/0.md'))
    expect(dialog.textContent).toContain('1 more after this')
    expect(dialog.textContent).toContain('Changes this chat’s files')
    expect(dialog.textContent).toContain('The model has requested this three times.')
    expect(within(dialog).queryByText(/1\.md/)).toBeNull()
  })

  it('takes the focus itself, so that Enter or Space typed for the composer decide nothing', async () => {
    const { questions, user } = open()
    await user.click(screen.getByRole('textbox', { name: 'Message' }))
    const answered = vi.fn<(decision: ExecutionDecision) => void>()
    void questions.showToolExecutionApproval(request(0), never).then(answered)
    const group = await screen.findByRole('group', { name: 'Tool call: write_file' })
    await waitFor(() => expect(document.activeElement).toBe(group))
    await user.keyboard('{Enter} ')
    expect(answered).not.toHaveBeenCalled()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(answered).toHaveBeenCalledExactlyOnceWith({ kind: 'run' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })))
  })

  it('closes on Esc and leaves the call waiting, but not while a reason is typed', async () => {
    const { questions, user } = open()
    const answer = questions.showToolExecutionApproval(request(0), never)
    const group = await screen.findByRole('group', { name: 'Tool call: write_file' })
    await waitFor(() => expect(document.activeElement).toBe(group))
    await user.keyboard('r')
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    act(() => void field.dispatchEvent(escape))
    expect(escape.defaultPrevented).toBe(true)
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull())
    screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))
    expect(await answer).toEqual({ kind: 'later' })
  })

  it('edits the call in place and asks about the edited call', async () => {
    const { questions, user, amend } = open()
    const gone = new AbortController()
    const first = questions.showToolExecutionApproval(request(0), gone.signal)
    await press(user, 'Edit')
    await user.type(await screen.findByRole('textbox', { name: 'path' }), 'x')
    await press(user, /^Save/)
    await waitFor(() =>
      expect(amend).toHaveBeenCalledExactlyOnceWith('m1', 0, {
        name: 'write_file',
        arguments: { path: '/0.mdx', content: 'Hello' },
      }),
    )
    gone.abort()
    expect(await first).toEqual({ kind: 'later' })
  })

  it('is not shown when approval is asked in the cards', async () => {
    const { questions } = open('inline')
    const gone = new AbortController()
    const answer = questions.showToolExecutionApproval(request(0), gone.signal)
    await Promise.resolve()
    expect(screen.queryByRole('dialog')).toBeNull()
    gone.abort()
    expect(await answer).toEqual({ kind: 'later' })
  })

  it('keeps what is open while the setting switches to the cards for a time', async () => {
    const { questions, ask, user } = open()
    const answer = questions.showToolExecutionApproval(request(0), never)
    await screen.findByRole('dialog', { name: 'Run write_file?' })
    ask('inline')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    ask('dialog')
    await asked()
    await press(user, /^Run/)
    expect(await answer).toEqual({ kind: 'run' })
  })
})
