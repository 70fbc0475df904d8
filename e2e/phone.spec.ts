import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { expectTouchable, giveInsets } from './support/touch'

// A phone with a notch and a bar at its foot: nothing to press lies under them, and all of it is as large as a fingertip.
const upright = { top: 0, right: 0, bottom: 34, left: 0 }
const lying = { top: 0, right: 47, bottom: 21, left: 47 }

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('a phone’s edges and fingertips', async ({ page }) => {
  const chat = new Chat(page)
  await giveInsets(page, upright)
  await chat.open()
  await expectTouchable(page.locator('body'), upright)
  await chat.ask('write /site/index.html: <h1>Hi</h1><script>document.title = 1</script>')
  await expectTouchable(page.locator('body'), upright)
  await chat.call('write_file').getByRole('button', { name: /^More/ }).tap()
  await expectTouchable(page.getByRole('menu'), upright)
  await page.keyboard.press('Escape')
  await chat.runThrough('write_file')
  await expectTouchable(page.locator('body'), upright)

  await page.getByRole('button', { name: 'Open the list of chats' }).tap()
  const list = page.getByRole('dialog', { name: 'Chats' })
  await expectTouchable(list, upright)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Chat settings' }).tap()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await expectTouchable(settings, upright)
  await page.setViewportSize({ width: 844, height: 390 })
  await giveInsets(page, lying)
  await expectTouchable(settings, lying)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await giveInsets(page, upright)

  await page.getByRole('button', { name: 'Workspace', exact: true }).tap()
  const panel = page.getByRole('dialog', { name: 'Workspace' })
  await panel.getByRole('treeitem', { name: 'index.html' }).tap()
  await expectTouchable(panel, upright)
  await panel.getByRole('button', { name: 'Run this page' }).tap()
  const artifact = page.getByRole('dialog', { name: /index\.html/ })
  await expect(artifact.getByRole('button', { name: 'Ask for a change here' })).toBeVisible()
  await expectTouchable(artifact, upright)
})
