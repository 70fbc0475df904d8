import { expect, test, type Page, type Request } from '@playwright/test'
import { startOAuthServers, type OAuthServers } from '@/lib/client/mcp/testing/oauth-servers'
import { appUrl } from './support/addresses'
import { inspect } from './support/inspect'
import { ScriptedChat, xmlCall } from './support/scripted-chat'

let servers: OAuthServers
test.beforeEach(async () => {
  servers = await startOAuthServers()
})
test.afterEach(() => servers.close())

/** Signs in and consents in the window that a click opens; the window closes itself. */
async function signInInWindow(page: Page, submit: 'Sign in' | 'Sign in and run', keep = false): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Sign in to ${new URL(servers.url).host}` })
  await expect(dialog).toContainText(`A window of ${new URL(servers.issuer).host} opens.`)
  await expect(dialog.getByRole('radio', { name: 'Until this tab closes' })).toBeChecked()
  if (keep) await dialog.getByRole('radio', { name: 'On this device' }).check()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: submit, exact: true }).click()
  const window = await opening
  const closed = window.waitForEvent('close')
  await window.waitForURL(/\/interaction\//)
  expect(await window.evaluate(() => globalThis.opener === null)).toBe(true)
  const login = window.locator('input[name=login]')
  // The window's session may already be signed in: then it only asks for consent.
  if ((await login.count()) > 0) {
    await login.fill('ada')
    await window.locator('input[name=password]').fill('x')
    await window.locator('button[type=submit]').click()
    await expect(login).toHaveCount(0)
  }
  await window.locator('button[type=submit]').click()
  await closed
  await expect(dialog).toHaveCount(0)
}

test('a server that needs a sign-in is added and called; the sign-in expires during a chat, and the call runs once @nightly', async ({
  page,
}) => {
  const sent: Request[] = []
  page.context().on('request', (request) => sent.push(request))
  const find = (text: string) => xmlCall('archive_find', { text })
  const chat = await ScriptedChat.open(page, [
    find('the flood of 1967'),
    'It is on sheet 4.',
    find('the harbour'),
    'The harbour is there, too.',
    find('the bridge'),
    'So is the bridge.',
  ])
  const card = (words: string) => chat.card('archive_find', words)
  const dialog = page.getByRole('dialog', { name: 'Tool servers', exact: true })

  await test.step('the test leads to the sign-in, and the sign-in to the tools', async () => {
    await page.getByRole('button', { name: 'Chat settings' }).click()
    const drawer = page.getByRole('dialog', { name: 'Chat settings' })
    await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
    await drawer.getByRole('button', { name: 'Tool servers…' }).click()
    await dialog.getByRole('textbox', { name: 'Address or JSON' }).fill(servers.url)
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog).toContainText('needs a sign-in')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await inspect(page, 'servers-sign-in')
    await signInInWindow(page, 'Sign in')
    await expect(dialog.getByRole('status').filter({ hasText: '1 tool' })).toBeVisible()
    await page.getByRole('button', { name: 'Review and add' }).click()
    await page.getByRole('button', { name: 'Approve 1 of 1' }).click()
    await expect(dialog).toContainText('1 tool in use')
    await expect(dialog.getByRole('button', { name: /^Sign out/ })).toBeVisible()
    for (const name of ['Tool servers', 'Chat settings']) {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name, exact: true })).toHaveCount(0)
    }
  })

  await test.step('a call runs with the sign-in, which is renewed silently', async () => {
    await chat.begin()
    servers.endTokens()
    await card('the flood').getByRole('button', { name: 'Run', exact: true }).click()
    await expect(card('the flood')).toContainText('Sheet 4 shows the flood of 1967.')
    expect(servers.ran).toEqual(['find the flood of 1967'])
    await card('the flood')
      .getByRole('button', { name: /^Send result/ })
      .click()
    await expect(chat.replies().last()).toContainText('It is on sheet 4.')
  })

  await test.step('the sign-in has expired when the call comes: it is kept, and runs once after signing in', async () => {
    await chat.ask('And the harbour?')
    await servers.endSignIns()
    await card('the harbour').getByRole('button', { name: 'Run', exact: true }).click()
    await expect(card('the harbour')).toContainText('Your sign-in to this server has ended.')
    await expect(card('the harbour')).toContainText('The call is kept. It did not run.')
    await inspect(page, 'remote-sign-in-ended')
    expect(servers.ran).toHaveLength(1)
    await card('the harbour').getByRole('button', { name: 'Sign in and run' }).click()
    await signInInWindow(page, 'Sign in and run', true)
    await expect(card('the harbour')).toContainText('Sheet 4 shows the harbour.')
    expect(servers.ran).toEqual(['find the flood of 1967', 'find the harbour'])
    await card('the harbour')
      .getByRole('button', { name: /^Send result/ })
      .click()
    await expect(chat.replies().last()).toContainText('The harbour is there, too.')
  })

  await test.step('kept on this device, it survives a reload; once ended, a waiting card offers to sign in', async () => {
    await chat.ask('And the bridge?')
    await expect(card('the bridge').getByRole('button', { name: 'Run', exact: true })).toBeVisible()
    await page.reload()
    await expect(card('the bridge').getByRole('button', { name: 'Run', exact: true })).toBeVisible()
    await servers.endSignIns()
    await page.reload()
    await expect(card('the bridge')).toContainText('The call is kept. Nothing was sent.')
    await card('the bridge').getByRole('button', { name: 'Sign in', exact: true }).click()
    await signInInWindow(page, 'Sign in')
    await card('the bridge').getByRole('button', { name: 'Run', exact: true }).click()
    await expect(card('the bridge')).toContainText('Sheet 4 shows the bridge.')
    expect(servers.ran).toHaveLength(3)
  })

  await test.step('no token reached the app’s server, in any part of a request', async () => {
    const toApp = sent.filter((request) => request.url().startsWith(appUrl))
    expect(servers.tokens.length).toBeGreaterThan(5)
    const texts = toApp.map((request) => JSON.stringify([request.url(), request.postData(), request.headers()]))
    expect(texts.length).toBeGreaterThan(10)
    expect(servers.tokens.filter((token) => texts.some((text) => text.includes(token)))).toEqual([])
    // Nor did the codes: they come back in a fragment.
    expect(toApp.filter((request) => request.url().includes('code='))).toEqual([])
  })

  await test.step('signing out deletes it', async () => {
    await page.getByRole('button', { name: 'Chat settings' }).click()
    const drawer = page.getByRole('dialog', { name: 'Chat settings' })
    await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
    await drawer.getByRole('button', { name: 'Tool servers…' }).click()
    await dialog.getByRole('button', { name: /^Sign out/ }).click()
    await expect(dialog).toContainText('Its tools are not offered until you sign in.')
    await expect(dialog.getByRole('button', { name: /^Sign in/ })).toBeVisible()
  })
})
