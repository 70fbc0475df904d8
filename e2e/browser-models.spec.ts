import { expect, test, type Request } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { startOwnServer, type OwnServer } from './support/own-server'

const KEY = 'sk-of-the-person-0123456789'

let own: OwnServer
test.beforeEach(async () => {
  own = await startOwnServer()
})
test.afterEach(() => own.close())

test('a user’s own model server: added with the doctor’s help, used, stopped, lost and found; its key stays here', async ({
  page,
  browser,
}) => {
  const sent: Request[] = []
  page.on('request', (request) => sent.push(request))
  const chat = new Chat(page)
  await chat.open()
  const dialog = page.getByRole('dialog', { name: 'Models' })

  await test.step('a server that refuses pages is distinguished from a missing one, and the fix can be copied', async () => {
    await chat.openModelsOfBrowser()
    await dialog.getByRole('radio', { name: /Other/ }).click()
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill(own.address)
    await dialog.getByLabel(/^Key/).fill(KEY)
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByRole('alert')).toContainText(`Access-Control-Allow-Origin for ${new URL(appUrl).origin}`)
    await expect(dialog.getByText(`--cors-origins ${new URL(appUrl).origin}`, { exact: false }).first()).toBeVisible()
    await inspect(page, 'models-light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await inspect(page, 'models-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    const size = page.viewportSize() ?? { width: 1280, height: 720 }
    await page.setViewportSize({ width: 390, height: 844 })
    await inspect(page, 'models-phone')
    await page.setViewportSize(size)
  })

  await test.step('once it accepts the page it is added, and chosen', async () => {
    own.letsPagesIn = true
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByRole('status')).toContainText('has 1 model')
    await expect(dialog.getByLabel('Context window (tokens)')).toHaveValue('32768')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByRole('region', { name: 'Models of this browser' })).toContainText('own-model')
    await page.keyboard.press('Escape')
    await expect(chat.picker).toContainText('own-model (in this browser)')
  })

  await test.step('its calls are cards, run on a click, and their results are sent to it', async () => {
    await chat.choose('JSON_Strict')
    await chat.send('please write it')
    await chat.runThrough('write_file')
    await expect(chat.replies().last()).toContainText('It is done.')
    expect(own.asked.at(-1)?.last).toContain('completed')
    expect(own.asked.every(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true)
  })

  await test.step('Stop ends the model, too', async () => {
    await chat.send('count')
    await expect(chat.replies().last()).toContainText('5 6 7')
    await page.getByRole('button', { name: /^Stop/ }).click()
    await chat.settled()
    await expect.poll(() => own.left).toBe(1)
    await expect(chat.replies().last()).toContainText('5 6 7')
  })

  await test.step('a reload during a reply interrupts it, and keeps what had arrived', async () => {
    const before = await chat.countReplies()
    await chat.send('count once more')
    await expect(chat.replies()).toHaveCount(before + 1)
    await expect(chat.replies().last()).toContainText('5 6 7')
    await page.reload()
    await expect(page.locator('article[aria-busy="true"]')).toHaveCount(0)
    await expect(chat.replies().last()).toContainText('5 6 7')
    await expect(chat.replies().last().getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
    await expect(chat.picker).toContainText('own-model (in this browser)')
  })

  await test.step('on another device the page says where the model is, and offers others', async () => {
    const { cookies } = await page.context().storageState()
    const other = await browser.newContext({ storageState: { cookies, origins: [] } })
    const there = new Chat(await other.newPage())
    await there.open(page.url())
    await expect(there.page.getByText('own-model of another browser is not available here')).toBeVisible()
    await there.send('hello from here')
    await expect(there.page.getByText('belongs to another browser', { exact: false })).toBeVisible()
    await other.close()
  })

  const toNod = sent.filter((request) => request.url().startsWith(appUrl))
  expect(toNod.length).toBeGreaterThan(20)
  for (const request of toNod) {
    const all = JSON.stringify([request.url(), await request.allHeaders().catch(() => ({})), request.postData() ?? ''])
    expect(all).not.toContain(KEY)
    expect(all).not.toContain(new URL(own.address).host)
  }
  expect(sent.some((request) => request.url().startsWith(own.address))).toBe(true)
})

test(
  'two tabs: adding or removing a model shows in the other, and a reply in progress continues to its end',
  { tag: '@nightly' },
  async ({ page, context }) => {
    own.letsPagesIn = true
    const chat = new Chat(page)
    await chat.open()
    await chat.send('help')
    await expect(chat.replies()).toHaveCount(1)
    await chat.settled()
    const other = new Chat(await context.newPage())
    await other.open(page.url())
    const dialog = page.getByRole('dialog', { name: 'Models' })

    await chat.openModelsOfBrowser()
    await dialog.getByRole('radio', { name: /Other/ }).click()
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill(own.address)
    await dialog.getByLabel(/^Key/).fill(KEY)
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).first().click()
    await expect(dialog.getByRole('region', { name: 'Models of this browser' })).toContainText('own-model')
    for (const tab of [chat, other]) await expect(tab.picker).toContainText('own-model (in this browser)')
    await page.keyboard.press('Escape')

    await other.send('count')
    for (const tab of [chat, other]) await expect(tab.replies().last()).toContainText('5 6 7')
    await chat.openModelsOfBrowser()
    await dialog.getByRole('button', { name: 'Remove own-model' }).click()
    await page.keyboard.press('Escape')
    for (const tab of [chat, other]) await expect(tab.picker).toContainText('not available here')
    // Its key was removed with it; the reply had started with it.
    await expect(other.replies().last()).toContainText('30 31 32')
    await page.getByRole('button', { name: /^Stop/ }).click()
    await other.settled()
    await expect.poll(() => own.left).toBe(1)

    await other.send('once more')
    await expect(other.page.getByText('belongs to another browser', { exact: false })).toBeVisible()
  },
)
