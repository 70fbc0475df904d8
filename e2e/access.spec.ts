import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { basePath, restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { startNod, type RunningNod } from './support/start-nod'

const dataDir = mkdtempSync(join(tmpdir(), 'nod-access-'))
const address = `http://localhost:${restartPort}${basePath}`
let server: RunningNod

test.beforeAll(async () => {
  server = await startNod({ port: restartPort, dataDir, env: { NOD_ACCESS_TOKEN: 'a token for friends' } })
})
test.afterAll(async () => {
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a guarded server asks for its token once, and then opens the requested page @nightly', async ({ page }) => {
  await page.goto(`${address}/playground`)
  await expect(page.getByRole('heading', { name: 'This server needs an access token' })).toBeVisible()
  await page.getByLabel('Access token').fill('a guess')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This token is wrong' })).toBeVisible()
  await page.getByLabel('Access token').fill('a token for friends')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${address}/playground`)
  const chat = new Chat(page)
  await chat.open(address)
  await chat.ask('hello')
})
