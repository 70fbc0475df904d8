import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { appUrl } from '../support/addresses'
import { Chat } from '../support/chat'
import { takePictures } from '../support/pictures'
import { read, ScriptedChat, write } from '../support/scripted-chat'

// The parts around the messages, in states that other journeys skip. For `npm run generate -- pictures` only.
const views = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1280, height: 860 } } },
  { name: 'phone', options: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true } },
] as const

const away = (page: Page) => page.mouse.move(640, 400)

for (const view of views) {
  const named = (name: string) => `${name}-${view.name}`
  const isPhone = view.name === 'phone'

  test.describe(`frame, ${view.name}`, () => {
    test.use(view.options)
    test.use({ actionTimeout: 8_000 })
    test.setTimeout(120_000)

    test(`the list of chats and its questions (${view.name})`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await chat.ask('help')
      await page.goto(appUrl)
      await chat.ask('write /zebra.md: stripes, so many of them that the name of the chat is cut')
      if (isPhone) await page.getByRole('button', { name: 'Open the list of chats' }).click()
      const link = chat.conversations.getByRole('link', { name: /zebra/ })
      await link.hover()
      await takePictures(page, named('nav'))
      await chat.conversations.getByRole('button', { name: /^Rename write \/zebra/ }).click()
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
      await takePictures(page, named('nav-rename'))
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox', { name: 'Search chats' }).fill('giraffe')
      await expect(link).toHaveCount(0)
      await takePictures(page, named('nav-nothing'))
      await page.getByRole('searchbox', { name: 'Search chats' }).fill('')
      await link.hover()
      await chat.conversations.getByRole('button', { name: /^Delete write \/zebra/ }).click()
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
      await takePictures(page, named('delete-undo'))
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      if (isPhone) {
        await page.keyboard.press('Escape')
        return
      }
      await chat.fromMenu()
      await takePictures(page, named('menu'))
      await page.getByRole('menuitem', { name: 'Theme' }).click()
      await page.getByRole('menuitem', { name: 'Dark' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await takePictures(page, named('theme-dark'))
      await chat.fromMenu('Theme', 'System')
      await page.locator('[data-tip=Rename]').click()
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
      await takePictures(page, named('title-edit'))
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+b')
      await takePictures(page, named('nav-hidden'))
      await page.keyboard.press('Control+Shift+E')
      await takePictures(page, named('nav-hidden-workspace'))
    })

    test(`problems, and missing pages (${view.name})`, async ({ page, context }) => {
      const chat = new Chat(page)
      await page.goto(`${appUrl}/c/00000000-0000-4000-8000-000000000000`)
      await expect(page.getByText(/This chat does not exist/).first()).toBeVisible()
      await takePictures(page, named('missing'))
      await page.goto(`${appUrl}/nowhere`)
      await takePictures(page, named('not-found'))
      await page.goto(`${appUrl}/access?refused=wrong`)
      await takePictures(page, named('access'))
      await chat.open()
      await page.keyboard.press('Tab')
      await takePictures(page, named('tab'))
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      })
      await page.keyboard.press('Tab')
      await takePictures(page, named('skip-link'))
      await chat.ask('help')
      await context.setOffline(true)
      await chat.send('words that wait')
      await expect(page.getByRole('article', { name: 'You, not sent yet' })).toBeVisible()
      await away(page)
      await takePictures(page, named('offline'))
      await context.setOffline(false)
    })

    test(`settings, their log and an import (${view.name})`, async ({ page }) => {
      const chat = await ScriptedChat.open(page, [write('/notes/a.md', 'one\ntwo\n'), read('/notes/a.md'), 'Done.'])
      await chat.begin()
      await chat.runThrough('write_file')
      await page.getByRole('button', { name: 'Chat settings' }).click()
      await expect(page.getByRole('dialog', { name: 'Chat settings' })).toBeVisible()
      await page.getByRole('tab', { name: 'Log and data' }).click()
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export everything', exact: true }).click()
      const buffer = await readFile(await (await coming).path())
      await page.getByRole('button', { name: 'Chat log' }).click()
      await expect(page.getByRole('dialog', { name: /log/i })).toBeVisible()
      await page.getByRole('dialog', { name: /log/i }).getByRole('button', { expanded: false }).first().click()
      await takePictures(page, named('log'))
      await page.goto(appUrl)
      await expect(chat.message).toBeEnabled()
      if (isPhone) await page.getByRole('button', { name: 'Open the list of chats' }).click()
      await chat.fromMenu('Import a chat')
      const dialog = page.getByRole('dialog', { name: 'Import a chat' })
      await expect(dialog).toBeVisible()
      await takePictures(page, named('import'))
      await dialog
        .getByLabel('Exported chat')
        .setInputFiles({ name: 'chat.nod.zip', mimeType: 'application/zip', buffer })
      await expect(dialog).toContainText('1 file (8 B)')
      await takePictures(page, named('import-asks'))
    })
  })
}
