// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SignInResult, SignInReturn, SignInStep } from '@/lib/client/mcp/sign-in/sign-in-steps'
import { SignInDialog } from './sign-in-dialog'

const url = 'https://tools.example.org/mcp'
const host = 'login.example.org'
const returned: SignInReturn = { state: 's', code: 'c', iss: null, error: null }

const world = vi.hoisted(() => ({
  steps: [] as SignInStep[],
  answers: {} as Record<string, SignInResult>,
  isBlocked: false,
  went: [] as string[],
  closed: 0,
  signedIn: [] as string[],
  comeBack: (_returned: SignInReturn): void => {},
}))

vi.mock('@/lib/client/wiring/tools/tool-servers.browser', () => ({
  toolServers: {
    signIn(_url: string, step: SignInStep) {
      world.steps.push(step)
      return Promise.resolve({ ok: true, value: world.answers[step.step] })
    },
    signedIn: (at: string) => Promise.resolve(void world.signedIn.push(at)),
  },
}))
vi.mock('@/lib/client/wiring/tools/sign-in-window.browser', () => ({
  signInAddresses: () => ({ redirectTo: 'https://nod.example/signed-in.html', documentAt: null }),
  openSignInWindow: () =>
    world.isBlocked
      ? null
      : { goTo: (address: string) => void world.went.push(address), close: () => void (world.closed += 1) },
  returnedWith: (_state: string, signal: AbortSignal) =>
    new Promise((resolve) => {
      world.comeBack = resolve
      signal.addEventListener('abort', () => resolve(null))
    }),
}))

// jsdom has no modal dialogs.
beforeAll(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})
beforeEach(() => {
  Object.assign(world, { steps: [], isBlocked: false, went: [], closed: 0, signedIn: [] })
  world.answers = {
    find: { is: 'found', offer: { host, tokensAt: null, scopes: ['maps'], way: 'registration', needsSecret: false } },
    begin: { is: 'begun', address: 'https://login.example.org/auth', state: 's' },
    finish: { is: 'signed-in' },
  }
})
afterEach(cleanup)

async function open() {
  const onDone = vi.fn<() => void>()
  const onClose = vi.fn<() => void>()
  const user = userEvent.setup()
  render(<SignInDialog url={url} onDone={onDone} onClose={onClose} />)
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(world.steps).toHaveLength(1))
  return { user, onDone, onClose, press }
}
const problem = (why: 'denied' | 'not-registered'): SignInResult => ({ is: 'problem', problem: { why, host } })

describe('the sign-in dialog', () => {
  it('shows the window’s target, and stores nothing unless that is chosen', async () => {
    const { press, onDone } = await open()
    expect(await screen.findByText(/opens\. Nod never sees your password\./)).toBeTruthy()
    expect(screen.getByText(/It asks for:/)).toBeTruthy()
    await press('Sign in')
    await waitFor(() => expect(world.went).toEqual(['https://login.example.org/auth']))
    expect(world.steps.at(-1)).toEqual({ step: 'begin', client: null, keep: false })
    expect(onDone).not.toHaveBeenCalled()
    world.comeBack(returned)
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(world.signedIn).toEqual([url])
    expect(world.steps.at(-1)).toEqual({ step: 'finish', returned })
  })

  it('names the host that receives the window’s answer, if it is another one', async () => {
    const offer = { host, tokensAt: 'tokens.example.net', scopes: [], way: 'registration', needsSecret: false } as const
    world.answers['find'] = { is: 'found', offer }
    await open()
    expect((await screen.findByText(/is completed by/)).textContent).toContain('tokens.example.net')
  })

  it('stores it in this browser if chosen', async () => {
    const { user, press } = await open()
    await user.click(await screen.findByRole('radio', { name: 'On this device' }))
    await press('Sign in')
    await waitFor(() => expect(world.steps.at(-1)).toMatchObject({ step: 'begin', keep: true }))
  })

  it('asks for nothing if the browser blocks the window', async () => {
    world.isBlocked = true
    const { press } = await open()
    await screen.findByText(/never sees/)
    await press('Sign in')
    expect((await screen.findByRole('alert')).textContent).toContain('The browser blocked the window.')
    expect(world.steps).toHaveLength(1)
  })

  it('accepts a pasted client id after a refused registration', async () => {
    const { user, press } = await open()
    await screen.findByText(/never sees/)
    world.answers['begin'] = problem('not-registered')
    await press('Sign in')
    const pasted = await screen.findByRole('textbox', { name: /Client ID/ })
    expect(world.closed).toBe(1)
    expect(screen.getByText(/signed-in\.html/)).toBeTruthy()
    world.answers['begin'] = { is: 'begun', address: 'https://login.example.org/auth', state: 's' }
    await user.type(pasted, ' my-id ')
    await press('Sign in')
    await waitFor(() =>
      expect(world.steps.at(-1)).toMatchObject({ step: 'begin', client: { id: 'my-id', secret: '' } }),
    )
  })

  it('opens no window where only apps sign in, and sends the client’s secret', async () => {
    const offer = { host, tokensAt: null, scopes: [], way: 'app', needsSecret: true } as const
    world.answers['find'] = { is: 'found', offer }
    world.answers['begin'] = { is: 'signed-in' }
    const { user, press, onDone } = await open()
    await user.type(await screen.findByRole('textbox', { name: /Client ID/ }), 'robot')
    await user.type(screen.getByLabelText(/Client secret or private key/), 'hush')
    await press('Sign in')
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(world.steps.at(-1)).toEqual({ step: 'begin', client: { id: 'robot', secret: 'hush' }, keep: false })
    expect(world.went).toEqual([])
    expect(world.signedIn).toEqual([url])
  })

  it('shows the error, and can be retried', async () => {
    const { press, onDone } = await open()
    await screen.findByText(/never sees/)
    world.answers['finish'] = problem('denied')
    await press('Sign in')
    await waitFor(() => expect(world.went).toHaveLength(1))
    world.comeBack(returned)
    expect((await screen.findByRole('alert')).textContent).toContain('refused')
    await press('Sign in')
    await waitFor(() => expect(world.went).toHaveLength(2))
    expect(onDone).not.toHaveBeenCalled()
  })

  it('is cancelled with Cancel, which closes the window', async () => {
    const { press, onDone, onClose } = await open()
    await screen.findByText(/never sees/)
    await press('Sign in')
    await waitFor(() => expect(world.went).toHaveLength(1))
    await press('Cancel')
    await waitFor(() => expect(world.closed).toBe(1))
    await press('Cancel')
    expect(onClose).toHaveBeenCalledOnce()
    expect(onDone).not.toHaveBeenCalled()
  })
})
