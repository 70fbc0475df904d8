import { globSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'
import { setServer } from '@/lib/server/wiring/server'
import * as signUpRoute from './account/sign-up/route'
import { passwordOnly, TestBrowser, useAccounts } from './testing/account-server'
import { problem, type Handler } from './testing/send'

/* The order of checks in routes: the sender is identified before the body is read, even if the body never arrives. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** For visitors without an account yet, or with another proof of identity. */
const OPEN =
  /^(?:access|health|ready|metrics|auth\/.*|account|account\/(?:oidc|reset|sign-in|sign-up|sign-out)|account\/sessions(?:\/.*)?|account\/password)$/

const files = globSync('**/route.ts', { cwd: import.meta.dirname }).map((file) => path.dirname(file))
const handlersOf = async (folder: string): Promise<readonly (readonly [string, Handler])[]> => {
  const route = (await import(path.join(import.meta.dirname, folder, 'route.ts'))) as Record<string, unknown>
  return METHODS.flatMap((method) => {
    const handler = route[method]
    return typeof handler === 'function' ? [[method, handler as Handler] as const] : []
  })
}
const params = { id: 'x', messageId: 'x', number: '0', grantId: 'x', token: 'x', provider: 'oidc' }

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => void useAccounts(store, { ...passwordOnly, anonymous: false }))
afterEach(() => setServer(null))

/** A body that starts and never ends. */
const endless = () =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"x":'))
    },
  })
const send = (browser: TestBrowser, handler: Handler, method: string) =>
  problem(browser.send(handler, { method, params, ...(method !== 'GET' && { raw: endless() }) }))

const closed = files.filter((folder) => !OPEN.test(folder))
it.each(closed)('/api/%s answers a stranger with 401 before it reads a body', async (folder) => {
  for (const [method, handler] of await handlersOf(folder)) {
    expect({ method, ...(await send(new TestBrowser(), handler, method)) }).toMatchObject({ method, status: 401 })
  }
})

it.each(['account', 'account/password', 'account/sessions', 'account/sessions/[id]', 'account/sign-out'])(
  '/api/%s identifies the sender before it reads a body',
  async (folder) => {
    for (const [method, handler] of await handlersOf(folder)) {
      expect({ method, ...(await send(new TestBrowser(), handler, method)) }).toMatchObject({ method, status: 401 })
    }
  },
)

it('the admin routes answer everyone else with 403 before they read a body', async () => {
  const user = new TestBrowser()
  const body = { email: 'plain@order.example', password: 'correct horse battery' }
  expect((await user.send(signUpRoute.POST, { method: 'POST', body })).status).toBe(200)
  const admin = files.filter((folder) => folder.startsWith('admin/'))
  expect(admin.length).toBeGreaterThan(4)
  for (const folder of admin) {
    for (const [method, handler] of await handlersOf(folder)) {
      expect(await send(user, handler, method), `${method} ${folder}`).toMatchObject({
        status: 403,
        reason: 'accounts.not-admin',
      })
    }
  }
})
